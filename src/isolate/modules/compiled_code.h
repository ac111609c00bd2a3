// The code that one realm has compiled of user modules, on its way to the
// process's code cache and to a directory. Worker thread only; lives as long as
// its realm.
//
// A module's code is stored twice: at once when it has run, so that workers
// that start meanwhile need not compile it, and again when jobs have run, with
// the functions that V8 has compiled only then.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_COMPILED_CODE_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_COMPILED_CODE_H_

#include <v8.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/coverage_flag.h"
#include "isolate/code_cache.h"
#include "isolate/code_directory.h"

namespace sloppy::workers {

// How often a large function or module found code when it was compiled first
// in a realm, found none, or found what V8 refused. Any thread may read.
struct CodeCounts {
  std::atomic<uint32_t> hits{0};
  std::atomic<uint32_t> misses{0};
  std::atomic<uint32_t> refused{0};
};

class CompiledCode {
 public:
  // `directory` is empty for none. While what is executed is counted, nothing
  // is found or kept: compiled code has lost which of its parts are counted.
  // `counts` outlive this.
  CompiledCode(v8::Isolate* isolate, const std::string& directory,
               CodeCounts* counts)
      : isolate_(isolate),
        directory_(CoverageFlag::IsOn() ? std::string() : directory,
                   VersionOfCode()),
        counts_(counts) {}
  CompiledCode(const CompiledCode&) = delete;
  CompiledCode& operator=(const CompiledCode&) = delete;

  bool has_directory() const { return directory_.exists(); }

  // nullptr for what was never stored. May block on the file system.
  CodeCache::Data Find(const std::string& key) const;

  // Called once for each Find(), after the compilation.
  void Count(bool found, bool accepted);

  // Adds code that was compiled without the code from Find(), or with one that
  // V8 has refused. After a function's or a module's first compilation.
  void Add(std::string key, v8::Local<v8::Function> function);
  void Add(std::string key, v8::Local<v8::UnboundModuleScript> module);

  // Called after what was added has run; for the process alone.
  void StoreNew();
  // Called after jobs: stores what has grown, for the directory as well.
  void StoreGrown();

 private:
  // One of the two handles is empty.
  struct Item {
    std::string key;
    v8::Global<v8::Function> function;
    v8::Global<v8::UnboundModuleScript> module;
    size_t stored_bytes = 0;
    bool in_directory = false;
  };
  using Made = std::unique_ptr<v8::ScriptCompiler::CachedData>;
  Made Make(const Item& item) const;

  v8::Isolate* const isolate_;
  const CodeDirectory directory_;
  CodeCounts* const counts_;
  std::vector<Item> items_;
  size_t new_from_ = 0;  // The first item that StoreNew() has not seen.
  int rounds_ = 0;       // Of StoreGrown().
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_COMPILED_CODE_H_

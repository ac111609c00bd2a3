// The modules of one realm, one instance per URL. Links V8's module API with
// module_source.h, and with the loader in JavaScript (src/runtime/loader),
// which is compiled only for what is not a file named by path or URL:
// packages, CommonJS, JSON, built-ins, data: URLs, TypeScript.
//
// Worker thread only; lives as long as its realm.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_LOADER_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_LOADER_H_

#include <v8.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isolate/bundle_code.h"
#include "isolate/modules/module_source.h"
#include "isolate/modules/tool_context.h"

namespace sloppy::workers {

class ModuleLoader {
 public:
  // `code_directory` is empty for none.
  ModuleLoader(v8::Isolate* isolate, size_t max_module_bytes,
               const std::string& code_directory, CodeCounts* counts)
      : isolate_(isolate),
        source_(isolate, max_module_bytes, code_directory, counts),
        tools_(isolate),
        bundles_(isolate) {}
  ModuleLoader(const ModuleLoader&) = delete;
  ModuleLoader& operator=(const ModuleLoader&) = delete;

  // The function that finds the loader of the running realm for V8.
  using Finder = ModuleLoader* (*)(v8::Isolate*);
  static void Install(v8::Isolate* isolate, Finder finder);
  // nullptr for a realm that was replaced.
  static ModuleLoader* Of(v8::Local<v8::Context> context);

  // `watch(true)` is called before a graph is linked, `watch(false)` after it.
  void WatchLinks(std::function<void(bool)> watch) {
    watch_links_ = std::move(watch);
  }

  // Called once, with the new realm's context and the hooks of
  // src/runtime/loader.js.
  static void BindTo(v8::Isolate* isolate, v8::Local<v8::Context> context,
                     v8::Local<v8::Object> hooks);

  // `context` entered. Loads, links and evaluates a file; a promise of its
  // namespace. Throws what V8 throws, or an Error that names the file. The
  // main one is what import.meta.main and require.main are about.
  v8::MaybeLocal<v8::Value> ImportEntry(v8::Local<v8::Context> context,
                                        v8::Local<v8::String> path,
                                        bool is_main);

  // `context` entered. Loads a file, or what a sent function may import by that
  // name, with all that it imports, and runs none of it. False if that failed,
  // with an exception; it is tried again when it is imported.
  bool LoadEntry(v8::Local<v8::Context> context,
                 v8::Local<v8::String> specifier);
  // The same place. Reads, for whoever is asked for files, what its modules and
  // those after them name in their text, and may load when they run.
  bool Foresee(v8::Local<v8::Context> context, v8::Local<v8::String> specifier);

  // Empty without one.
  const std::string& main_url() const { return main_url_; }
  ModuleSource& source() { return source_; }
  ToolContext& tools() { return tools_; }
  BundleCode& bundles() { return bundles_; }

 private:
  friend struct ModuleCallbacks;
  friend struct ModuleSteps;

  struct Record {
    std::string url;
    Format format = Format::kUnknown;
    v8::Global<v8::Module> module;
    v8::Global<v8::Array> names;  // Of a synthetic module.
    // The places of its specifiers, as far as they were looked up.
    std::unordered_map<std::string, std::string> located;
    // Whether it is one of a graph that was loaded as a whole, or is being
    // loaded; what is left of a graph that failed is not.
    bool known = false;
    bool required = false;  // Whether require() has loaded that graph.
    bool entered = false;   // Whether it was linked as a part of an entry.
  };
  enum class Wanted { kCode, kJson };
  enum class Way { kImport, kRequire };

  // The phase that a module asks for: kSource is the source without its code.
  enum class Phase { kSource, kDefer, kEvaluation };
  struct Request {
    std::string specifier;
    Wanted wanted = Wanted::kCode;
    Phase phase = Phase::kEvaluation;
    // The text that refuses the attribute which nothing here supports; empty
    // for none. As in Node, it shows when the module is to be loaded.
    std::string refusal;
  };
  void RequestsOf(v8::Local<v8::Context> context, const Record& record,
                  std::vector<Request>* requests);

  // False when an exception is pending; `importer` is a URL.
  bool Locate(v8::Local<v8::Context> context, const std::string& specifier,
              const std::string& importer, std::string* url);
  // The same for a path or a specifier that the owner has named.
  bool LocateEntry(v8::Local<v8::Context> context,
                   v8::Local<v8::String> specifier, std::string* url);
  // The same for what a module says.
  bool LocateFor(v8::Local<v8::Context> context, Record* record,
                 const std::string& specifier, std::string* url);
  // Loads a module and what it depends on, in Node's order. require() refuses
  // what is being evaluated: V8 would end the process, or give half a module.
  bool LoadGraph(v8::Local<v8::Context> context, const std::string& url,
                 Wanted wanted, Way way);
  // The next one of that graph, which is at `url`; nullptr if it is known or
  // failed.
  bool LoadNext(v8::Local<v8::Context> context, Record* importer,
                const Request& request, const std::string& url, Way way,
                Record** next);
  // A promise of the namespace, with the fault that Node would show.
  v8::MaybeLocal<v8::Value> ImportInTurn(v8::Local<v8::Context> context,
                                         const std::string& url);
  v8::MaybeLocal<v8::Module> Load(v8::Local<v8::Context> context,
                                  const std::string& url, Wanted wanted);
  // The rest of a graph that failed is loaded anew.
  void ForgetFailed(const std::string& url);
  v8::MaybeLocal<v8::Module> Make(v8::Local<v8::Context> context,
                                  const std::string& url, Wanted wanted,
                                  Record* record);
  // Throws when it does not.
  bool Fits(const std::string& url, Format format, Wanted wanted);
  v8::MaybeLocal<v8::Module> MakeSynthetic(v8::Local<v8::Context> context,
                                           Record* record);
  // Links a loaded graph.
  bool Instantiate(v8::Local<v8::Context> context, const Record& record);
  // A promise. Throws when the code that calls is part of what it depends on.
  v8::MaybeLocal<v8::Value> Evaluate(v8::Local<v8::Context> context,
                                     const Record& record);
  bool DependsOnCaller(const Record& root) const;
  bool Reaches(const Record& from, const Record& to) const;
  // The one that has failed of the modules that form a cycle with it.
  const Record* FailedInCycleOf(const Record& record) const;
  // An import() of one of them need not look for what it depends on.
  void MarkEntered(Record* root) const;
  // Whether V8 can begin a module that awaits; has thrown if it cannot.
  bool CanAwait(v8::Local<v8::Context> context);
  v8::MaybeLocal<v8::Value> CallHook(v8::Local<v8::Context> context,
                                     const char* name, int argc,
                                     v8::Local<v8::Value>* argv);
  Record* RecordOf(v8::Local<v8::Module> module) const;
  Record* RecordAt(const std::string& url) const;

  v8::Isolate* const isolate_;
  std::function<void(bool)> watch_links_;
  ModuleSource source_;
  ToolContext tools_;
  BundleCode bundles_;
  v8::Global<v8::Context> context_;
  v8::Global<v8::Object> hooks_;
  std::string main_url_;
  // The URL that require() takes as a module whatever its name says, while it
  // is loaded.
  std::string required_;
  std::unordered_map<std::string, std::unique_ptr<Record>> records_;
  std::unordered_multimap<int, Record*> by_hash_;
  int evaluating_ = 0;  // Calls of Evaluate() that have not returned.
  int awaiting_ = 0;    // Those of them with modules that await.
};

// Worker thread, `context` entered. What src/runtime/loader stands on.
v8::MaybeLocal<v8::Object> MakeLoaderNatives(v8::Isolate* isolate,
                                             v8::Local<v8::Context> context);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_LOADER_H_

// ES modules of one realm: files by path, compiled by V8, one instance per
// file. Resolution here is of relative and absolute paths and file: URLs.
//
// Worker thread only; lives as long as its realm.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_LOADER_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_LOADER_H_

#include <v8.h>

#include <cstddef>
#include <string>
#include <unordered_map>

namespace sloppy::workers {

class ModuleLoader {
 public:
  ModuleLoader(v8::Isolate* isolate, size_t max_module_bytes)
      : isolate_(isolate), max_module_bytes_(max_module_bytes) {}
  ModuleLoader(const ModuleLoader&) = delete;
  ModuleLoader& operator=(const ModuleLoader&) = delete;

  // What V8 needs to find the loader of the running realm.
  using Finder = ModuleLoader* (*)(v8::Isolate*);
  static void Install(v8::Isolate* isolate, Finder finder);

  // `context` entered. Loads, links and evaluates a file; a promise of its
  // namespace. Throws what V8 throws, or an Error that names the file.
  v8::MaybeLocal<v8::Value> ImportEntry(v8::Local<v8::Context> context,
                                        v8::Local<v8::String> path);

 private:
  friend struct ModuleCallbacks;

  v8::MaybeLocal<v8::Module> Load(v8::Local<v8::Context> context,
                                  const std::string& path);
  v8::MaybeLocal<v8::Value> Import(v8::Local<v8::Context> context,
                                   const std::string& path);
  const std::string* PathOf(v8::Local<v8::Module> module) const;

  v8::Isolate* const isolate_;
  const size_t max_module_bytes_;
  std::unordered_map<std::string, v8::Global<v8::Module>> by_path_;
  std::unordered_multimap<int, std::string> paths_by_hash_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_LOADER_H_

// The kind of module that a file is, by Node's rules, and CommonJS files as
// functions. One per realm; worker thread only.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_SOURCE_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_SOURCE_H_

#include <v8.h>

#include <cstddef>
#include <string>
#include <unordered_map>

#include "isolate/modules/compiled_code.h"
#include "isolate/modules/source_store.h"

namespace sloppy::workers {

enum class Format {
  kModule,
  kCommonJs,
  kJson,
  kTypeScript,  // Module or CommonJS once the types are gone.
  kBuiltin,
  kUnknown,
};

class ModuleSource {
 public:
  // `code_directory` is empty for none.
  ModuleSource(v8::Isolate* isolate, size_t max_bytes,
               const std::string& code_directory, CodeCounts* counts)
      : isolate_(isolate),
        max_bytes_(max_bytes),
        compiled_(isolate, code_directory, counts) {}
  ModuleSource(const ModuleSource&) = delete;
  ModuleSource& operator=(const ModuleSource&) = delete;

  // The format by extension and the nearest package.json's "type"; a .js file
  // without one is read and judged by its syntax. False if it has thrown what
  // is wrong with the package.json.
  bool FormatOf(v8::Local<v8::Context> context, const std::string& path,
                Format* format);
  // The same for a TypeScript file, given what is left without its types.
  bool FormatOfStripped(v8::Local<v8::Context> context, const std::string& path,
                        v8::Local<v8::String> stripped, Format* format);

  // Throws an Error that names the file, with Node's code.
  v8::MaybeLocal<v8::String> Read(const std::string& path);

  // The function of (exports, require, module, __filename, __dirname) that a
  // CommonJS file is. Undefined for text that only a module may have.
  v8::MaybeLocal<v8::Value> CompileCommonJs(v8::Local<v8::Context> context,
                                            const std::string& path,
                                            v8::Local<v8::String> text);
  v8::MaybeLocal<v8::Module> CompileModule(const std::string& url,
                                           v8::Local<v8::String> text);

  // Whether any file has a source map, and the URL in the comment that names
  // the one of a file; "data:" for one inside the file, empty for none.
  bool has_source_maps() const { return !source_maps_.empty(); }
  std::string SourceMapUrlOf(const std::string& name) const;

  // Code that was compiled anew since the last call and is large enough goes to
  // the process's code cache. After it has run, to have the inner functions.
  void StoreCompiled();
  CompiledCode& compiled() { return compiled_; }

 private:
  // Whether it compiles as one.
  bool IsModule(v8::Local<v8::String> name, v8::Local<v8::String> text);
  enum class PackageType { kNone, kModule, kCommonJs, kBroken };
  // kBroken: has thrown, because the package.json is no object of JSON.
  PackageType TypeFor(v8::Local<v8::Context> context,
                      const std::string& folder);
  PackageType TypeIn(v8::Local<v8::Context> context,
                     const std::string& manifest) const;

  std::string CacheKey(const char* kind, const std::string& name,
                       v8::Local<v8::String> text) const;

  void NoteSourceMap(const std::string& name, v8::Local<v8::Value> url);

  v8::Isolate* const isolate_;
  const size_t max_bytes_;
  std::unordered_map<std::string, std::string> source_maps_;
  std::unordered_map<std::string, PackageType> types_;
  // The one file that FormatOf() has read and compiled last.
  std::string judged_path_;
  v8::Global<v8::String> judged_text_;
  v8::Global<v8::Value> judged_;
  // Texts that Read() gave out since the last StoreCompiled(), by their data.
  std::unordered_map<const void*, SourceStore::Text> shared_;
  CompiledCode compiled_;
};

// An Error with Node's `code` for it.
enum class ErrorKind { kError, kTypeError, kSyntaxError };
v8::MaybeLocal<v8::Object> CodedError(v8::Isolate* isolate, const char* code,
                                      const std::string& message,
                                      ErrorKind kind);
void ThrowCoded(v8::Isolate* isolate, const char* code,
                const std::string& message, ErrorKind kind = ErrorKind::kError);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_SOURCE_H_

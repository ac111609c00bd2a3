// The callbacks of V8 to the embedder about modules, and about stacks.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_CALLBACKS_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_CALLBACKS_H_

#include <v8.h>

#include <string>

#include "isolate/modules/module_loader.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {

// V8's callbacks; a struct so that the loader can befriend them.
struct ModuleCallbacks {
  static v8::MaybeLocal<v8::Module> Resolve(
      v8::Local<v8::Context> context, v8::Local<v8::String> specifier,
      v8::Local<v8::FixedArray> attributes, v8::Local<v8::Module> referrer);

  // Serves `import source x from …`. No file has a source that could be
  // imported.
  static v8::MaybeLocal<v8::Object> ResolveSource(
      v8::Local<v8::Context> context, v8::Local<v8::String> specifier,
      v8::Local<v8::FixedArray> attributes, v8::Local<v8::Module> referrer);

  static v8::MaybeLocal<v8::Promise> ImportDynamically(
      v8::Local<v8::Context> context, v8::Local<v8::Data> options,
      v8::Local<v8::Value> referrer, v8::Local<v8::String> specifier,
      v8::Local<v8::FixedArray> attributes);

#if SW_HAS_IMPORT_PHASES
  // import.source(), import.defer()
  static v8::MaybeLocal<v8::Promise> ImportPhase(
      v8::Local<v8::Context> context, v8::Local<v8::Data> options,
      v8::Local<v8::Value> referrer, v8::Local<v8::String> specifier,
      v8::ModuleImportPhase phase, v8::Local<v8::FixedArray> attributes);
#endif

  static void FillMeta(v8::Local<v8::Context> context,
                       v8::Local<v8::Module> module,
                       v8::Local<v8::Object> meta);

  static v8::MaybeLocal<v8::Value> EvaluateSynthetic(
      v8::Local<v8::Context> context, v8::Local<v8::Module> module);

  // The value of `error.stack`; see src/runtime/stacks.js.
  static v8::MaybeLocal<v8::Value> FormatStack(v8::Local<v8::Context> context,
                                               v8::Local<v8::Value> error,
                                               v8::Local<v8::Array> sites);

  // Import attributes are keys and values; `stride` is 3 if positions follow.
  // The refusal is of one that nothing supports; empty for none.
  static void ReadAttributes(v8::Local<v8::Context> context,
                             v8::Local<v8::FixedArray> attributes, int stride,
                             ModuleLoader::Wanted* wanted,
                             std::string* refusal);
  static v8::MaybeLocal<v8::Object> AttributeError(v8::Isolate* isolate,
                                                   const std::string& refusal);

 private:
  using Wanted = ModuleLoader::Wanted;

  static v8::MaybeLocal<v8::Promise> Import(
      v8::Local<v8::Context> context, v8::Local<v8::Data> options,
      v8::Local<v8::Value> referrer, v8::Local<v8::String> specifier,
      v8::Local<v8::FixedArray> attributes, int phase);
  // Has thrown if it is empty.
  static v8::MaybeLocal<v8::Promise> AskLoader(
      v8::Local<v8::Context> context, v8::Local<v8::Value> referrer,
      v8::Local<v8::String> specifier, v8::Local<v8::FixedArray> attributes,
      int phase);
  // import.meta.resolve(specifier); the importer's URL is the data.
  static void MetaResolve(const v8::FunctionCallbackInfo<v8::Value>& info);
  static v8::MaybeLocal<v8::Value> SetExports(v8::Local<v8::Context> context,
                                              v8::Local<v8::Module> module);
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_MODULE_CALLBACKS_H_

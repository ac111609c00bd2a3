// The runtime's own JavaScript (src/runtime/gen), embedded by the build and
// compiled in every isolate, from the second time on out of the process's code
// cache.
#ifndef SLOPPY_WORKERS_ISOLATE_BUILTIN_SCRIPT_H_
#define SLOPPY_WORKERS_ISOLATE_BUILTIN_SCRIPT_H_

#include <v8.h>

#include <string>

namespace sloppy::workers {

class BootstrapCode;

// Worker thread, `context` entered. Runs bootstrap.gen.js with `natives`; gives
// the object of hooks. `code` is the isolate's.
v8::MaybeLocal<v8::Value> RunBootstrap(v8::Isolate* isolate,
                                       v8::Local<v8::Context> context,
                                       v8::Local<v8::Object> natives,
                                       BootstrapCode* code);

// Worker thread, `context` entered. Calls the function in
// src/runtime/gen/<file>.gen.js and returns its result. `fresh` receives code
// that is not in the code cache yet, for RememberEmbedded.
v8::MaybeLocal<v8::Value> RunEmbedded(
    v8::Isolate* isolate, v8::Local<v8::Context> context,
    const std::string& file, int argc, v8::Local<v8::Value>* argv,
    v8::Local<v8::UnboundScript>* fresh = nullptr);

// Worker thread. Puts the code into the cache, with all functions that have
// been executed by now.
void RememberEmbedded(const std::string& file,
                      v8::Local<v8::UnboundScript> script);

// Natives that the runtime's JavaScript gets beside the worker's own
// (worker/natives.h).

// runBundle(file, host, load): see RunEmbedded.
void RunBundle(const v8::FunctionCallbackInfo<v8::Value>& info);

// defineLazy(object, names, enumerable, resolve): properties whose value is
// resolve(name), asked for at the first access.
void DefineLazy(const v8::FunctionCallbackInfo<v8::Value>& info);

// hostNatives(): the functions of isolate/globals/host_natives.h.
void HostNativesOf(const v8::FunctionCallbackInfo<v8::Value>& info);

// loaderNatives(): the functions of isolate/modules/module_loader.h.
void LoaderNativesOf(const v8::FunctionCallbackInfo<v8::Value>& info);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BUILTIN_SCRIPT_H_

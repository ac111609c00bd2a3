// The runtime's own JavaScript (src/runtime, lib/internal/codec.js), embedded
// by the build and compiled in every realm, from the second time on out of
// the process's code cache.
#ifndef SLOPPY_WORKERS_ISOLATE_BUILTIN_SCRIPT_H_
#define SLOPPY_WORKERS_ISOLATE_BUILTIN_SCRIPT_H_

#include <v8.h>

#include <string>

namespace sloppy::workers {

// Worker thread, `context` entered. Runs the codec's module and the parts of
// src/runtime with `natives`; gives the object of hooks. `script` is the
// isolate's: compiled for its first realm, used again by those that follow.
v8::MaybeLocal<v8::Value> RunBootstrap(v8::Isolate* isolate,
                                       v8::Local<v8::Context> context,
                                       v8::Local<v8::Object> natives,
                                       v8::Global<v8::UnboundScript>* script);

// Worker thread. Puts the isolate's script into the code cache, once in the
// process: best after a job, when what jobs run has been compiled too.
void RememberBootstrap(v8::Isolate* isolate,
                       const v8::Global<v8::UnboundScript>& script);

// Worker thread, `context` entered. What the function that
// src/runtime/gen/<file>.gen.js is returns for the arguments. With `fresh`,
// code that is not in the code cache yet is given there, for RememberEmbedded.
v8::MaybeLocal<v8::Value> RunEmbedded(
    v8::Isolate* isolate, v8::Local<v8::Context> context,
    const std::string& file, int argc, v8::Local<v8::Value>* argv,
    v8::Local<v8::UnboundScript>* fresh = nullptr);

// Worker thread. Puts the code into the cache, with all functions that have
// been executed by now.
void RememberEmbedded(const std::string& file,
                      v8::Local<v8::UnboundScript> script);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BUILTIN_SCRIPT_H_

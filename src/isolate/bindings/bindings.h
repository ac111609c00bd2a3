// The natives under Node's own library (src/runtime/node/README.md): what its
// text knows as internalBinding(name). Each is an object of functions, and
// src/runtime/node/bindings.js adds what JavaScript can do. User code cannot
// reach them, but its values come as arguments: each function looks at their
// kinds itself, because the text in front of it may change with a release.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_BINDINGS_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_BINDINGS_H_

#include <v8.h>

#include <string>

#include "isolate/native_functions.h"

namespace sloppy::workers {

// Worker thread, `context` entered. Adds what is more than functions, such as
// classes and shared arrays, to a binding's object. False when that failed.
using CompleteBinding = bool (*)(v8::Isolate* isolate,
                                 v8::Local<v8::Context> context,
                                 v8::Local<v8::Object> binding);

struct Binding {
  const char* name;
  NativeFunctions functions;
  CompleteBinding complete = nullptr;
};

// Any thread: constant, one per file of this folder.
Binding BufferBinding();
Binding EncodingBinding();
Binding ErrorsBinding();
Binding HeapFiguresBinding();
Binding IcuBinding();
Binding PromiseHooksBinding();
Binding ScriptBinding();
Binding SerdesBinding();
Binding StringDecoderBinding();
Binding TypesBinding();
Binding UtilBinding();
Binding UvBinding();
// Has no name where Node does not have the library.
Binding UrlBinding();
Binding ZlibBinding();

// Worker thread, `context` entered. A new object with the functions of one of
// the above; empty for a name that has none.
v8::MaybeLocal<v8::Object> MakeBinding(v8::Isolate* isolate,
                                       v8::Local<v8::Context> context,
                                       const std::string& name);

// binding(name), which is the above.
NativeFunctions BindingNatives();
// Functions for UTF-8 that our own JavaScript calls.
NativeFunctions TextNatives();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_BINDINGS_H_

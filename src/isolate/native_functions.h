// Objects full of C++ functions for the runtime's own JavaScript.
#ifndef SLOPPY_WORKERS_ISOLATE_NATIVE_FUNCTIONS_H_
#define SLOPPY_WORKERS_ISOLATE_NATIVE_FUNCTIONS_H_

#include <v8.h>

#include <cstddef>

namespace sloppy::workers {

struct NativeFunction {
  const char* name;
  v8::FunctionCallback callback;
};

// Worker thread, `context` entered. An object without a prototype that has a
// function for each of the `count` ones (at most 64) at `functions`; `data` is
// what they find in info.Data(). Made at once: property by property, a new
// isolate would make a map for each.
v8::MaybeLocal<v8::Object> MakeFunctions(v8::Isolate* isolate,
                                         v8::Local<v8::Context> context,
                                         v8::Local<v8::Value> data,
                                         const NativeFunction* functions,
                                         size_t count);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_NATIVE_FUNCTIONS_H_

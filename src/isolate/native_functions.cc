#include "isolate/native_functions.h"

#include <array>

namespace sloppy::workers {

v8::MaybeLocal<v8::Object> MakeFunctions(v8::Isolate* isolate,
                                         v8::Local<v8::Context> context,
                                         v8::Local<v8::Value> data,
                                         const NativeFunction* functions,
                                         size_t count) {
  v8::EscapableHandleScope scope(isolate);
  std::array<v8::Local<v8::Name>, 64> names;
  std::array<v8::Local<v8::Value>, 64> values;
  for (size_t i = 0; i < count; ++i) {
    v8::Local<v8::String> name;
    v8::Local<v8::Function> function;
    if (!v8::String::NewFromUtf8(isolate, functions[i].name,
                                 v8::NewStringType::kInternalized)
             .ToLocal(&name) ||
        !v8::Function::New(context, functions[i].callback, data, 0,
                           v8::ConstructorBehavior::kThrow)
             .ToLocal(&function)) {
      return {};
    }
    names[i] = name;
    values[i] = function;
  }
  return scope.Escape(v8::Object::New(isolate, v8::Null(isolate), names.data(),
                                      values.data(), count));
}

}  // namespace sloppy::workers

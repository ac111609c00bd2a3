#include "isolate/globals/host_natives.h"

namespace sloppy::workers {

v8::MaybeLocal<v8::Object> MakeHostNatives(v8::Isolate* isolate,
                                           v8::Local<v8::Context> context) {
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Object> natives =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  for (const HostNatives& table :
       {TextNatives(), InspectNatives(), SystemNatives(), CloneNatives(),
        PackageNatives()}) {
    for (size_t i = 0; i < table.count; ++i) {
      v8::Local<v8::String> name;
      v8::Local<v8::Function> function;
      if (!v8::String::NewFromUtf8(isolate, table.items[i].name,
                                   v8::NewStringType::kInternalized)
               .ToLocal(&name) ||
          !v8::Function::New(context, table.items[i].callback, {}, 0,
                             v8::ConstructorBehavior::kThrow)
               .ToLocal(&function) ||
          !natives->Set(context, name, function).FromMaybe(false)) {
        return {};
      }
    }
  }
  return scope.Escape(natives);
}

}  // namespace sloppy::workers

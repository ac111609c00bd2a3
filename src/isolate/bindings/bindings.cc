#include "isolate/bindings/bindings.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

using GetBinding = Binding (*)();

constexpr GetBinding kBindings[] = {
    BufferBinding,      EncodingBinding, ErrorsBinding,
    HeapFiguresBinding, IcuBinding,      PromiseHooksBinding,
    ScriptBinding,      SerdesBinding,   StringDecoderBinding,
    TypesBinding,       UtilBinding,     UvBinding,
    UrlBinding,         ZlibBinding};

void BindingOf(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Object> binding;
  if (MakeBinding(isolate, isolate->GetCurrentContext(), TextAt(info, 0))
          .ToLocal(&binding)) {
    info.GetReturnValue().Set(binding);
  }
}

constexpr NativeFunction kBindingsNatives[] = {{"binding", BindingOf}};

}  // namespace

NativeFunctions BindingNatives() { return kBindingsNatives; }

v8::MaybeLocal<v8::Object> MakeBinding(v8::Isolate* isolate,
                                       v8::Local<v8::Context> context,
                                       const std::string& name) {
  for (const GetBinding get : kBindings) {
    const Binding binding = get();
    if (name != binding.name) continue;
    v8::Local<v8::Object> object;
    if (!MakeFunctions(isolate, context, {}, {binding.functions})
             .ToLocal(&object) ||
        (binding.complete != nullptr &&
         !binding.complete(isolate, context, object))) {
      return {};
    }
    return object;
  }
  return {};
}

}  // namespace sloppy::workers

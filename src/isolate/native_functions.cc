#include "isolate/native_functions.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sloppy::workers {

v8::MaybeLocal<v8::Object> MakeFunctions(
    v8::Isolate* isolate, v8::Local<v8::Context> context,
    v8::Local<v8::Value> data, std::initializer_list<NativeFunctions> tables) {
  v8::EscapableHandleScope scope(isolate);
  std::vector<v8::Local<v8::Name>> names;
  std::vector<v8::Local<v8::Value>> values;
  for (const NativeFunctions& table : tables) {
    for (const NativeFunction& item : table) {
      v8::Local<v8::String> name;
      v8::Local<v8::Function> function;
      if (!v8::String::NewFromUtf8(isolate, item.name,
                                   v8::NewStringType::kInternalized)
               .ToLocal(&name) ||
          !v8::Function::New(context, item.callback, data, 0,
                             v8::ConstructorBehavior::kThrow)
               .ToLocal(&function)) {
        return {};
      }
      function->SetName(name);
      names.push_back(name);
      values.push_back(function);
    }
  }
  return scope.Escape(v8::Object::New(isolate, v8::Null(isolate), names.data(),
                                      values.data(), names.size()));
}

void GiveFunctions(const v8::FunctionCallbackInfo<v8::Value>& info,
                   NativeFunctions table) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Object> natives;
  if (MakeFunctions(isolate, isolate->GetCurrentContext(), info.Data(), {table})
          .ToLocal(&natives)) {
    info.GetReturnValue().Set(natives);
  }
}

void GiveText(const v8::FunctionCallbackInfo<v8::Value>& info,
              std::u16string_view units) {
  v8::Local<v8::String> text;
  if (v8::String::NewFromTwoByte(
          info.GetIsolate(), reinterpret_cast<const uint16_t*>(units.data()),
          v8::NewStringType::kNormal, static_cast<int>(units.size()))
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

std::string TextAt(const v8::FunctionCallbackInfo<v8::Value>& info, int index) {
  v8::String::Utf8Value text(info.GetIsolate(), info[index]);
  return *text == nullptr
             ? std::string()
             : std::string(*text, static_cast<size_t>(text.length()));
}

}  // namespace sloppy::workers

#include "isolate/bindings/arguments.h"

#include <limits>

namespace sloppy::workers {
namespace {

v8::Local<v8::String> V8Text(v8::Isolate* isolate, const char* text) {
  return v8::String::NewFromUtf8(isolate, text, v8::NewStringType::kNormal)
      .FromMaybe(v8::String::Empty(isolate));
}

}  // namespace

v8::Local<v8::Value> MakePlainError(v8::Isolate* isolate, const char* message) {
  return v8::Exception::Error(V8Text(isolate, message));
}

v8::Local<v8::Value> MakeTypeError(v8::Isolate* isolate, const char* message) {
  return v8::Exception::TypeError(V8Text(isolate, message));
}

v8::Local<v8::Value> MakeRangeError(v8::Isolate* isolate, const char* message) {
  return v8::Exception::RangeError(V8Text(isolate, message));
}

void ThrowCoded(v8::Isolate* isolate, MakeError make, const char* code,
                const char* message) {
  const v8::Local<v8::Value> error = make(isolate, message);
  SetMember(isolate->GetCurrentContext(), error.As<v8::Object>(), "code",
            V8Text(isolate, code));
  isolate->ThrowException(error);
}

void ThrowArgument(v8::Isolate* isolate, const char* message) {
  ThrowCoded(isolate, MakeTypeError, "ERR_INVALID_ARG_TYPE", message);
}

void ThrowIndex(v8::Isolate* isolate) {
  ThrowCoded(isolate, MakeRangeError, "ERR_OUT_OF_RANGE", "Index out of range");
}

void ThrowTextTooLong(v8::Isolate* isolate) {
  static_assert(v8::String::kMaxLength == 0x1FFFFFE8);
  ThrowCoded(isolate, MakePlainError, "ERR_STRING_TOO_LONG",
             "Cannot create a string longer than 0x1fffffe8 characters");
}

Index ReadIndex(const BindingInfo& info, int index, size_t otherwise,
                size_t* number) {
  const v8::Local<v8::Value> value = info[index];
  if (value->IsUndefined()) {
    *number = otherwise;
    return Index::kFine;
  }
  // Most are, and nothing has to be asked for.
  if (value->IsInt32()) {
    const int32_t small = value.As<v8::Int32>()->Value();
    if (small < 0) return Index::kNegative;
    *number = static_cast<size_t>(small);
    return Index::kFine;
  }
  int64_t whole;
  if (!value->IntegerValue(info.GetIsolate()->GetCurrentContext()).To(&whole)) {
    return Index::kThrown;
  }
  if (whole < 0) return Index::kNegative;
  *number = static_cast<size_t>(whole);
  return Index::kFine;
}

size_t PlainIndex(v8::Local<v8::Value> value) {
  if (!value->IsNumber()) return 0;
  const double number = value.As<v8::Number>()->Value();
  constexpr double kMost = 9007199254740991.0;
  if (!(number > 0)) return 0;
  return static_cast<size_t>(number < kMost ? number : kMost);
}

BytesInPlace::BytesInPlace(v8::Local<v8::Value> value) {
  if (value->IsArrayBufferView()) {
    auto view = value.As<v8::ArrayBufferView>();
    v8::Local<v8::ArrayBuffer> buffer = view->Buffer();
    // A view that was detached or has shrunk has nothing.
    size = view->ByteLength();
    data = static_cast<uint8_t*>(buffer->Data());
    if (data != nullptr) data += view->ByteOffset();
  } else if (value->IsArrayBuffer()) {
    auto buffer = value.As<v8::ArrayBuffer>();
    size = buffer->ByteLength();
    data = static_cast<uint8_t*>(buffer->Data());
  } else if (value->IsSharedArrayBuffer()) {
    auto buffer = value.As<v8::SharedArrayBuffer>();
    size = buffer->ByteLength();
    data = static_cast<uint8_t*>(buffer->Data());
  }
  if (data == nullptr) size = 0;
}

v8::Local<v8::Value> ViewOfAll(v8::Local<v8::Value> value) {
  if (value->IsArrayBuffer()) {
    auto buffer = value.As<v8::ArrayBuffer>();
    return v8::Uint8Array::New(buffer, 0, buffer->ByteLength());
  }
  if (value->IsSharedArrayBuffer()) {
    auto buffer = value.As<v8::SharedArrayBuffer>();
    return v8::Uint8Array::New(buffer, 0, buffer->ByteLength());
  }
  return value;
}

bool SetMember(v8::Local<v8::Context> context, v8::Local<v8::Object> object,
               const char* name, v8::Local<v8::Value> value) {
  v8::Local<v8::String> key;
  return v8::String::NewFromUtf8(v8::Isolate::GetCurrent(), name,
                                 v8::NewStringType::kInternalized)
             .ToLocal(&key) &&
         object->Set(context, key, value).FromMaybe(false);
}

bool AddFunctions(v8::Local<v8::Context> context, v8::Local<v8::Object> object,
                  std::span<const NativeFunctions> tables,
                  v8::Local<v8::Value> data) {
  for (const NativeFunctions& table : tables) {
    for (const NativeFunction& item : table) {
      v8::Local<v8::String> name;
      v8::Local<v8::Function> function;
      if (!v8::String::NewFromUtf8(v8::Isolate::GetCurrent(), item.name,
                                   v8::NewStringType::kInternalized)
               .ToLocal(&name) ||
          !v8::Function::New(context, item.callback, data, 0,
                             v8::ConstructorBehavior::kThrow)
               .ToLocal(&function)) {
        return false;
      }
      function->SetName(name);
      if (!object->Set(context, name, function).FromMaybe(false)) return false;
    }
  }
  return true;
}

}  // namespace sloppy::workers

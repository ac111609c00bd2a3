#include <uv.h>

#include "isolate/bindings/bindings.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

struct UvError {
  int number;
  const char* name;
  const char* message;
};

constexpr UvError kErrors[] = {
#define SW_ERROR(name, message) {UV_##name, #name, message},
    UV_ERRNO_MAP(SW_ERROR)
#undef SW_ERROR
};

const UvError* Find(int number) {
  for (const UvError& error : kErrors) {
    if (error.number == number) return &error;
  }
  return nullptr;
}

v8::MaybeLocal<v8::String> UvText(v8::Isolate* isolate, const char* text) {
  return v8::String::NewFromUtf8(isolate, text,
                                 v8::NewStringType::kInternalized);
}

// errname(number) → name, undefined for an unknown one
void ErrName(const Info& info) {
  if (!info[0]->IsInt32()) return;
  const UvError* error = Find(info[0].As<v8::Int32>()->Value());
  v8::Local<v8::String> name;
  if (error != nullptr &&
      UvText(info.GetIsolate(), error->name).ToLocal(&name)) {
    info.GetReturnValue().Set(name);
  }
}

// errors() → [number, name, message, …]
void Errors(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  constexpr size_t kColumns = 3;
  v8::Local<v8::Value> cells[std::size(kErrors) * kColumns];
  size_t at = 0;
  for (const UvError& error : kErrors) {
    v8::Local<v8::String> name;
    v8::Local<v8::String> message;
    if (!UvText(isolate, error.name).ToLocal(&name) ||
        !UvText(isolate, error.message).ToLocal(&message)) {
      return;
    }
    cells[at++] = v8::Integer::New(isolate, error.number);
    cells[at++] = name;
    cells[at++] = message;
  }
  info.GetReturnValue().Set(v8::Array::New(isolate, cells, at));
}

constexpr NativeFunction kUvNatives[] = {{"errname", ErrName},
                                         {"errors", Errors}};

}  // namespace

Binding UvBinding() { return {"uv", kUvNatives}; }

}  // namespace sloppy::workers

// The way from Node-API's handles to V8's. A napi_value is a v8::Local's slot
// in all Node versions; Node's own js_native_api_v8.h converts the same way.
#ifndef SLOPPY_WORKERS_BINDING_NAPI_V8_H_
#define SLOPPY_WORKERS_BINDING_NAPI_V8_H_

#include <napi.h>
#include <v8.h>

#include <cstring>

#include "isolate/v8_compat.h"

namespace sloppy::workers {

static_assert(sizeof(v8::Local<v8::Value>) == sizeof(napi_value));

inline v8::Local<v8::Value> ToV8(napi_value value) {
  v8::Local<v8::Value> local;
  std::memcpy(static_cast<void*>(&local), &value, sizeof(local));
  return local;
}

inline napi_value FromV8(v8::Local<v8::Value> local) {
  napi_value value;
  std::memcpy(&value, static_cast<void*>(&local), sizeof(local));
  return value;
}

// A number argument, 0 for anything else.
inline double NumberArgument(napi_value value) {
  v8::Local<v8::Value> local = ToV8(value);
  return local->IsNumber() ? local.As<v8::Number>()->Value() : 0;
}

// Functions of V8's own, for calls of every job or every turn: Node-API would
// spend more on the call than they do.
using FastInfo = v8::FunctionCallbackInfo<v8::Value>;

inline void* DataOf(const FastInfo& info) {
  return ExternalValue(info.Data().As<v8::External>());
}

inline void ExportFast(Napi::Env env, Napi::Object exports, const char* name,
                       v8::FunctionCallback callback, void* data) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::Local<v8::Function> function;
  if (v8::Function::New(isolate->GetCurrentContext(), callback,
                        NewExternal(isolate, data), 0,
                        v8::ConstructorBehavior::kThrow)
          .ToLocal(&function)) {
    exports[name] = Napi::Value(env, FromV8(function));
  }
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_NAPI_V8_H_

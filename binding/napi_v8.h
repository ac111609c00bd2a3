// From Node-API's handles to V8's. A napi_value is a v8::Local's slot in all
// Node versions; Node's own js_native_api_v8.h converts the same way.
#ifndef SLOPPY_WORKERS_BINDING_NAPI_V8_H_
#define SLOPPY_WORKERS_BINDING_NAPI_V8_H_

#include <napi.h>
#include <v8.h>

#include <cstring>

namespace sloppy::workers {

inline v8::Local<v8::Value> ToV8(napi_value value) {
  v8::Local<v8::Value> local;
  static_assert(sizeof(local) == sizeof(value));
  std::memcpy(static_cast<void*>(&local), &value, sizeof(local));
  return local;
}

inline napi_value FromV8(v8::Local<v8::Value> local) {
  napi_value value;
  std::memcpy(&value, static_cast<void*>(&local), sizeof(value));
  return value;
}

// A number argument, 0 for anything else.
inline double NumberArgument(napi_value value) {
  v8::Local<v8::Value> local = ToV8(value);
  return local->IsNumber() ? local.As<v8::Number>()->Value() : 0;
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_NAPI_V8_H_

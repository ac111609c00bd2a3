#include "binding/function_place.h"

#include <v8.h>

#include "binding/napi_v8.h"

namespace sloppy::workers {

Napi::Value PlaceOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const v8::Local<v8::Value> value = ToV8(info[0]);
  if (!value->IsFunction()) return env.Undefined();
  const auto function = value.As<v8::Function>();
  const int line = function->GetScriptLineNumber();
  if (line == v8::Function::kLineOffsetNotFound) return env.Undefined();
  const v8::ScriptOrigin origin = function->GetScriptOrigin();
  const auto text = [&](v8::Local<v8::Value> item) {
    return item.IsEmpty() || !item->IsString() ? env.Undefined()
                                               : Napi::Value(env, FromV8(item));
  };
  auto place = Napi::Array::New(env, 4);
  place[0U] = text(origin.ResourceName());
  place[1U] = Napi::Number::New(env, line);
  place[2U] = Napi::Number::New(env, function->GetScriptColumnNumber());
  place[3U] = text(origin.SourceMapUrl());
  return place;
}

}  // namespace sloppy::workers

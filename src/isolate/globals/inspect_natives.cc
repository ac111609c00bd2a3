#include "isolate/globals/host_natives.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

const char* KindOf(v8::Local<v8::Value> value) {
  if (value->IsProxy()) return "proxy";
  if (value->IsPromise()) return "promise";
  if (value->IsArgumentsObject()) return "arguments";
  if (value->IsMapIterator()) return "mapIterator";
  if (value->IsSetIterator()) return "setIterator";
  if (value->IsGeneratorObject()) return "generator";
  if (value->IsModuleNamespaceObject()) return "moduleNamespace";
  if (value->IsNativeError()) return "nativeError";
  if (value->IsExternal()) return "external";
  const bool async = value->IsAsyncFunction();
  if (value->IsGeneratorFunction()) {
    return async ? "asyncGeneratorFunction" : "generatorFunction";
  }
  return async ? "asyncFunction" : "";
}

void Kind(const Info& info) {
  v8::Local<v8::String> kind;
  if (v8::String::NewFromUtf8(info.GetIsolate(), KindOf(info[0]),
                              v8::NewStringType::kInternalized)
          .ToLocal(&kind)) {
    info.GetReturnValue().Set(kind);
  }
}

v8::Local<v8::Array> Pair(v8::Isolate* isolate, v8::Local<v8::Value> first,
                          v8::Local<v8::Value> second) {
  v8::Local<v8::Value> both[] = {first, second};
  return v8::Array::New(isolate, both, 2);
}

// promiseState(promise) → [0 pending | 1 fulfilled | 2 rejected, result]
void PromiseState(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  auto promise = info[0].As<v8::Promise>();
  const auto state = promise->State();
  v8::Local<v8::Value> result = v8::Undefined(isolate);
  if (state != v8::Promise::kPending) result = promise->Result();
  info.GetReturnValue().Set(Pair(
      isolate, v8::Integer::New(isolate, static_cast<int>(state)), result));
}

// proxyDetails(value) → [target, handler] or undefined
void ProxyDetails(const Info& info) {
  if (!info[0]->IsProxy()) return;
  auto proxy = info[0].As<v8::Proxy>();
  info.GetReturnValue().Set(
      Pair(info.GetIsolate(), proxy->GetTarget(), proxy->GetHandler()));
}

// previewEntries(object) → [entries, whether they are keys and values]
void PreviewEntries(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  bool key_value = false;
  v8::Local<v8::Array> entries;
  if (!info[0]->IsObject() ||
      !info[0].As<v8::Object>()->PreviewEntries(&key_value).ToLocal(&entries)) {
    entries = v8::Array::New(isolate);
  }
  info.GetReturnValue().Set(
      Pair(isolate, entries, v8::Boolean::New(isolate, key_value)));
}

constexpr NativeFunction kNatives[] = {
    {"kindOf", Kind},
    {"promiseState", PromiseState},
    {"proxyDetails", ProxyDetails},
    {"previewEntries", PreviewEntries},
};

}  // namespace

NativeFunctions InspectNatives() { return kNatives; }

}  // namespace sloppy::workers

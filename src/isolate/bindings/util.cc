#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"
#include "isolate/untransferable.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

v8::Local<v8::Array> Pair(v8::Isolate* isolate, v8::Local<v8::Value> first,
                          v8::Local<v8::Value> second) {
  v8::Local<v8::Value> both[] = {first, second};
  return v8::Array::New(isolate, both, 2);
}

// getOwnNonIndexProperties(object, filter) → keys
void GetOwnNonIndexProperties(const Info& info) {
  if (!info[0]->IsObject() || !info[1]->IsUint32()) return;
  v8::Local<v8::Context> context = info.GetIsolate()->GetCurrentContext();
  const auto filter =
      static_cast<v8::PropertyFilter>(info[1].As<v8::Uint32>()->Value());
  v8::Local<v8::Array> keys;
  if (info[0]
          .As<v8::Object>()
          ->GetPropertyNames(context, v8::KeyCollectionMode::kOwnOnly, filter,
                             v8::IndexFilter::kSkipIndices)
          .ToLocal(&keys)) {
    info.GetReturnValue().Set(keys);
  }
}

void GetConstructorName(const Info& info) {
  if (!info[0]->IsObject()) return;
  info.GetReturnValue().Set(info[0].As<v8::Object>()->GetConstructorName());
}

// getExternalValue(external) → 0n: no address leaves the process's memory.
void GetExternalValue(const Info& info) {
  info.GetReturnValue().Set(v8::BigInt::New(info.GetIsolate(), 0));
}

// getPromiseDetails(promise) → [state], with its result unless it is pending
void GetPromiseDetails(const Info& info) {
  if (!info[0]->IsPromise()) return;
  v8::Isolate* isolate = info.GetIsolate();
  auto promise = info[0].As<v8::Promise>();
  const v8::Promise::PromiseState state = promise->State();
  v8::Local<v8::Value> row[] = {
      v8::Integer::New(isolate, static_cast<int>(state)),
      v8::Undefined(isolate)};
  size_t size = 1;
  if (state != v8::Promise::kPending) row[size++] = promise->Result();
  info.GetReturnValue().Set(v8::Array::New(isolate, row, size));
}

// getProxyDetails(proxy, both = true) → [target, handler] or the target;
// undefined for other values
void GetProxyDetails(const Info& info) {
  if (!info[0]->IsProxy()) return;
  auto proxy = info[0].As<v8::Proxy>();
  if (info.Length() == 1 || info[1]->IsTrue()) {
    info.GetReturnValue().Set(
        Pair(info.GetIsolate(), proxy->GetTarget(), proxy->GetHandler()));
  } else {
    info.GetReturnValue().Set(proxy->GetTarget());
  }
}

// previewEntries(object) → entries; with a second argument
// [entries, whether they are keys and values]
void PreviewEntries(const Info& info) {
  if (!info[0]->IsObject()) return;
  v8::Isolate* isolate = info.GetIsolate();
  bool key_value = false;
  v8::Local<v8::Array> entries;
  if (!info[0].As<v8::Object>()->PreviewEntries(&key_value).ToLocal(&entries)) {
    return;
  }
  if (info.Length() == 1) return info.GetReturnValue().Set(entries);
  info.GetReturnValue().Set(
      Pair(isolate, entries, v8::Boolean::New(isolate, key_value)));
}

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// isInsideNodeModules(frames) → whether the innermost code that is not of the
// runtime is a package's
void IsInsideNodeModules(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  constexpr int kMostFrames = 100;
  int frames = 10;
  if (info[0]->IsUint32()) {
    const uint32_t wanted = info[0].As<v8::Uint32>()->Value();
    frames = wanted < kMostFrames ? static_cast<int>(wanted) : kMostFrames;
  }
  v8::Local<v8::StackTrace> stack = v8::StackTrace::CurrentStackTrace(
      isolate, frames, v8::StackTrace::kScriptName);
  info.GetReturnValue().Set(false);
  for (int i = 0; i < stack->GetFrameCount(); ++i) {
    v8::Local<v8::String> name =
        stack->GetFrame(isolate, static_cast<uint32_t>(i))->GetScriptName();
    if (name.IsEmpty()) continue;
    v8::String::Utf8Value utf8(isolate, name);
    if (*utf8 == nullptr || utf8.length() == 0) continue;
    const std::string_view path(*utf8, static_cast<size_t>(utf8.length()));
    if (StartsWith(path, "sloppy:") || StartsWith(path, "node:")) continue;
    const bool inside = path.find("/node_modules/") != std::string_view::npos ||
                        path.find("\\node_modules\\") != std::string_view::npos;
    return info.GetReturnValue().Set(inside);
  }
}

// getCallSites(frames) → what Node tells of each, the innermost first; not
// those of the runtime.
void GetCallSites(const Info& info) {
  constexpr uint32_t kMost = 200;
  if (!info[0]->IsUint32()) return;
  const uint32_t wanted = std::min(info[0].As<v8::Uint32>()->Value(), kMost);
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::StackTrace> stack = v8::StackTrace::CurrentStackTrace(
      isolate, static_cast<int>(2 * kMost), v8::StackTrace::kDetailed);
  v8::Local<v8::Array> sites = v8::Array::New(isolate);
  uint32_t count = 0;
  for (int i = 0; i < stack->GetFrameCount() && count < wanted; ++i) {
    v8::Local<v8::StackFrame> frame =
        stack->GetFrame(isolate, static_cast<uint32_t>(i));
    v8::Local<v8::Value> script = v8::String::Empty(isolate);
    v8::Local<v8::Value> function = v8::String::Empty(isolate);
    if (!frame->GetScriptName().IsEmpty()) script = frame->GetScriptName();
    if (!frame->GetFunctionName().IsEmpty()) {
      function = frame->GetFunctionName();
    }
    v8::String::Utf8Value name(isolate, script);
    if (*name != nullptr && StartsWith(*name, "sloppy:src/")) continue;
    v8::Local<v8::Object> site =
        v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
    v8::Local<v8::Integer> column =
        v8::Integer::New(isolate, frame->GetColumn());
    if (!SetMember(context, site, "functionName", function) ||
        !SetMember(context, site, "scriptId",
                   v8::String::NewFromUtf8(
                       isolate, std::to_string(frame->GetScriptId()).c_str())
                       .FromMaybe(v8::String::Empty(isolate))) ||
        !SetMember(context, site, "scriptName", script) ||
        !SetMember(context, site, "lineNumber",
                   v8::Integer::New(isolate, frame->GetLineNumber())) ||
        !SetMember(context, site, "columnNumber", column) ||
        !SetMember(context, site, "column", column) ||
        !sites->Set(context, count, site).FromMaybe(false)) {
      return;
    }
    ++count;
  }
  info.GetReturnValue().Set(sites);
}

void IsArrayBufferDetached(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsArrayBuffer() &&
                            info[0].As<v8::ArrayBuffer>()->WasDetached());
}

void MarkPromiseAsHandled(const Info& info) {
  if (info[0]->IsPromise()) info[0].As<v8::Promise>()->MarkAsHandled();
}

constexpr NativeFunction kUtilNatives[] = {
    {"getOwnNonIndexProperties", GetOwnNonIndexProperties},
    {"getConstructorName", GetConstructorName},
    {"getExternalValue", GetExternalValue},
    {"getPromiseDetails", GetPromiseDetails},
    {"getProxyDetails", GetProxyDetails},
    {"previewEntries", PreviewEntries},
    {"isInsideNodeModules", IsInsideNodeModules},
    {"getCallSites", GetCallSites},
    {"isArrayBufferDetached", IsArrayBufferDetached},
    {"markPromiseAsHandled", MarkPromiseAsHandled},
};

// Keys that neither proxies nor Reflect.ownKeys see.
constexpr const char* kPrivateSymbols[] = {
    "arrow_message_private_symbol",
    "contextify_context_private_symbol",
    "decorated_private_symbol",
    "entry_point_module_private_symbol",
    "entry_point_promise_private_symbol",
    "exit_info_private_symbol",
    "host_defined_option_symbol",
    "module_circular_visited_private_symbol",
    "module_export_names_private_symbol",
    "module_export_private_symbol",
    "module_first_parent_private_symbol",
    "module_last_parent_private_symbol",
    "module_parent_private_symbol",
    "module_source_private_symbol",
    "require_private_symbol",
    "source_map_data_private_symbol",
    "transfer_mode_private_symbol",
    kUntransferableName,
};

// privateSymbols: only a template can hold them.
bool AddPrivateSymbols(v8::Isolate* isolate, v8::Local<v8::Context> context,
                       v8::Local<v8::Object> binding) {
  v8::Local<v8::ObjectTemplate> holder = v8::ObjectTemplate::New(isolate);
  for (const char* name : kPrivateSymbols) {
    v8::Local<v8::String> text;
    if (!v8::String::NewFromUtf8(isolate, name,
                                 v8::NewStringType::kInternalized)
             .ToLocal(&text)) {
      return false;
    }
    // C++ finds them by their names.
    holder->Set(text, v8::Private::ForApi(isolate, text));
  }
  v8::Local<v8::Object> symbols;
  return holder->NewInstance(context).ToLocal(&symbols) &&
         binding
             ->Set(context,
                   v8::String::NewFromUtf8Literal(isolate, "privateSymbols"),
                   symbols)
             .FromMaybe(false);
}

}  // namespace

Binding UtilBinding() { return {"util", kUtilNatives, AddPrivateSymbols}; }

}  // namespace sloppy::workers

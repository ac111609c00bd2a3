// Scripts, functions and contexts of node:vm.
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"
#include "isolate/bindings/script_errors.h"
#include "isolate/bindings/script_timeout.h"
#include "isolate/libraries/library_state.h"
#include "isolate/modules/vm_origin.h"
#include "isolate/new_buffer.h"
#include "isolate/v8_compat.h"
#include "isolate/vm_context.h"

namespace sloppy::workers {
namespace {

// The first arguments of each native: text, name, line, column, VmImports, and
// the contextified object of the context to compile in, undefined for the
// realm's.
enum Argument : int {
  kText,
  kName,
  kLine,
  kColumn,
  kImports,
  kContext,
  kFirstOther,
};

std::optional<v8::ScriptOrigin> ReadOrigin(const BindingInfo& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[kText]->IsString() || !info[kName]->IsString() ||
      !info[kLine]->IsInt32() || !info[kColumn]->IsInt32() ||
      !info[kImports]->IsInt32()) {
    ThrowArgument(isolate, "a script needs its text, name, line and column");
    return {};
  }
  return VmOrigin(
      isolate, info[kName], info[kLine].As<v8::Int32>()->Value(),
      info[kColumn].As<v8::Int32>()->Value(),
      static_cast<VmImports>(info[kImports].As<v8::Int32>()->Value()));
}

v8::MaybeLocal<v8::Context> ReadContext(const BindingInfo& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (info[kContext]->IsNullOrUndefined()) return isolate->GetCurrentContext();
  v8::Local<v8::Context> context;
  if (VmContextOf(isolate, info[kContext]).ToLocal(&context)) return context;
  ThrowArgument(isolate, "an object that was contextified is needed");
  return {};
}

// `context` entered.
v8::MaybeLocal<v8::Script> Compiled(const BindingInfo& info,
                                    const v8::ScriptOrigin& origin,
                                    v8::Local<v8::Context> context) {
  v8::ScriptCompiler::Source source(info[kText].As<v8::String>(), origin);
  return v8::ScriptCompiler::Compile(context, &source);
}

// compileScript(…) → [sourceURL, sourceMappingURL], or throws what V8 says of
// the text.
void CompileScript(const BindingInfo& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context;
  v8::Local<v8::Script> script;
  const auto origin = ReadOrigin(info);
  if (!origin || !ReadContext(info).ToLocal(&context)) return;
  v8::TryCatch caught(isolate);
  {
    const v8::Context::Scope entered(context);
    (void)Compiled(info, *origin, context).ToLocal(&script);
  }
  if (caught.HasCaught()) {
    ShowLine(isolate, caught);
    caught.ReThrow();
    return;
  }
  if (script.IsEmpty()) return;
  v8::Local<v8::UnboundScript> unbound = script->GetUnboundScript();
  v8::Local<v8::Value> urls[] = {unbound->GetSourceURL(),
                                 unbound->GetSourceMappingURL()};
  info.GetReturnValue().Set(v8::Array::New(isolate, urls, 2));
}

void ThrowTimeout(v8::Isolate* isolate, uint32_t ms) {
  const std::string text =
      "Script execution timed out after " + std::to_string(ms) + "ms";
  ThrowCoded(isolate, MakePlainError, "ERR_SCRIPT_EXECUTION_TIMEOUT",
             text.c_str());
}

void ThrowNoTimeout(v8::Isolate* isolate) {
  ThrowCoded(isolate, MakePlainError, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM",
             "there is no thread for the time limit of a script, as in a "
             "sandbox; its job has limits");
}

// Takes back the termination by a time limit, unless the worker or the memory
// limit ends what runs as well. Asks after it has: who comes later terminates
// anew.
bool TakeBack(v8::Isolate* isolate) {
  LibraryState& state = LibraryState::Of(isolate);
  isolate->CancelTerminateExecution();
  if (!state.IsInterrupted() && !state.memory().hit()) return true;
  isolate->TerminateExecution();
  return false;
}

// runScript(…, milliseconds or 0, whether errors show their line) → its
// completion value. V8 still has the code of one that was compiled before.
void RunScript(const BindingInfo& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context;
  v8::Local<v8::Script> script;
  v8::Local<v8::Value> value;
  const auto origin = ReadOrigin(info);
  if (!origin || !ReadContext(info).ToLocal(&context)) return;
  const auto ms = static_cast<uint32_t>(PlainIndex(info[kFirstOther]));
  const auto continuation = GetContinuationData(isolate).As<v8::Value>();
  ScriptTimeout timeout(isolate, ms);
  if (ms != 0 &&
      (!LibraryState::Of(isolate).has_threads() || !timeout.Start())) {
    return ThrowNoTimeout(isolate);
  }
  bool timed_out = false;
  {
    v8::TryCatch caught(isolate);
    {
      const v8::Context::Scope entered(context);
      // V8 11 has it for each context.
      SetContinuationData(isolate, continuation);
      v8::MicrotaskQueue* queue = OwnQueueOf(context);
      if (Compiled(info, *origin, context).ToLocal(&script) &&
          script->Run(context).ToLocal(&value) && queue != nullptr) {
        queue->PerformCheckpoint(isolate);
      }
    }
    timed_out = timeout.End() && TakeBack(isolate);
    // One that is thrown again below must be thrown by nothing else before: V8
    // runs no JavaScript while it is.
    if (timed_out) {
      caught.Reset();
    } else if (caught.HasCaught()) {
      if (info[kFirstOther + 1]->IsTrue()) ShowLine(isolate, caught);
      caught.ReThrow();
      return;
    }
  }
  if (timed_out) return ThrowTimeout(isolate, ms);
  if (!value.IsEmpty()) info.GetReturnValue().Set(value);
}

// The members of an array of `Kind`s; false if one is none, or V8 gave up.
template <typename Kind>
bool ReadList(v8::Local<v8::Context> context, v8::Local<v8::Value> value,
              bool (*fits)(v8::Local<v8::Value>),
              std::vector<v8::Local<Kind>>* list) {
  if (!value->IsArray()) return false;
  auto array = value.As<v8::Array>();
  for (uint32_t i = 0; i < array->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!array->Get(context, i).ToLocal(&item) || !fits(item)) return false;
    list->push_back(item.As<Kind>());
  }
  return true;
}

// compileFunction(…, names of parameters, objects whose members are in scope)
void CompileFunction(const BindingInfo& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context;
  if (!ReadContext(info).ToLocal(&context)) return;
  const auto origin = ReadOrigin(info);
  std::vector<v8::Local<v8::String>> names;
  std::vector<v8::Local<v8::Object>> scopes;
  if (!origin) return;
  if (!ReadList<v8::String>(
          context, info[kFirstOther],
          [](auto item) { return item->IsString(); }, &names) ||
      !ReadList<v8::Object>(
          context, info[kFirstOther + 1],
          [](auto item) { return item->IsObject(); }, &scopes)) {
    return ThrowArgument(isolate, "a function needs names and scopes");
  }
  v8::ScriptCompiler::Source source(info[kText].As<v8::String>(), *origin);
  v8::TryCatch caught(isolate);
  v8::Local<v8::Function> function;
  {
    const v8::Context::Scope entered(context);
    (void)v8::ScriptCompiler::CompileFunction(context, &source, names.size(),
                                              names.data(), scopes.size(),
                                              scopes.data())
        .ToLocal(&function);
  }
  if (!function.IsEmpty()) {
    info.GetReturnValue().Set(function);
  } else if (!caught.HasCaught()) {
    // V8 says nothing of a name that is none, at which Node itself ends.
    isolate->ThrowException(v8::Exception::SyntaxError(
        v8::String::NewFromUtf8Literal(isolate, "Invalid parameter name")));
  } else {
    ShowLine(isolate, caught);
  }
  caught.ReThrow();
}

void GiveCache(const BindingInfo& info,
               const v8::ScriptCompiler::CachedData* data) {
  if (data == nullptr) return;
  const auto size = static_cast<size_t>(data->length);
  v8::Local<v8::ArrayBuffer> buffer;
  if (!NewBuffer(info.GetIsolate(), size).ToLocal(&buffer)) return;
  std::memcpy(buffer->Data(), data->data, size);
  info.GetReturnValue().Set(buffer);
}

// cacheOfScript(…) → the bytes of its compiled code as an ArrayBuffer;
// undefined if V8 has none.
void CacheOfScript(const BindingInfo& info) {
  v8::Local<v8::Context> context = info.GetIsolate()->GetCurrentContext();
  v8::Local<v8::Script> script;
  const auto origin = ReadOrigin(info);
  if (!origin || !Compiled(info, *origin, context).ToLocal(&script)) return;
  const std::unique_ptr<v8::ScriptCompiler::CachedData> data(
      v8::ScriptCompiler::CreateCodeCache(script->GetUnboundScript()));
  GiveCache(info, data.get());
}

// cacheOfFunction(function of compileFunction) → the same.
void CacheOfFunction(const BindingInfo& info) {
  if (!info[0]->IsFunction()) return;
  const std::unique_ptr<v8::ScriptCompiler::CachedData> data(
      v8::ScriptCompiler::CreateCodeCacheForFunction(
          info[0].As<v8::Function>()));
  GiveCache(info, data.get());
}

// newContext(contextifies, allows strings, allows WebAssembly, has its own
// queue of microtasks) → the global object of a new context
void NewContext(const BindingInfo& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Object> global;
  if (NewVmContext(isolate, {.contextifies = info[0]->IsTrue(),
                             .allows_strings = info[1]->IsTrue(),
                             .allows_wasm = info[2]->IsTrue(),
                             .has_own_queue = info[3]->IsTrue()})
          .ToLocal(&global)) {
    info.GetReturnValue().Set(global);
  }
}

// bindContext(global object of such a context, what stands for it)
void BindContext(const BindingInfo& info) {
  if (!info[0]->IsObject() || !info[1]->IsObject() ||
      !BindVmContext(info.GetIsolate(), info[0].As<v8::Object>(),
                     info[1].As<v8::Object>())) {
    ThrowArgument(info.GetIsolate(), "a context needs an object of its own");
  }
}

constexpr NativeFunction kScriptNatives[] = {
    {"bindContext", BindContext},     {"cacheOfFunction", CacheOfFunction},
    {"cacheOfScript", CacheOfScript}, {"compileFunction", CompileFunction},
    {"compileScript", CompileScript}, {"newContext", NewContext},
    {"runScript", RunScript}};

}  // namespace

Binding ScriptBinding() { return {"contextify", kScriptNatives}; }

}  // namespace sloppy::workers

#include "worker/natives.h"

#include <string>

#include "base/diagnostics_gen.h"
#include "isolate/builtin_script.h"
#include "isolate/modules/function_source.h"
#include "isolate/native_functions.h"
#include "worker/native_calls.h"

namespace sloppy::workers {
namespace {

using Info = NativeInfo;

void GiveNext(const Info& info, WorkerThread* worker) {
  v8::Local<v8::Value> text = v8::Null(info.GetIsolate());
  if (worker->PresentNext(&text)) info.GetReturnValue().Set(text);
}

// next() → undefined; or a job is presented, its text if that is short, or null
void Next(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) GiveNext(info, worker);
}

// finish(checkpoint): the current job has succeeded with what the header says,
// once the microtasks have run if `checkpoint` is true. Returns as next() does.
void Finish(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  if (info[0]->IsTrue()) worker->RunWholeCheckpoint();
  if (worker->FinishJob()) GiveNext(info, worker);
}

// done(seq, status, detail, kind, number, slots, slotCount, text, more)
void Done(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  // A job that is over the limit is ended for that.
  if (worker == nullptr || worker->memory().CheckAtEnd()) return;
  worker->jobs().Done(worker->texts(), ContextOf(info), NumberAt(info, 0),
                      static_cast<Diagnostic>(NumberAt(info, 1)),
                      static_cast<Detail>(NumberAt(info, 2)), PartsAt(info, 3));
}

// message(seq, channel, kind, number, slots, slotCount, text, more) → Sent
void Message(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  Sent sent = Sent::kGone;
  if (worker != nullptr && worker->WaitToSend()) {
    sent = worker->jobs().Message(worker->texts(), ContextOf(info),
                                  NumberAt(info, 0),
                                  static_cast<uint32_t>(NumberAt(info, 1)),
                                  worker->number(), PartsAt(info, 2));
  }
  info.GetReturnValue().Set(static_cast<uint32_t>(sent));
}

// checkpoint(whole): runs the microtasks that are waiting; if `whole` is true,
// also those that wait because a callback has thrown.
void Checkpoint(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  if (info[0]->IsTrue()) {
    worker->RunWholeCheckpoint();
  } else {
    worker->RunCheckpoint();
  }
}

// afterCheckpoint(value, unsettled) → the value, or what its promise has come
// to, once the microtasks have run; `unsettled` if that is nothing so far.
void AfterCheckpoint(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  const v8::Local<v8::Value> value = info[0];
  if (!value->IsPromise()) {
    worker->RunWholeCheckpoint();
    info.GetReturnValue().Set(value);
    return;
  }
  const auto promise = value.As<v8::Promise>();
  if (promise->State() != v8::Promise::kRejected) {
    // The caller that asked handles it.
    promise->MarkAsHandled();
    worker->RunCheckpoint();
    if (promise->State() != v8::Promise::kPending) worker->RunHeld();
  }
  const bool fulfilled = promise->State() == v8::Promise::kFulfilled;
  info.GetReturnValue().Set(fulfilled ? promise->Result() : info[1]);
}

void IsPromise(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsPromise());
}

void IsError(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsNativeError());
}

// compileEntry(id, withGlobals) → { kind, call, sees, share }, or undefined if
// that takes the globals; throws what V8 throws.
void CompileEntry(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  const auto id = static_cast<uint32_t>(NumberAt(info, 0));
  const auto entry = worker->env().entries.Lookup(id);
  v8::Local<v8::Object> result;
  if (entry != nullptr &&
      (entry->reach != Entry::Reach::kGlobals || info[1]->IsTrue()) &&
      MakeEntry(info.GetIsolate(), ContextOf(info), *entry,
                worker->CompiledOf(id))
          .ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

// compileFunction(parameter, body) → function, also where eval is forbidden.
void CompileFunction(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::ScriptCompiler::Source source(info[1].As<v8::String>());
  v8::Local<v8::String> parameter = info[0].As<v8::String>();
  v8::Local<v8::Function> function;
  if (v8::ScriptCompiler::CompileFunction(isolate->GetCurrentContext(), &source,
                                          1, &parameter)
          .ToLocal(&function)) {
    info.GetReturnValue().Set(function);
  }
}

void Now(const Info& info) { info.GetReturnValue().Set(Realm::NowMs()); }

void RealmEnded(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->RealmEnded();
}

// defineShape(text) → id or -1
void DefineShape(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr || !info[0]->IsString()) {
    info.GetReturnValue().Set(-1);
    return;
  }
  v8::String::Value text(info.GetIsolate(), info[0]);
  info.GetReturnValue().Set(
      worker->env().shapes.Define({reinterpret_cast<const char16_t*>(*text),
                                   static_cast<size_t>(text.length())}));
}

// shapeText(id) → text
void ShapeText(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  const std::u16string text =
      worker->env().shapes.Lookup(static_cast<int32_t>(NumberAt(info, 0)));
  v8::Local<v8::String> string;
  if (v8::String::NewFromTwoByte(
          info.GetIsolate(), reinterpret_cast<const uint16_t*>(text.data()),
          v8::NewStringType::kNormal, static_cast<int>(text.size()))
          .ToLocal(&string)) {
    info.GetReturnValue().Set(string);
  }
}

// Natives of jobs that take, give or send more than a number.
constexpr NativeFunction kMoreFunctions[] = {
    {"message", Message},
    {"isError", IsError},
    {"compileFunction", CompileFunction},
    {"defineShape", DefineShape},
    {"shapeText", ShapeText},
};

// more() → the natives of runtime.more() in src/runtime/natives.js.
void More(const Info& info) { GiveFunctions(info, kMoreFunctions); }

// Natives that the start of a realm or an ordinary job calls.
constexpr NativeFunction kFunctions[] = {
    {"rare", Rare},
    {"more", More},
    {"next", Next},
    {"finish", Finish},
    {"done", Done},
    {"checkpoint", Checkpoint},
    {"afterCheckpoint", AfterCheckpoint},
    {"isPromise", IsPromise},
    {"compileEntry", CompileEntry},
    {"now", Now},
    {"realmEnded", RealmEnded},
    {"defineLazy", DefineLazy},
};

}  // namespace

v8::MaybeLocal<v8::Object> MakeNatives(v8::Isolate* isolate,
                                       v8::Local<v8::Context> context,
                                       int32_t realm_id,
                                       const PoolConfig& config) {
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Object> natives;
  if (!MakeFunctions(isolate, context, v8::Integer::New(isolate, realm_id),
                     {kFunctions})
           .ToLocal(&natives)) {
    return {};
  }
  v8::Local<v8::String> name;
  v8::Local<v8::String> json;
  v8::Local<v8::Value> options;
  if (!v8::String::NewFromUtf8(isolate, "options",
                               v8::NewStringType::kInternalized)
           .ToLocal(&name) ||
      !v8::String::NewFromTwoByte(
           isolate,
           reinterpret_cast<const uint16_t*>(config.realm_options.data()),
           v8::NewStringType::kNormal,
           static_cast<int>(config.realm_options.size()))
           .ToLocal(&json) ||
      !v8::JSON::Parse(context, json).ToLocal(&options) ||
      !natives->Set(context, name, options).FromMaybe(false)) {
    return {};
  }
  return scope.Escape(natives);
}

}  // namespace sloppy::workers

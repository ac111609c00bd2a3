#include "worker/natives.h"

#include <string>

#include "base/diagnostics_gen.h"
#include "isolate/builtin_script.h"
#include "isolate/isolate_host.h"
#include "isolate/modules/function_source.h"
#include "isolate/modules/module_loader.h"
#include "isolate/native_functions.h"
#include "isolate/v8_compat.h"
#include "worker/std_streams.h"
#include "worker/worker_thread.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

// The worker, or nullptr when the calling realm was replaced.
WorkerThread* WorkerOf(const Info& info) {
  auto* worker =
      static_cast<WorkerThread*>(IsolateHost::SlotOf(info.GetIsolate()));
  return worker->IsCurrentRealm(info.Data().As<v8::Int32>()->Value()) ? worker
                                                                      : nullptr;
}

v8::Local<v8::Context> ContextOf(const Info& info) {
  return info.GetIsolate()->GetCurrentContext();
}

// next() → boolean: a job is presented.
void Next(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr && worker->PresentNext());
}

// done(seq, status, detail, kind, number, slots, slotCount, text, more)
void Done(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  // Over the limit, it is ended for that.
  if (worker == nullptr || worker->memory().CheckAtEnd()) return;
  worker->jobs().Done(worker->texts(), ContextOf(info), NumberAt(info, 0),
                      static_cast<Diagnostic>(NumberAt(info, 1)),
                      static_cast<Detail>(NumberAt(info, 2)), PartsAt(info, 3));
}

// message(seq, channel, kind, number, slots, slotCount, text, more) → boolean
void Message(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(
      worker != nullptr && worker->WaitToSend() &&
      worker->jobs().Message(worker->texts(), ContextOf(info),
                             NumberAt(info, 0),
                             static_cast<uint32_t>(NumberAt(info, 1)),
                             worker->number(), PartsAt(info, 2)));
}

// checkpoint(): runs the microtasks that are waiting.
void Checkpoint(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->RunCheckpoint();
}

void IsPromise(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsPromise());
}

void IsGenerator(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsGeneratorObject());
}

void IsError(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsNativeError());
}

// compileEntry(id) → { kind, call }; throws what V8 throws.
void CompileEntry(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  const auto entry =
      worker->env().entries.Lookup(static_cast<uint32_t>(NumberAt(info, 0)));
  v8::Local<v8::Object> result;
  if (entry != nullptr &&
      MakeEntry(info.GetIsolate(), ContextOf(info), *entry).ToLocal(&result)) {
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

// importModule(path, isMain) → promise of the namespace; throws what V8 throws.
void ImportModule(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  v8::Local<v8::Value> result;
  if (worker->modules()
          ->ImportEntry(ContextOf(info), info[0].As<v8::String>(),
                        info[1]->IsTrue())
          .ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

// cancelledBy(seq) → Job::Cancel
void CancelledBy(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(static_cast<uint32_t>(
      worker == nullptr ? uint8_t{Job::kCancelled}
                        : worker->jobs().CancelledBy(NumberAt(info, 0))));
}

void Now(const Info& info) { info.GetReturnValue().Set(Realm::NowMs()); }

// setTimer(id, ms, repeat)
void SetTimer(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  worker->timers()->Start(NumberAt(info, 0),
                          static_cast<uint64_t>(NumberAt(info, 1)),
                          info[2]->IsTrue());
}

void ClearTimer(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->timers()->Stop(NumberAt(info, 0));
}

// refTimer(id, ref)
void RefTimer(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) {
    worker->timers()->SetRef(NumberAt(info, 0), info[1]->IsTrue());
  }
}

// hold(delta): something outside that may still settle a promise.
void Hold(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->Hold(static_cast<int>(NumberAt(info, 0)));
}

// listening(seq, on): a job's code waits for its cancellation.
void Listening(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) {
    worker->jobs().SetListening(NumberAt(info, 0), info[1]->IsTrue());
  }
}

// stopSelf(): ends the JavaScript that is executing, and its job with it.
void StopSelf(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  worker->jobs().RequestEnd();
  info.GetIsolate()->TerminateExecution();
}

// write(fd, text): to the process's stdout or stderr, whole and in order.
void Write(const Info& info) {
  v8::String::Utf8Value text(info.GetIsolate(), info[1]);
  if (*text == nullptr) return;
  WriteToStandardStream(static_cast<int>(NumberAt(info, 0)), *text,
                        static_cast<size_t>(text.length()));
}

// ownerListens() → boolean: to what nobody in the worker caught.
void OwnerListens(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr && worker->OwnerListens());
}

// grown(object, known, bufferOf) → over: a buffer or WebAssembly memory that
// V8 grows in place has just been made or has grown. True when the memory limit
// ends the execution.
void Grown(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr || !info[0]->IsObject()) return;
  MemoryLimit& memory = worker->memory();
  if (!info[1]->IsTrue()) {
    memory.growable().Add(info.GetIsolate(), info[0].As<v8::Object>(), info[2]);
  }
  info.GetReturnValue().Set(memory.CheckGrowable());
}

// memoryRefused(): WebAssembly code was refused what only the maximum that
// runtime/wasm-memory.js gave it forbids.
void MemoryRefused(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->memory().End();
}

// hidesMemory(bufferOf): a WebAssembly instance may have memory of its own.
void HidesMemory(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  worker->memory().growable().SetHidden(info[0], info.GetIsolate());
}

void IsWasmMemory(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsWasmMemoryObject());
}

// initBegins(timeoutMs) → boolean; see WorkerThread::BeginInit.
void InitBegins(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr &&
                            worker->BeginInit(NumberAt(info, 0)));
}

void InitEnds(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->EndInit();
}

// initFailure() → Detail
void InitFailure(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(static_cast<uint32_t>(
      worker == nullptr ? Detail::kNone : worker->TakeInitFailure()));
}

// queued() → jobs that wait for a worker of the pool.
void Queued(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(
      static_cast<double>(worker == nullptr ? 0 : worker->Queued()));
}

// presentInitData() → boolean: it is there to be decoded.
void PresentInitData(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr && worker->PresentInitData());
}

// presentReason(seq) → boolean: why the job was cancelled is there to be
// decoded.
void PresentReason(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr &&
                            worker->PresentReason(NumberAt(info, 0)));
}

void EndBegins(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->BeginEnd();
}

void RealmEnded(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->RealmEnded();
}

// code(id) → the stable code
void Code(const Info& info) {
  const std::string_view code =
      DiagnosticCode(static_cast<Diagnostic>(NumberAt(info, 0)));
  v8::Local<v8::String> text;
  if (v8::String::NewFromUtf8(info.GetIsolate(), code.data(),
                              v8::NewStringType::kNormal,
                              static_cast<int>(code.size()))
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
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

// rare() → the natives of src/runtime/natives.js.
void Rare(const Info& info);

// What starting a realm or running an ordinary job calls.
constexpr NativeFunction kFunctions[] = {
    {"rare", Rare},
    {"next", Next},
    {"done", Done},
    {"message", Message},
    {"checkpoint", Checkpoint},
    {"isPromise", IsPromise},
    {"isError", IsError},
    {"compileEntry", CompileEntry},
    {"compileFunction", CompileFunction},
    {"now", Now},
    {"realmEnded", RealmEnded},
    {"defineShape", DefineShape},
    {"shapeText", ShapeText},
    {"defineLazy", DefineLazy},
};

constexpr NativeFunction kRareFunctions[] = {
    {"isGenerator", IsGenerator},
    {"importModule", ImportModule},
    {"cancelledBy", CancelledBy},
    {"setTimer", SetTimer},
    {"clearTimer", ClearTimer},
    {"refTimer", RefTimer},
    {"hold", Hold},
    {"listening", Listening},
    {"stopSelf", StopSelf},
    {"write", Write},
    {"initBegins", InitBegins},
    {"initEnds", InitEnds},
    {"initFailure", InitFailure},
    {"presentInitData", PresentInitData},
    {"presentReason", PresentReason},
    {"queued", Queued},
    {"endBegins", EndBegins},
    {"ownerListens", OwnerListens},
    {"grown", Grown},
    {"hidesMemory", HidesMemory},
    {"memoryRefused", MemoryRefused},
    {"isWasmMemory", IsWasmMemory},
    {"code", Code},
    {"runBundle", RunBundle},
    {"hostNatives", HostNativesOf},
    {"loaderNatives", LoaderNativesOf},
};

void Rare(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Object> natives;
  if (MakeFunctions(isolate, ContextOf(info), info.Data(), {kRareFunctions})
          .ToLocal(&natives)) {
    info.GetReturnValue().Set(natives);
  }
}

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

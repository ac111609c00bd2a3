// The natives that most jobs never call.
#include <uv.h>

#include <cstring>
#include <iterator>
#include <string>

#include "base/diagnostics_gen.h"
#include "isolate/builtin_script.h"
#include "isolate/job_of_code.h"
#include "isolate/modules/module_loader.h"
#include "isolate/native_functions.h"
#include "isolate/new_buffer.h"
#include "isolate/payload_clone.h"
#include "worker/native_calls.h"
#include "worker/std_streams.h"

namespace sloppy::workers {
namespace {

using Info = NativeInfo;

void IsGenerator(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsGeneratorObject());
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

// cancelledBy(seq) → End
void CancelledBy(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(static_cast<uint32_t>(
      worker == nullptr ? End::kCancelled
                        : worker->jobs().CancelledBy(NumberAt(info, 0))));
}

// setTimer(id, ms, repeat)
void SetTimer(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  LoopTimers* timers = worker->OpenTimers();
  if (timers == nullptr) return;
  timers->Start(NumberAt(info, 0), static_cast<uint64_t>(NumberAt(info, 1)),
                info[2]->IsTrue());
}

LoopTimers* TimersOf(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  return worker == nullptr ? nullptr : worker->timers();
}

void ClearTimer(const Info& info) {
  if (LoopTimers* timers = TimersOf(info)) timers->Stop(NumberAt(info, 0));
}

// refTimer(id, ref)
void RefTimer(const Info& info) {
  if (LoopTimers* timers = TimersOf(info)) {
    timers->SetRef(NumberAt(info, 0), info[1]->IsTrue());
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

// stopSelf() → whether it ends the JavaScript that is executing, at the next
// check, and its job with it. Not that of a realm that was replaced.
void StopSelf(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr);
  if (worker != nullptr) {
    worker->EndExecution(End::kWorkerLost);
  }
}

// enterJob(seq): what is called from now on is that job's code.
void EnterJobOf(const Info& info) {
  EnterJob(info.GetIsolate(), NumberAt(info, 0));
}

// jobOfCode() → the number of the job whose code executes, or 0
void JobOf(const Info& info) {
  info.GetReturnValue().Set(JobOfCode(info.GetIsolate()));
}

// write(fd, text): to the process's stdout or stderr, whole and in order, as
// long as the job may go on.
void Write(const Info& info) {
  v8::String::Utf8Value text(info.GetIsolate(), info[1]);
  if (*text == nullptr) return;
  const WorkerThread* worker = WorkerOf(info);
  WriteToStandardStream(static_cast<int>(NumberAt(info, 0)), *text,
                        static_cast<size_t>(text.length()), [worker] {
                          return worker != nullptr && worker->MayGoOn();
                        });
}

// shareConsole(console): debuggers are told what it prints.
void ShareConsole(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr && info[0]->IsObject()) {
    worker->ShareConsole(ContextOf(info), info[0].As<v8::Object>());
  }
}

// ownerListens() → boolean: to what nobody in the worker caught.
void OwnerListens(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr && worker->OwnerListens());
}

// ownerHears() → boolean: what the worker prints.
void OwnerHears(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr && worker->OwnerHears());
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

// hidesMemory(instance, bufferOf): it may have memory of its own.
void HidesMemory(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr || !info[0]->IsObject()) return;
  worker->memory().growable().SetHidden(info.GetIsolate(),
                                        info[0].As<v8::Object>(), info[1]);
}

void IsWasmMemory(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsWasmMemoryObject());
}

// wasmBytes(value) → ArrayBuffer: a copy of the bytes that a WebAssembly.Module
// was compiled of; undefined for any other value.
void WasmBytes(const Info& info) {
  if (!info[0]->IsWasmModuleObject()) return;
  v8::CompiledWasmModule code =
      info[0].As<v8::WasmModuleObject>()->GetCompiledModule();
  const v8::MemorySpan<const uint8_t> bytes = code.GetWireBytesRef();
  v8::Local<v8::ArrayBuffer> buffer;
  if (!NewBuffer(info.GetIsolate(), bytes.size()).ToLocal(&buffer)) return;
  if (bytes.size() != 0) {
    std::memcpy(buffer->Data(), bytes.data(), bytes.size());
  }
  info.GetReturnValue().Set(buffer);
}

// initBegins(timeoutMs) → boolean; see WorkerThread::BeginInit.
void InitBegins(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr &&
                            worker->BeginInit(NumberAt(info, 0)));
}

// initEnds(succeeded)
void InitEnds(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->EndInit(info[0]->IsTrue());
}

// initFailure() → Detail
void InitFailure(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(static_cast<uint32_t>(
      worker == nullptr ? Detail::kNone : worker->TakeInitFailure()));
}

// wantsInit() → boolean; see WorkerThread::WantsInit.
void WantsInit(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr && worker->WantsInit());
}

// failing(on): see WorkerThread::BeginFailing.
void Failing(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  info[0]->IsTrue() ? worker->BeginFailing() : worker->EndFailing();
}

// spoil(): a start has failed, and its modules would fail again.
void Spoil(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->jobs().SpoilRealm();
}

// presentInitData() → boolean: it is there to be decoded.
void PresentInitData(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr && worker->PresentInitData());
}

// sharesOf(seq) → the number of what is shared with the job; 0 for nothing.
void SharesOf(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(
      worker == nullptr ? 0 : worker->jobs().SharesOf(NumberAt(info, 0)));
}

// presentShared(number, counts) → SharedAnswer
void PresentShared(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  const auto number = static_cast<uint32_t>(NumberAt(info, 0));
  const auto answer = worker == nullptr
                          ? wire::SharedAnswer::kGone
                          : worker->PresentShared(number, info[1]->IsTrue());
  info.GetReturnValue().Set(static_cast<uint32_t>(answer));
}

// hasShared(number) → boolean
void HasShared(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  const auto number = static_cast<uint32_t>(NumberAt(info, 0));
  info.GetReturnValue().Set(worker != nullptr && worker->HasShared(number));
}

// sharesGone(): see WorkerThread::SharesGone.
void SharesGone(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->SharesGone();
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

// What lib/executors/isolate/process-facts.js wrote.
void ReturnText(const Info& info, const std::u16string& written) {
  v8::Local<v8::String> text;
  if (v8::String::NewFromTwoByte(
          info.GetIsolate(), reinterpret_cast<const uint16_t*>(written.data()),
          v8::NewStringType::kNormal, static_cast<int>(written.size()))
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

// processFacts() → JSON
void ProcessFacts(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) ReturnText(info, worker->process_facts());
}

// systemNumbers() → JSON
void SystemNumbers(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) ReturnText(info, worker->system_numbers());
}

// used(name): a job's code has asked for that built-in.
void Used(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  v8::String::Utf8Value name(info.GetIsolate(), info[0]);
  if (worker == nullptr || *name == nullptr) return;
  worker->NoteUsed({*name, static_cast<size_t>(name.length())});
}

// threadId() → see WorkerThread::thread_id; 1 in a realm that was replaced
void ThreadId(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker == nullptr ? 1 : worker->thread_id());
}

// identity() → [number, place, threadId, pid] of the worker; undefined in a
// realm that was replaced
void Identity(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  v8::Isolate* isolate = info.GetIsolate();
  const auto number = [isolate](double value) -> v8::Local<v8::Value> {
    return v8::Number::New(isolate, value);
  };
  v8::Local<v8::Value> all[] = {
      number(worker->number()), number(worker->place()),
      number(worker->thread_id()), number(uv_os_getpid())};
  info.GetReturnValue().Set(v8::Array::New(isolate, all, std::size(all)));
}

// cloneNatives() → the functions of payload_clone.h
void CloneNativesOf(const Info& info) {
  v8::Local<v8::Object> natives;
  if (MakeFunctions(info.GetIsolate(), ContextOf(info), info.Data(),
                    {PayloadCloneNatives()})
          .ToLocal(&natives)) {
    info.GetReturnValue().Set(natives);
  }
}

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
    {"enterJob", EnterJobOf},
    {"jobOfCode", JobOf},
    {"write", Write},
    {"shareConsole", ShareConsole},
    {"wasmBytes", WasmBytes},
    {"initBegins", InitBegins},
    {"initEnds", InitEnds},
    {"initFailure", InitFailure},
    {"presentInitData", PresentInitData},
    {"presentReason", PresentReason},
    {"sharesOf", SharesOf},
    {"presentShared", PresentShared},
    {"hasShared", HasShared},
    {"sharesGone", SharesGone},
    {"wantsInit", WantsInit},
    {"failing", Failing},
    {"spoil", Spoil},
    {"endBegins", EndBegins},
    {"ownerListens", OwnerListens},
    {"ownerHears", OwnerHears},
    {"grown", Grown},
    {"hidesMemory", HidesMemory},
    {"memoryRefused", MemoryRefused},
    {"isWasmMemory", IsWasmMemory},
    {"code", Code},
    {"processFacts", ProcessFacts},
    {"systemNumbers", SystemNumbers},
    {"used", Used},
    {"threadId", ThreadId},
    {"identity", Identity},
    {"runBundle", RunBundle},
    {"hostNatives", HostNativesOf},
    {"loaderNatives", LoaderNativesOf},
    {"cloneNatives", CloneNativesOf},
};

}  // namespace

void Rare(const NativeInfo& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Object> natives;
  if (MakeFunctions(isolate, ContextOf(info), info.Data(), {kRareFunctions})
          .ToLocal(&natives)) {
    info.GetReturnValue().Set(natives);
  }
}

}  // namespace sloppy::workers

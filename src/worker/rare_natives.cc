// The natives that most jobs never call.
#include <uv.h>

#include <iterator>
#include <string>

#include "base/diagnostics_gen.h"
#include "isolate/builtin_script.h"
#include "isolate/job_of_code.h"
#include "isolate/modules/module_loader.h"
#include "isolate/native_functions.h"
#include "isolate/payload_clone.h"
#include "isolate/wasm_natives.h"
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

// setTimer(id, ms)
void SetTimer(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr) return;
  LoopTimers* timers = worker->OpenTimers();
  if (timers == nullptr) return;
  timers->Start(NumberAt(info, 0), static_cast<uint64_t>(NumberAt(info, 1)));
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

// isTurnDue() → whether a timer or an immediate would run now
void IsTurnDue(const Info& info) {
  const LoopTimers* timers = TimersOf(info);
  info.GetReturnValue().Set(timers != nullptr && timers->IsDue());
}

// hold(delta): something outside that may still settle a promise.
void Hold(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->Hold(static_cast<int>(NumberAt(info, 0)));
}

// hearAgain(on): code hears of promises that are settled once more.
void HearAgain(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->HearAgain(info[0]->IsTrue());
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

// ownerListens() → boolean: to errors that nobody in the worker caught.
void OwnerListens(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr && worker->OwnerListens());
}

// ownerHears() → boolean: what the worker prints.
void OwnerHears(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  info.GetReturnValue().Set(worker != nullptr && worker->OwnerHears());
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

// processFacts() → JSON, which lib/executors/isolate/process-facts.js wrote
void ProcessFacts(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) GiveText(info, worker->process_facts());
}

// systemNumbers() → JSON
void SystemNumbers(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) GiveText(info, worker->system_numbers());
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
  GiveFunctions(info, PayloadCloneNatives());
}

constexpr NativeFunction kRareFunctions[] = {
    {"isGenerator", IsGenerator},
    {"importModule", ImportModule},
    {"cancelledBy", CancelledBy},
    {"setTimer", SetTimer},
    {"clearTimer", ClearTimer},
    {"isTurnDue", IsTurnDue},
    {"refTimer", RefTimer},
    {"hold", Hold},
    {"listening", Listening},
    {"hearAgain", HearAgain},
    {"stopSelf", StopSelf},
    {"enterJob", EnterJobOf},
    {"jobOfCode", JobOf},
    {"write", Write},
    {"shareConsole", ShareConsole},
    {"presentReason", PresentReason},
    {"sharesOf", SharesOf},
    {"presentShared", PresentShared},
    {"hasShared", HasShared},
    {"sharesGone", SharesGone},
    {"ownerListens", OwnerListens},
    {"ownerHears", OwnerHears},
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
  if (MakeFunctions(
          isolate, ContextOf(info), info.Data(),
          {kRareFunctions, LifeNatives(), MemoryNatives(), WasmNatives()})
          .ToLocal(&natives)) {
    info.GetReturnValue().Set(natives);
  }
}

}  // namespace sloppy::workers

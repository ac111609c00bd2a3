// Natives by which a realm begins and ends without a job: `init`, its failure,
// `dispose`. They stand apart because WorkerThread has limits of its own then.
#include "isolate/native_functions.h"
#include "worker/native_calls.h"

namespace sloppy::workers {
namespace {

using Info = NativeInfo;

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

// endBegins(): see WorkerThread::BeginEnd.
void EndBegins(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->BeginEnd();
}

constexpr NativeFunction kLifeFunctions[] = {
    {"initBegins", InitBegins},
    {"initEnds", InitEnds},
    {"initFailure", InitFailure},
    {"presentInitData", PresentInitData},
    {"wantsInit", WantsInit},
    {"failing", Failing},
    {"spoil", Spoil},
    {"endBegins", EndBegins},
};

}  // namespace

NativeFunctions LifeNatives() { return kLifeFunctions; }

}  // namespace sloppy::workers

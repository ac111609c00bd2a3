// The isolates and realms of one worker, one after the other: how each is made,
// what decides that the next one is needed, and what is kept of it for later
// workers.

#include <memory>
#include <utility>

#include "isolate/embedded_code.h"
#include "isolate/job_of_code.h"
#include "worker/worker_thread.h"

namespace sloppy::workers {

WorkerThread::Next WorkerThread::RunIsolate() {
  const IsolateHost::Options options = {
      pool_->config.memory_limit_bytes, kStackBytes, OnOutOfMemory,
      pool_->config.isolation == Isolation::kIsolate, &interrupted_};
  Next next = Next::kLeave;
  if (session_.Open(platform_, this, this, options)) {
    v8::Isolate* isolate = session_.isolate();
    v8::Isolate::Scope entered(isolate);
    v8::HandleScope scope(isolate);
    if (!pool_->config.allow_wasm) {
      isolate->SetAllowWasmCodeGenerationCallback(
          [](v8::Local<v8::Context>, v8::Local<v8::String>) { return false; });
    }
    session_.LendScratch();
    if (!pool_->config.code_directory.empty()) {
      ReadEmbeddedFrom(pool_->config.code_directory);
    }
    debugging_.IsolateMade(isolate);
    // Isolates that come one after the other do without, because cores are busy
    // then and another thread only adds to that.
    if (pool_->config.isolation != Isolation::kIsolate &&
        !(RuntimeMayWait() && pool_->queue.HasWork())) {
      session_.bootstrap()->ReadAhead(platform_);
    }
    jobs_.IsolateRenewed();
    ModuleLoader::Install(isolate, FindModules);
    isolate->SetPromiseRejectCallback(OnRejection);
    isolate->SetModifyCodeGenerationFromStringsCallback(OnCodeFromString);
    session_.Show();
    stack_is_deep_ = true;
    bool fresh = true;
    do {
      v8::HandleScope realm_scope(isolate);
      next = RunRealm(std::exchange(fresh, false));
      DisposeRealm();
    } while (next == Next::kNewRealm);
    inspection_.End(isolate);
    debugging_.IsolateGoes();
  }
  session_.Hide();
  // Close callbacks of timers run while the isolate still exists.
  loop_.TurnNow();
  session_.Close();
  return next;
}

bool WorkerThread::CreateRealm() {
  holds_ = 0;
  loaded_ahead_ = 0;
  pool_->used_builtins.CountRealm();
  jobs_.RealmRenewed();
  has_strays_.store(false);
  if (jobs_.BeginFresh()) PostFresh();
  if (!session_.OpenRealm(pool_->config)) return false;
  // A debugger may attach from here on.
  if (debugging_.has_inspector()) {
    session_.bootstrap()->FinishReading();
    modules()->WatchLinks([this](bool links) { debugging_.SetLinking(links); });
  }
  debugging_.ContextMade(realm()->context());
  return true;
}

void WorkerThread::DisposeRealm() {
  if (!Unusable()) {
    RememberCode();
    // The process may end with the last worker.
    if (!jobs_.leave() || modules()->source().compiled().has_directory()) {
      KeepModuleCode();
    }
  }
  in_realm_.store(false, std::memory_order_relaxed);
  if (realm() != nullptr) {
    debugging_.ContextGoes(realm()->context(), !Unusable());
  }
  session_.CloseRealm();
}

WorkerThread::Next WorkerThread::RunWithoutRealm(bool isolate_is_fresh) {
  if (interrupted_.load()) return AfterTermination();
  // The heap may be full of earlier jobs' leftovers.
  if (!isolate_is_fresh) return Next::kNewIsolate;
  // Its limits leave no room even for the runtime.
  if (jobs_.Next() != nullptr) {
    jobs_.Fail(End::kMemoryLimit);
  } else if (!jobs_.leave() && pool_->queue.BeginIdle(this)) {
    gate_.Sleep();
  }
  return jobs_.leave() ? Next::kLeave : Next::kNewIsolate;
}

WorkerThread::Next WorkerThread::RunRealm(bool isolate_is_fresh) {
  if (!CreateRealm()) return RunWithoutRealm(isolate_is_fresh);
  v8::HandleScope scope(session_.isolate());
  v8::Context::Scope entered(realm()->context());
  call_terminated_ = ended_in_microtasks_ = init_done_ = false;
  // The last realm's code may have left its job there.
  EnterJob(session_.isolate(), 0);
  SetBusy(Busy::kNo);
  debugging_.AwaitDebugger();
  for (;;) {
    // Before any JavaScript, which they would interrupt: there no expression
    // may pause.
    debugging_.Run();
    if (!call_terminated_ && jobs_.can_take()) Note(Serve());
    if (Terminated()) {
      return realm()->has_runtime() || jobs_.realm_used()
                 ? AfterTermination()
                 : RunWithoutRealm(isolate_is_fresh);
    }
    RunInspection();
    if (jobs_.leave()) {
      EndRealm();
      return Next::kLeave;
    }
    if (!jobs_.running() && (IsolateIsUsedUp() || debugging_.NeedsIsolate())) {
      // Others take the next jobs meanwhile.
      pool_->queue.EndIdle(this);
      EndRealm();
      return Next::kNewIsolate;
    }
    if (!jobs_.running() && jobs_.realm_spoilt()) {
      EndRealm();
      return HasLastRealm() ? Next::kNewIsolate : Next::kNewRealm;
    }
    // The jobs that await may end; then the isolate is renewed.
    if (jobs_.running() && jobs_.can_take() && IsolateIsUsedUp()) {
      jobs_.UseUpIsolate();
    }
    if (!jobs_.running() && jobs_.realm_used() &&
        pool_->config.isolation != Isolation::kWorker) {
      EndRealm();
      const bool same = pool_->config.isolation == Isolation::kContext &&
                        !HasLastRealm() &&
                        !std::exchange(ended_in_task_, false);
      return same ? Next::kNewRealm : Next::kNewIsolate;
    }
    if (!SettleOrWait()) return AfterTermination();
  }
}

// Serves later workers, once a job has run here.
void WorkerThread::RememberCode() {
  if (realm() == nullptr || !realm()->has_runtime() || !jobs_.realm_used()) {
    return;
  }
  if (realm()->has_globals()) {
    pool_->uses_globals.store(true, std::memory_order_relaxed);
  }
  session_.bootstrap()->Remember(realm()->parts());
  modules()->bundles().StoreGrown();
}

// Includes the functions that jobs have had compiled.
void WorkerThread::KeepModuleCode() {
  if (realm() == nullptr || !jobs_.realm_used()) return;
  CompiledCode& compiled = modules()->source().compiled();
  compiled.StoreGrown();
  if (compiled.has_directory()) KeepEmbedded();
}

}  // namespace sloppy::workers

// Waits of a worker while no JavaScript runs: for its loop, with a spin,
// asleep.
#include <atomic>
#include <cstdint>
#include <string>

#include "base/pages.h"
#include "payload/block_cache.h"
#include "worker/worker_thread.h"

namespace sloppy::workers {

// Nothing can be done now: waits for the loop, or for a job.
bool WorkerThread::SettleOrWait() {
  RunTasks();
  ReadMail();
  EndParked();
  if (Terminated()) return false;
  if (LoopIsLive()) return TurnLoop();
  if (jobs_.running()) {
    // Microtasks of a cancellation announced just now may still settle it.
    RunWholeCheckpoint();
    if (Terminated()) return false;
    if (jobs_.running() && !LoopIsLive()) {
      jobs_.FailAll(End::kNeverSettles);
    }
    return true;
  }
  if (pool_->config.announce_idle) {
    Note(realm()->OnIdle());
    RunWholeCheckpoint();
    if (Terminated()) return false;
    if (jobs_.running() || LoopIsLive() ||
        session_.tasks().NextDelayMs() == 0) {
      return true;
    }
  }
  // An init that failed may leave a job, for which no thread would wake us.
  if (jobs_.has_taken()) return true;
  RememberCode();
  if (LoadAhead()) return !Terminated();
  ReleaseMemoryIfAsked();
  if (Terminated()) return false;
  SleepUntilWoken();
  return true;
}

// Loads the next built-in that this pool's jobs have used, so that no later job
// waits for that. One at a time, because a job may come meanwhile; others take
// it. False if there is none. Not under a debugger, which could pause in it,
// and not where what jobs have left might be lost for it.
bool WorkerThread::LoadAhead() {
  UsedBuiltins& used = pool_->used_builtins;
  if (!used.HasFrom(loaded_ahead_) || !realm()->has_runtime() ||
      debugging_.has_inspector()) {
    return false;
  }
  if (IsolateIsCrowded()) {
    loaded_ahead_ = SIZE_MAX;
    return false;
  }
  const std::string name = used.Next(&loaded_ahead_);
  if (name.empty()) return false;
  pool_->queue.EndIdle(this);
  Note(realm()->OnLoadAhead(name));
  if (!Terminated()) RunWholeCheckpoint();
  if (Unusable() || IsolateIsUsedUp()) used.Stop();
  return true;
}

// Only if it has slept since its last job. Meanwhile it is not idle to its
// pool, so that other workers take the next jobs.
void WorkerThread::ReleaseMemoryIfAsked() {
  if (std::exchange(shares_gone_, false)) {
    pool_->queue.EndIdle(this);
    memory().CollectDropped();
  }
  const bool slept = std::exchange(slept_after_, jobs_.seq()) == jobs_.seq();
  if (!must_release_.exchange(false, std::memory_order_relaxed) || !slept) {
    return;
  }
  pool_->queue.EndIdle(this);
  // V8 drops code when it collects everything.
  KeepModuleCode();
  memory().CollectAll();
  stack_is_deep_ = true;
}

// Spins before it sleeps while that has lately paid off. Only one worker spins
// at a time, because a spinning core is lost to all other threads. The line
// that falls without it: round-trip of bench/.
void WorkerThread::SleepUntilWoken() {
  // Its owner is what it waits for, and not the jobs that are there.
  if (!waits_for_owner() && Spin()) return;
  if (!pool_->queue.BeginIdle(this)) return;
  const int64_t now = MonotonicNow();
  if (BlockCache::Process().MayKeep(now)) {
    pool_->env->watchdog.Arm(now + BlockCache::kKeepFor);
  }
  GiveStack();
  gate_.Sleep();
}

// V8 goes deepest when it makes an isolate and when it collects.
void WorkerThread::GiveStack() {
  constexpr size_t kDeepest = kStackBytes / 2;
  if (std::exchange(stack_is_deep_, false)) GiveStackBelow(kDeepest);
}

bool WorkerThread::Spin() {
  static std::atomic<int> spinners{0};
  if (pool_->config.spin_ns <= 0 || !spinning_.MayTry()) return false;
  bool paid = false;
  if (spinners.fetch_add(1, std::memory_order_relaxed) == 0) {
    paid = gate_.Spin(pool_->config.spin_ns,
                      [this] { return pool_->queue.HasWork(); });
    paid ? spinning_.Paid() : spinning_.Failed();
  }
  spinners.fetch_sub(1, std::memory_order_relaxed);
  return paid;
}

// The order matters, because a background task posts its result before it ends.
bool WorkerThread::HasTasks() {
  return session_.isolate()->HasPendingBackgroundTasks() ||
         session_.tasks().NextDelayMs() == 0;
}

bool WorkerThread::LoopIsLive() {
  return holds_ > 0 || loop_.alive() || jobs_.AwaitsCancellation() ||
         ((jobs_.running() || busy_ != Busy::kNo) && HasTasks());
}

bool WorkerThread::TurnLoop() {
  if (loop_.Open(interrupted_) == nullptr) return false;
  // First of all, because of (5).
  in_loop_.store(true);
  RunInspection();
  const int64_t delay = session_.tasks().NextDelayMs();
  if (delay >= 0) loop_.Limit(static_cast<uint64_t>(delay));
  turns_.fetch_add(1, std::memory_order_relaxed);
  if (interrupted_.load() || mailbox_.has_mail() || HasCancelToAnnounce() ||
      jobs_.CancelledParked() != 0) {
    loop_.Wake();
  }
  // Work that was submitted before `in_loop_` was set. Not while the realm is
  // prepared: then a job must not wake this worker instead of an idle one.
  if (jobs_.can_take() && busy_ == Busy::kNo) {
    const double before = jobs_.seq();
    Note(Serve());
    const bool begun = jobs_.seq() != before && jobs_.running();
    if (call_terminated_ || jobs_.leave() || begun || jobs_.has_taken() ||
        (jobs_.realm_spoilt() && !jobs_.running()) ||
        (jobs_.can_take() && !pool_->queue.BeginIdle(this))) {
      loop_.Wake();
    }
  }
  loop_.Turn();
  in_loop_.store(false);
  turns_.fetch_add(1, std::memory_order_relaxed);
  if (Terminated()) return false;
  RunTasks();
  ReadMail();
  RunCheckpoint();
  AnnounceCancel();
  EndParked();
  jobs_.NewTurn();
  return !Terminated();
}

// A task of V8's that is ended in the middle may leave a promise that throws
// the termination again, whenever code awaits it (V8 11, the start function of
// a WebAssembly module). So the isolate is not used any more.
void WorkerThread::RunTasks() {
  if (Terminated()) return;
  const auto goes_on = [this] { return !Terminated(); };
  if (!session_.tasks().RunDue(goes_on)) return;
  if (Terminated()) {
    ended_in_task_ = true;
  } else {
    RunWholeCheckpoint();
  }
}

}  // namespace sloppy::workers

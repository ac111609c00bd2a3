// Ends of a worker: of jobs that were cancelled, of a realm or isolate after a
// termination, and of the thread itself.
#include <limits>
#include <utility>

#include "base/limits_clock.h"
#include "worker/worker_thread.h"

namespace sloppy::workers {
namespace {

// The time in which the modules of a realm may clear up.
constexpr int64_t kEndTimeout = 5'000'000'000;

}  // namespace

void WorkerThread::BeginEnd() {
  pool_->queue.BeginEnd(this, LimitsClock::Now() + kEndTimeout);
  pool_->env->watchdog.Arm(MonotonicNow() + JobQueue::kLookEvery);
}

// Lets the modules of the realm clear up, until that is terminated or nothing
// is left that they can wait for.
void WorkerThread::EndRealm() {
  bool going_on = true;
  if (realm()->has_runtime()) {
    SetBusy(Busy::kEnd);
    going_on = realm()->OnEnd();
  }
  while (going_on && busy_ == Busy::kEnd && !Terminated()) {
    RunTasks();
    ReadMail();
    RunWholeCheckpoint();
    if (busy_ != Busy::kEnd || Terminated() || !LoopIsLive()) break;
    going_on = TurnLoop();
  }
  SetBusy(Busy::kNo);
  pool_->queue.EndOwn(this);
  if (interrupted_.exchange(false) || call_terminated_ || !going_on) {
    session_.ClearTermination();
  }
  call_terminated_ = false;
}

// Counts the heap and buffers, dead or alive.
double WorkerThread::UsedBytes() {
  v8::HeapStatistics statistics;
  session_.isolate()->GetHeapStatistics(&statistics);
  return static_cast<double>(statistics.used_heap_size() +
                             session_.memory().external_bytes());
}

bool WorkerThread::IsolateIsUsedUp() {
  if (jobs_.isolate_used_up()) return true;
  const double limit = pool_->config.recycle_above_bytes;
  return limit != std::numeric_limits<double>::infinity() &&
         UsedBytes() > limit;
}

// The leftovers of a terminated job must not end the next one.
bool WorkerThread::IsolateIsCrowded() {
  return UsedBytes() >
         static_cast<double>(pool_->config.memory_limit_bytes) / 2;
}

bool WorkerThread::HasCancelToAnnounce() const {
  return jobs_.has_current() && announced_ != jobs_.seq() &&
         jobs_.CancelledBy(jobs_.seq()) != End::kNone;
}

// Announces the cancellation of jobs that await, and ends them when their time
// is over. Later calls of their functions are ignored.
void WorkerThread::EndParked() {
  for (;;) {
    const double seq = jobs_.CancelledParked();
    if (seq == 0 || Terminated()) return;
    if (jobs_.MustAnnounce(seq)) {
      Note(realm()->OnCancel(seq));
      RunWholeCheckpoint();
    } else {
      jobs_.EndCancelled(seq);
      has_strays_.store(true);
      Note(realm()->OnOver(seq));
    }
  }
}

// Fires the abort listeners of a job that was cancelled with a grace period.
void WorkerThread::AnnounceCancel() {
  if (Terminated() || !HasCancelToAnnounce()) return;
  announced_ = jobs_.seq();
  Note(realm()->OnCancel(jobs_.seq()));
  RunWholeCheckpoint();
}

WorkerThread::Next WorkerThread::AfterTermination() {
  const bool unusable = Unusable();
  const bool exceeded = std::exchange(microtasks_exceeded_, false);
  // The work that a start leaves behind is its own, although it has succeeded:
  // it would end the next realm the same way, and waiting jobs would never
  // begin.
  const bool left_by_start = init_done_ && !jobs_.realm_used() &&
                             !jobs_.has_taken() &&
                             !pool_->queue.IsTerminated(this);
  if (busy_ == Busy::kInit || left_by_start) {
    init_failure_ = unusable   ? Detail::kMemoryLimit
                    : exceeded ? Detail::kMicrotaskBound
                               : Detail::kInitEnded;
    EndInit(false);
  }
  do {
    const End found = unusable              ? End::kMemoryLimit
                      : interrupted_.load() ? End::kWorkerLost
                                            : End::kMicrotaskBound;
    jobs_.EndTerminated(found, std::exchange(ended_in_microtasks_, false));
    interrupted_.store(false);
    call_terminated_ = false;
    session_.ClearTermination();
    // A job that was taken together with the end of the last one may have
    // been terminated before it began: then the termination just cleared
    // was its own.
  } while (pool_->queue.IsTerminated(this));
  if (jobs_.leave()) return Next::kLeave;
  if (unusable && pool_->config.ends_with_isolate) {
    // The owner must know that the isolate is lost, and no job's end says so.
    exit_why_ = Diagnostic::kResourceLimit;
    return Next::kLeave;
  }
  const bool renews = HasLastRealm() || std::exchange(ended_in_task_, false) ||
                      (!pool_->config.ends_with_isolate && IsolateIsCrowded());
  return renews ? Next::kNewIsolate : Next::kNewRealm;
}

void WorkerThread::GiveUp() {
  // V8 answers nothing any more.
  heap_peak_.Drop();
  debugging_.StopHolding();
  if (busy_ == Busy::kInit && jobs_.Next() != nullptr) {
    // Otherwise the worker that takes this one's place would end the same way,
    // and the job never.
    jobs_.Fail(End::kNoRealm);
  }
  jobs_.FailAll(End::kMemoryLimit);
  exit_why_ = Diagnostic::kResourceLimit;
  session_.Hide();
  given_up_.store(true, std::memory_order_release);
  PostExit();
  for (;;) uv_sleep(1000 * 3600);
}

void WorkerThread::PostExit() {
  pool_->queue.Leave(this);
  PostEvent(WorkerEvent::Kind::kExited);
}

}  // namespace sloppy::workers

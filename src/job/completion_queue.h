// Finished jobs and worker events on their way to one owner thread.
//
// Many workers post, one owner takes everything at once. The owner is woken
// only when the queue was empty: one wake a batch, whatever its size.
#ifndef SLOPPY_WORKERS_JOB_COMPLETION_QUEUE_H_
#define SLOPPY_WORKERS_JOB_COMPLETION_QUEUE_H_

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "job/job_list.h"

namespace sloppy::workers {

// Something a worker tells its owner that is not a job's end.
struct WorkerEvent {
  enum class Kind : uint8_t { kMessage = 1, kExited = 2 };
  Kind kind = Kind::kMessage;
  uint32_t pool = 0;     // Pool id in the owner's tables.
  double target = 0;     // kMessage: job slot, or -1 for the worker itself.
  uint32_t channel = 0;  // kMessage: as in Mail.
  PoolWorker* worker = nullptr;  // kExited: who.
  Payload payload;
};

// Wakes the owner. Implemented in binding/ by a threadsafe function.
class OwnerWaker {
 public:
  virtual ~OwnerWaker() = default;
  // Any thread, the queue's mutex held. Must not block.
  virtual void WakeOwner() = 0;
};

class CompletionQueue {
 public:
  // Events beyond these have to wait for the owner (WaitForRoom), so that a
  // worker that never stops sending cannot fill the process.
  static constexpr size_t kMaxEvents = 1024;
  static constexpr size_t kMaxEventBytes = size_t{16} << 20;

  explicit CompletionQueue(OwnerWaker* waker) : waker_(waker) {}

  // Any thread. Takes over the job (or the event).
  void Post(Job* job) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    jobs_.PushBack(job);
    Signal();
  }
  void PostEvent(std::unique_ptr<WorkerEvent> event) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    event_bytes_ += event->payload.ByteSize();
    events_.push_back(std::move(event));
    Signal();
  }

  // Owner. Nobody is woken any more: the environment has ended, and a thread
  // that could not be stopped may still post.
  void Detach() SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    waker_ = nullptr;
  }

  // Owner. Appends everything that has arrived; the next Post wakes again.
  void TakeAll(JobList* jobs, std::vector<std::unique_ptr<WorkerEvent>>* events)
      SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (jobs->empty()) {
      std::swap(*jobs, jobs_);
    } else {
      while (Job* job = jobs_.PopFront()) jobs->PushBack(job);
    }
    if (!events_.empty()) room_.NotifyAll();
    for (auto& event : events_) events->push_back(std::move(event));
    events_.clear();
    event_bytes_ = 0;
    signalled_ = false;
    pending_.store(false, std::memory_order_relaxed);
  }

  // Worker, before PostEvent. Waits until the owner has read enough; false
  // when `interrupted` was set instead, see Interrupt().
  bool WaitForRoom(const std::atomic<bool>& interrupted) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (events_.size() >= kMaxEvents || event_bytes_ >= kMaxEventBytes) {
      if (interrupted.load()) return false;
      room_.Wait(mutex_);
    }
    return true;
  }
  // Any thread, after it set what a WaitForRoom looks at.
  void Interrupt() SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    room_.NotifyAll();
  }

  // Any thread. A hint without the lock: is there something to take?
  bool MaybePending() const { return pending_.load(std::memory_order_acquire); }

 private:
  void Signal() SW_REQUIRES(mutex_) {
    pending_.store(true, std::memory_order_release);
    if (signalled_ || waker_ == nullptr) return;
    signalled_ = true;
    // Under the lock, so that Detach() cannot pull the waker away meanwhile.
    waker_->WakeOwner();
  }

  std::atomic<bool> pending_{false};
  Mutex mutex_;
  CondVar room_;
  OwnerWaker* waker_ SW_GUARDED_BY(mutex_);
  JobList jobs_ SW_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<WorkerEvent>> events_ SW_GUARDED_BY(mutex_);
  size_t event_bytes_ SW_GUARDED_BY(mutex_) = 0;
  bool signalled_ SW_GUARDED_BY(mutex_) = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_COMPLETION_QUEUE_H_

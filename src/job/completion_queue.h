// Finished jobs and worker events on their way to one owner thread.
//
// Many workers post, one owner takes everything at once.
#ifndef SLOPPY_WORKERS_JOB_COMPLETION_QUEUE_H_
#define SLOPPY_WORKERS_JOB_COMPLETION_QUEUE_H_

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "base/cpu.h"
#include "base/mutex.h"
#include "job/job.h"

namespace sloppy::workers {

// Something a worker tells its owner that is not a job's end.
struct WorkerEvent {
  enum class Kind : uint8_t {
    kMessage = 1,
    kExited = 2,
    kStarted = 3,
    kJobStarted = 4,
  };
  Kind kind = Kind::kMessage;
  uint32_t pool = 0;     // Pool id in the owner's tables.
  double target = 0;     // Job slot; kMessage: or minus a worker's number.
  uint32_t channel = 0;  // kMessage: as in Mail.
  // kExited: who; the payload is a Diagnostic, why.
  PoolWorker* worker = nullptr;
  Payload payload;
};

// Wakes the owner if it sleeps. Implemented in binding/owner_loop.h.
class OwnerWaker {
 public:
  virtual ~OwnerWaker() = default;
  // Any thread, after what it has posted shows in MaybePending().
  virtual void WakeOwner() = 0;
};

class CompletionQueue {
 public:
  // Events beyond these have to wait for the owner (WaitForRoom), so that a
  // worker that never stops sending cannot fill the process.
  static constexpr size_t kMaxEvents = 1024;
  static constexpr size_t kMaxEventBytes = size_t{16} << 20;

  explicit CompletionQueue(std::shared_ptr<OwnerWaker> waker)
      : waker_(std::move(waker)) {}

  // Any thread. Takes over the job (or the event). How many jobs the owner has
  // not taken, about.
  size_t Post(Job* job) SW_EXCLUDES(mutex_) {
    // Its worker's jobs before it are taken first: while there are more than
    // one, they stand in the list and not here.
    if (!many_.load()) {
      core_.store(CurrentCore(), std::memory_order_relaxed);
      Job* none = nullptr;
      if (one_.compare_exchange_strong(none, job)) {
        waker_->WakeOwner();
        return 1;
      }
    }
    {
      MutexLock lock(mutex_);
      jobs_.push_back(job);
      // Who finds others there need not wake: the one that came first did.
      if (jobs_.size() > 1) return jobs_.size() + 1;
      many_.store(true);
    }
    waker_->WakeOwner();
    return 2;
  }
  void PostEvent(std::unique_ptr<WorkerEvent> event) SW_EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      event_bytes_ += event->payload.ByteSize();
      events_.push_back(std::move(event));
      events_pending_.store(true);
    }
    waker_->WakeOwner();
  }

  // Owner. Appends what has arrived: arrays, so that it can be fetched ahead.
  void TakeAll(std::vector<Job*>* jobs,
               std::vector<std::unique_ptr<WorkerEvent>>* events)
      SW_EXCLUDES(mutex_) {
    if (!many_.load()) {
      Job* job = one_.exchange(nullptr);
      if (job != nullptr) jobs->push_back(job);
      // Asked last: what the job has sent is there by now.
      if (!events_pending_.load()) return;
    }
    MutexLock lock(mutex_);
    TakeJobs(jobs);
    if (!events_.empty()) room_.NotifyAll();
    for (auto& event : events_) events->push_back(std::move(event));
    events_.clear();
    event_bytes_ = 0;
    events_pending_.store(false);
  }

  // Owner, who is about to take what has come: a job that came alone is on its
  // way from its worker's core meanwhile.
  void FetchAhead() const {
    const Job* job = one_.load(std::memory_order_relaxed);
    if (job != nullptr) Prefetch(job);
  }

  // Any thread. Where the last job that came alone was posted, see
  // CurrentCore(); a hint.
  int core() const { return core_.load(std::memory_order_relaxed); }

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

  // Any thread. A hint: jobs that the owner has not taken.
  bool JobsPending() const {
    return one_.load(std::memory_order_relaxed) != nullptr ||
           many_.load(std::memory_order_relaxed);
  }

  // Any thread. A hint without the lock: is there something to take?
  bool MaybePending() const {
    return one_.load() != nullptr || many_.load() || events_pending_.load();
  }

 private:
  void TakeJobs(std::vector<Job*>* jobs) SW_REQUIRES(mutex_) {
    // With the lock held a worker that has left one here cannot add to the
    // list, so all that it has in the list came after it.
    Job* job = one_.exchange(nullptr);
    if (job != nullptr) jobs->push_back(job);
    jobs->insert(jobs->end(), jobs_.begin(), jobs_.end());
    jobs_.clear();
    many_.store(false);
  }

  // Shared: a thread that could not be stopped may post when the environment
  // is gone.
  const std::shared_ptr<OwnerWaker> waker_;
  // seq_cst throughout: see OwnerWaker. The line that the owner polls: a job
  // that comes alone needs no other, and no lock.
  alignas(kCacheLine) std::atomic<Job*> one_{nullptr};
  std::atomic<bool> many_{false};  // `jobs_` is not empty.
  std::atomic<bool> events_pending_{false};
  std::atomic<int> core_{-1};
  alignas(kCacheLine) Mutex mutex_;
  CondVar room_;
  std::vector<Job*> jobs_ SW_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<WorkerEvent>> events_ SW_GUARDED_BY(mutex_);
  size_t event_bytes_ SW_GUARDED_BY(mutex_) = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_COMPLETION_QUEUE_H_

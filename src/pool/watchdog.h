// One thread per environment that looks at running jobs when their time may
// be up, so that limits hold even while the owner's thread is blocked. It
// sleeps until the earliest moment anybody armed; no job, no wake-up. It also
// frees the memory blocks that were kept for jobs that did not come.
#ifndef SLOPPY_WORKERS_POOL_WATCHDOG_H_
#define SLOPPY_WORKERS_POOL_WATCHDOG_H_

#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/memory_order.h"
#include "base/mutex.h"
#include "pool/job_queue.h"

namespace sloppy::workers {

class Watchdog {
 public:
  // A thread of the platform; this layer has none that reports failure.
  class Thread {
   public:
    virtual ~Thread() = default;
    virtual bool Start(void (*run)(void*), void* argument) = 0;
    virtual void Join() = 0;
  };

  explicit Watchdog(std::unique_ptr<Thread> thread)
      : thread_(std::move(thread)) {}
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Owner. A queue must be removed before it is destroyed.
  void Add(JobQueue* queue) SW_EXCLUDES(mutex_);
  void Remove(JobQueue* queue) SW_EXCLUDES(mutex_);

  // Any thread. Looks at all queues not later than `when`. Cheap when an
  // earlier look is planned already. Starts the thread the first time.
  void Arm(int64_t when) SW_EXCLUDES(mutex_);

  // Owner, before it waits: see JobQueue::Doubt.
  void OwnerSleeps(int64_t now) SW_EXCLUDES(mutex_);

 private:
  void Run() SW_EXCLUDES(mutex_);

  // Written under mutex_; read without it as a hint by Arm().
  Atomic<int64_t> next_{kNever};
  // A hint for OwnerSleeps: some queue trusts a worker.
  Atomic<bool> trusts_{false};
  Mutex mutex_;
  CondVar changed_;
  std::vector<JobQueue*> queues_ SW_GUARDED_BY(mutex_);
  const std::unique_ptr<Thread> thread_;
  bool started_ SW_GUARDED_BY(mutex_) = false;
  bool stopping_ SW_GUARDED_BY(mutex_) = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_WATCHDOG_H_

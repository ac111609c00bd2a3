// The interface of a worker to its pool. Implemented by worker/worker_thread.h;
// tests use a fake, so that the pool is tested without V8.
#ifndef SLOPPY_WORKERS_POOL_POOL_WORKER_H_
#define SLOPPY_WORKERS_POOL_POOL_WORKER_H_

#include <cstdint>
#include <memory>

#include "base/memory_order.h"
#include "job/job.h"
#include "job/job_list.h"
#include "job/mail.h"
#include "pool/trust_policy.h"

namespace sloppy::workers {

class PoolWorker {
 public:
  virtual ~PoolWorker() = default;

  // Any thread. Makes a sleeping worker look at its queue again.
  virtual void Wake() = 0;

  // Any thread, pool's mutex held. Ends the JavaScript that is executing and
  // wakes a worker that waits for it. May take leaf locks only.
  virtual void Terminate() = 0;

  // Watchdog, pool's mutex held. Ends what earlier jobs left behind, a timer
  // that loops for instance; nothing while the worker prepares itself.
  virtual void TerminateLeftovers() { Terminate(); }

  // Any thread, pool's mutex held. The worker reads its mail when its
  // JavaScript yields. May take leaf locks only.
  virtual void PostMail(std::unique_ptr<Mail> mail) = 0;

  // Watchdog, pool's mutex held, now and then while this worker runs a job.
  virtual void Look() {}

  // Watchdog, pool's mutex held. Whether its jobs have left memory that it can
  // give back; and the request to do so, after it had no job for some time. May
  // take leaf locks only.
  virtual bool CanReleaseMemory() { return false; }
  virtual void ReleaseMemory() {}

  // Any thread while the worker lives. Nanoseconds of CPU, -1 if unknown.
  virtual int64_t CpuTime() const = 0;

  // Watchdog, pool's mutex held. What it executes without a job goes on though
  // it was terminated: `prepares` what its jobs wait for, or clears up. May
  // take leaf locks only.
  virtual void ReportStuck([[maybe_unused]] bool prepares) {}

  // Unique among the workers of the pool; from 1.
  virtual uint32_t number() const { return 0; }

  // The worker. Bytes of its heap and buffers at their highest between the two
  // calls; -1 if unknown.
  virtual void BeginHeapPeak() {}
  virtual int64_t EndHeapPeak() { return -1; }

  // Any thread. It runs microtasks: those of a job that awaits as well, though
  // another one is its current.
  virtual bool InMicrotasks() const { return false; }

  // Watchdog. Whether the function of a job that was ended while it awaited may
  // go on; and a number that changes whenever JavaScript has yielded.
  virtual bool HasStrays() const { return false; }
  virtual uint64_t Turns() const { return 0; }

  // The worker. Its realm is new, and it takes no job before the owner lets it
  // in: see JobQueue::BeginFresh.
  bool waits_for_owner() const { return waits_.load(); }

 private:
  friend class JobQueue;
  // Guarded by the pool's mutex.
  Job* current_ = nullptr;
  JobList parked_;  // Begun and awaiting, beside the current one.
  JobList pinned_;  // This worker's alone, by Job::pin_order.
  int64_t own_deadline_ = kNever;  // The end of what it does without a job;
                                   // of LimitsClock, as astray_since_.
  PoolWorker* next_idle_ = nullptr;
  PoolWorker* next_member_ = nullptr;
  TrustPolicy::Row row_;
  Job* offer_ = nullptr;       // Left to it by others, while `coming_`.
  bool special_ = false;       // It waits for the owner, or has pinned jobs.
  Atomic<bool> waits_{false};  // Written under the mutex.
  bool idle_ = false;
  bool looking_ = false;
  bool coming_ = false;
  bool fresh_ = true;       // The watchdog does not look at it.
  bool dismissed_ = false;  // Must leave, by Trim(), Recycle() or Abandon().
  int64_t release_at_ = kNever;  // If it has no job until then.
  // The time of the first look that saw it without a job and not idle; or 0.
  int64_t astray_since_ = 0;
  // Its turn when the watchdog saw it last without a current job, and the CPU
  // time when that turn was first seen.
  bool turn_seen_ = false;
  uint64_t seen_turn_ = 0;
  int64_t turn_cpu_ = 0;
  bool abandoned_ = false;  // Abandon() was called: its jobs are lost.
  bool leaving_ = false;    // No member any more, it clears up.
  bool prepares_ = false;   // Its code comes before its jobs.
  bool overdue_ = false;    // It was terminated at its `own_deadline_`, which
                            // is when it counts as stuck from then on.
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_POOL_WORKER_H_

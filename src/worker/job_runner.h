// The job a worker runs: takes it from the pool, hands it to the realm, takes
// the outcome and sends it home. Whatever way a job ends, it ends here, once.
//
// Worker thread only, except CancelledBy's source (an atomic in the job).
#ifndef SLOPPY_WORKERS_WORKER_JOB_RUNNER_H_
#define SLOPPY_WORKERS_WORKER_JOB_RUNNER_H_

#include <v8.h>

#include <cstdint>
#include <memory>

#include "isolate/payload_v8.h"
#include "pool/env_core.h"

namespace sloppy::workers {

class JobRunner {
 public:
  JobRunner(std::shared_ptr<PoolCore> pool, PoolWorker* self)
      : pool_(std::move(pool)), self_(self) {}

  // The next job to run, or nullptr: none, or leave(), or the realm must be
  // renewed first. Its sequence number is seq().
  Job* Next();

  // The running job's outcome; ignored unless `seq` is the running job's.
  void Done(v8::Isolate* isolate, v8::Local<v8::Context> context, double seq,
            Diagnostic status, Detail detail, const EncodedParts& parts);
  // As Done, decided by C++.
  void Fail(Diagnostic status, Detail detail);
  // The running job's execution was terminated; says why to the caller.
  // `memory_hit`: the memory limit was the reason.
  void EndTerminated(bool memory_hit);

  // A value for the owner, from the running job or from the worker (seq 0) of
  // that number.
  // False if that job is not running any more.
  bool Message(v8::Isolate* isolate, v8::Local<v8::Context> context, double seq,
               uint32_t channel, uint32_t worker, const EncodedParts& parts);

  // Why the job `seq` is cancelled: Job::Cancel, or kCancelled when it is
  // not running any more.
  uint8_t CancelledBy(double seq) const;

  // The running job ends its worker: what EndTerminated is to say.
  void RequestEnd() { end_requested_ = true; }

  bool running() const { return current_ != nullptr; }
  Job* current() const { return current_; }
  double seq() const { return seq_; }
  bool leave() const { return leave_; }
  // A job has run here since the last RealmRenewed().
  bool realm_used() const { return realm_used_; }
  void RealmRenewed() { realm_used_ = false; }
  // The isolate has run as many jobs as one may.
  bool isolate_used_up() const {
    return isolate_jobs_ >= pool_->config.recycle_after_jobs;
  }
  void IsolateRenewed() { isolate_jobs_ = 0; }

 private:
  // The worker may not go on to another job in this realm.
  bool MustRenew() const {
    return isolate_used_up() ||
           (realm_used_ && pool_->config.isolation != Isolation::kWorker);
  }
  void Accept(const JobQueue::Taken& taken, int64_t next_check);
  void Return(Job* job);
  void NoteStart();
  void NoteEnd(Job* job);

  const std::shared_ptr<PoolCore> pool_;
  PoolWorker* const self_;
  Job* current_ = nullptr;
  Job* taken_ = nullptr;  // Taken with the last job's end, not yet begun.
  double seq_ = 0;
  bool leave_ = false;
  bool realm_used_ = false;
  double isolate_jobs_ = 0;
  bool end_requested_ = false;
  // Reading a thread's CPU clock costs about as much as a tiny job: this
  // often at most, which is every job that takes longer.
  static constexpr int64_t kCpuLookEvery = 100'000;
  int64_t next_cpu_look_ = 0;
  int64_t cpu_started_ = -1;  // Of the running job; -1: not read.
  int64_t last_end_ = 0;      // While the next has been taken but not begun.
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_JOB_RUNNER_H_

// The jobs of a worker: takes them from the pool, hands them to the realm, and
// sends the outcome home.
//
// Invariants
// (1) Worker thread only. Other threads change a job's atomics alone, such as
//     Job::cancelled.
// (2) A job ends here once, whichever way it ends: first the queue lets it go
//     (Finish), then Return() posts it. After that the owner may reuse it, so
//     its contents are not read again.
// (3) The current job is the one whose function is being called. Once it
//     awaits it is parked, and another may be taken. No job is both.
// (4) To JavaScript a job is its number, seq, which no other job of this worker
//     ever has. Calls with the number of a job that is over have no effect.
// (5) taken_ is a job that was taken with the end of the last one and has not
//     begun. It may be terminated already; then EndTaken() ends it.
// (6) A job that was cancelled ends as cancelled, even if its function has
//     returned in time.
//
// Held by: (1) TSan over test/chaos. (2) test/scenario/core-storm.js. (3) (4)
// test/js/conformance/jobs-that-await.test.js. (5)
// test/js/executors/isolate/late-termination.test.js. (6)
// test/js/executors/grace.test.js.
#ifndef SLOPPY_WORKERS_WORKER_JOB_RUNNER_H_
#define SLOPPY_WORKERS_WORKER_JOB_RUNNER_H_

#include <v8.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/brief_look.h"
#include "isolate/payload_v8.h"
#include "job/mail.h"
#include "pool/env_core.h"

namespace sloppy::workers {

class JobRunner {
 public:
  JobRunner(std::shared_ptr<PoolCore> pool, PoolWorker* self)
      : pool_(std::move(pool)), self_(self) {}

  // The next job to run, or nullptr: none, or leave(), or the realm must be
  // renewed first. Its sequence number is seq().
  Job* Next();

  // The job that Next() will return; nullptr if there is none yet. REQUIRES: it
  // runs none.
  const Job* Peek();

  // Its realm could not be prepared. Until TakeAgain(), Next() returns only
  // jobs that had come by then, because those must end for that reason.
  void TakeArrived(uint64_t arrived) { only_arrived_ = arrived; }
  void TakeAgain() { only_arrived_ = kAll; }
  // No more jobs in this realm, whose modules are of no use.
  void SpoilRealm();
  bool realm_spoilt() const { return realm_spoilt_; }

  // A job's outcome; ignored unless `seq` is a running job's.
  void Done(SharedTexts* texts, v8::Local<v8::Context> context, double seq,
            Diagnostic status, Detail detail, const EncodedParts& parts);
  // The Done of the current job, which has succeeded with a value of a few
  // bytes; see Payload::FillShort.
  void DoneShort(PayloadKind kind, double number, uint32_t size,
                 const double* body);
  // The Done of the current job, decided by C++.
  void Fail(End end);
  // The same for every job.
  void FailAll(End end);
  // Execution was terminated, and the realm is lost: ends every job and says
  // why to its caller. `found`: kMemoryLimit; kWorkerLost where Terminate() was
  // called; kMicrotaskBound. `in_microtasks`: microtasks ran then, so where
  // jobs share the realm the current one need not be to blame.
  void EndTerminated(End found, bool in_microtasks);

  // A parked job that was cancelled, and that either was not announced yet or
  // has no time left; 0 if there is none.
  double CancelledParked() const;
  // True the first time: its listeners are to be called.
  bool MustAnnounce(double seq);
  // Ends a parked job as cancelled.
  void EndCancelled(double seq);

  // The code of job `seq` listens for its cancellation, which may come.
  void SetListening(double seq, bool on);
  // A job that listens is running, so its cancellation may settle it.
  bool AwaitsCancellation() const;

  // A value for the owner, from a running job or from the worker (seq 0) of
  // number. kGone if that job is not running any more.
  Sent Message(SharedTexts* texts, v8::Local<v8::Context> context, double seq,
               uint32_t channel, uint32_t worker, const EncodedParts& parts);

  // Why the job `seq` is to end; kCancelled when it is not running any more.
  End CancelledBy(double seq) const;
  // Job::shares of the job `seq`; 0 where nothing is shared with it.
  uint32_t SharesOf(double seq) const;

  // The running job with this slot and serial; 0 if there is none.
  double SeqOf(int64_t slot, uint32_t serial) const;

  // The code of job `seq`, or of no job with 0, has the execution ended.
  // EndTerminated says `why` to its caller.
  void RequestEnd(double seq, End why) { ended_ = {why, seq}; }

  // It has jobs.
  bool running() const { return current_ != nullptr || !parked_.empty(); }
  bool has_current() const { return current_ != nullptr; }
  // It may take another.
  bool can_take() const {
    return current_ == nullptr &&
           (parked_.empty() ||
            (parked_.size() < pool_->config.jobs_per_worker && !MustRenew() &&
             !leave_));
  }
  // One was taken and not yet begun.
  bool has_taken() const { return taken_ != nullptr; }
  // The loop has had its turn.
  void NewTurn() { taken_in_turn_ = 0; }
  double seq() const { return seq_; }
  bool leave() const { return leave_; }
  // The worker is no member of its pool any more.
  void Leave() { leave_ = true; }
  // A job has run here since the last RealmRenewed().
  bool realm_used() const { return realm_used_; }
  // See JobQueue::BeginFresh.
  bool BeginFresh() { return pool_->queue.BeginFresh(self_, &taken_); }
  void RealmRenewed() {
    realm_used_ = realm_spoilt_ = false;
    ended_ = kNotEnded;
    // The last realm may have been terminated before it said TakeAgain().
    only_arrived_ = kAll;
  }
  // The isolate takes no more jobs: see CheckUsedUp(), UseUpIsolate().
  bool isolate_used_up() const { return isolate_used_up_; }
  void IsolateRenewed() {
    isolate_jobs_ = 0;
    isolate_used_up_ = false;
  }
  // No more jobs in this isolate, which has grown too large.
  void UseUpIsolate() {
    isolate_used_up_ = true;
    pool_->queue.EndIdle(self_);
  }

 private:
  // Called after a job has begun or ended: looks whether the isolate has run as
  // many as it may.
  void CheckUsedUp();
  // The worker may not go on to another job in this realm.
  bool MustRenew() const {
    if (only_arrived_ != kAll) return false;
    return isolate_used_up() || realm_spoilt_ ||
           (realm_used_ && pool_->config.isolation != Isolation::kWorker);
  }
  struct Parked {
    Job* job;
    double seq;
    bool announced;
  };
  struct Ended {
    End why;
    double by;  // A job's number.
  };
  static constexpr Ended kNotEnded = {End::kNone, 0};
  static constexpr double kEachOfThem = -1;
  // How long a worker lets tiny jobs gather, and how many unread answers it
  // takes to do so. The line that falls without it: in-flight-16 of
  // bench/.
  static constexpr int64_t kLinger = 1'000;
  static constexpr size_t kManyUnread = 8;
  static constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();
  // Jobs begun before the loop has its turn, while others await.
  static constexpr int kJobsPerTurn = 32;

  bool Park();
  void Fetch();
  Job* JobOf(double seq) const;
  // The job, if it ends with its own outcome; nullptr if it has ended as
  // cancelled.
  Job* BeginEnd(double seq);
  void EndWithOutcome(Job* job, double seq);
  void FinishParked(double seq);
  Ended WhyTerminated(End found, bool in_microtasks);
  void EndTaken();
  void Accept(const JobQueue::Taken& taken, int64_t next_check);
  // See JobQueue::Taken.
  void EndLate(Job* next) {
    while (next != nullptr) {
      Job* job = std::exchange(next, next->next);
      job->Fail(job->cancelled.load(std::memory_order_acquire));
      Return(job);
    }
  }
  void Linger();
  bool ComesSoon();
  void Return(Job* job);
  void NoteStart();
  void NoteEnd(Job* job);

  const std::shared_ptr<PoolCore> pool_;
  PoolWorker* const self_;
  Job* current_ = nullptr;
  bool last_tiny_ = false;  // See JobQueue::Taken.
  size_t unread_ = 0;       // Ended jobs that the owner had not taken.
  Job* taken_ = nullptr;    // Taken with the last job's end, not yet begun.
  std::vector<Parked> parked_;
  std::vector<double> listening_;  // Their numbers; of jobs that are over too.
  // The last job's end has found no other.
  bool dry_ = false;
  const Job* last_ = nullptr;  // Has ended; perhaps the next one's place.
  BriefLook look_;
  int taken_in_turn_ = 0;
  double seq_ = 0;
  bool leave_ = false;
  bool realm_used_ = false;
  bool realm_spoilt_ = false;
  uint64_t only_arrived_ = kAll;
  double isolate_jobs_ = 0;
  bool isolate_used_up_ = false;
  Ended ended_ = kNotEnded;
  // Reading a thread's CPU clock costs about as much as a tiny job: this
  // often at most, which is every job that takes longer.
  static constexpr int64_t kCpuLookEvery = 100'000;
  int64_t next_cpu_look_ = 0;
  int64_t cpu_started_ = -1;  // The running job's; -1: not read.
  int64_t last_end_ = 0;      // While the next has been taken but not begun.
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_JOB_RUNNER_H_

// The one queue of a pool. Workers take jobs from it by themselves, so that no
// worker waits for the owner between two jobs. The owner's admission decides
// which calls may submit before a job comes here.
//
// Jobs come in by Submit() or through the ring (submit_ring.h). A worker is in
// one of four states: it runs a job; it looks (it found no job, and polls
// HasWork() for a moment); it is idle (it may sleep, and must be woken); or it
// is busy with itself (BeginOwn()).
//
// Invariants
// (1) One mutex guards the queue, the set of workers and the state of every
//     job that is queued or running. A job is taken, cancelled, timed out or
//     dropped by the thread that locks it first.
// (2) Submit() refuses a job beyond `capacity`, whatever the owner's admission
//     has decided.
// (3) Jobs of one priority are taken in the order of their arrival, unless the
//     pool has another order (ready_jobs.h). Every function takes over the rows
//     of the ring before it looks at the queue, unless there is an older job at
//     least as urgent.
// (4) Every change by which a job may find a worker, or a worker a job, ends in
//     Publish(), or in PublishAndPick() where the owner wakes by itself. No
//     other function wakes a worker for a queued job, or writes the hints that
//     are read without the lock.
// (5) No more workers are woken than the looking and the coming ones cannot
//     serve. A worker that takes a job and leaves others wakes the next one.
// (6) While one worker is enough (trust_policy.h), the others take nothing.
// (7) From Finish() on nobody terminates the worker because of that job: both
//     happen under the mutex, so a termination never hits the next job.
// (8) Pinned jobs (job_queue_pinned.cc) are for one worker. Other workers, the
//     hints, `capacity` and GetCounts() do not know them. A worker that leaves
//     without having taken them loses them to `orphans_`.
// (9) A job is offered (job_queue_homes.cc) to one worker at most, and a worker
//     has one offer at most, only while it is coming. What is offered is queued
//     for the owner, and in no other worker's sight. Arrive() ends an offer, so
//     that the job has its place in the order again, before the worker takes
//     the first job of that order.
// (10) Nothing here calls V8 except through PoolWorker, whose functions take
//     leaf locks only.
//
// Held by: (1) test/unit/pool/race_test.cc, chaos_test.cc and test/sim; the
// annotations. (2) job_queue_test.cc. (3) job_queue_test.cc,
// ready_jobs_test.cc, submit_ring_test.cc. (4) wake_test.cc, test/sim. (5)
// job_queue_test.cc. (6) one_is_enough_test.cc. (7) job_queue_test.cc,
// limits_test.cc. (8) pinned_test.cc. (9) homes_test.cc. (10) TSan's order of
// locks over test/chaos.
#ifndef SLOPPY_WORKERS_POOL_JOB_QUEUE_H_
#define SLOPPY_WORKERS_POOL_JOB_QUEUE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/memory_order.h"
#include "base/mutex.h"
#include "base/protocol_gen.h"
#include "job/job_list.h"
#include "pool/pool_worker.h"
#include "pool/queue_times.h"
#include "pool/ready_jobs.h"
#include "pool/submit_ring.h"
#include "pool/trust_policy.h"

namespace sloppy::workers {

class JobQueue : public QueueTimes {
 public:
  static constexpr size_t kPriorities = ReadyJobs::kPriorities;

  enum class Admission : uint8_t { kQueued, kFull, kClosed };
  // kRemoved: it was queued, and the caller owns it again. kRunning: it comes
  // back through the completion queue. kGone: it is on its way back.
  using Removal = wire::Removal;
  struct Submitted {
    Admission admission;
    bool wants_worker;  // More jobs than workers without one: start another.
    bool woke = false;  // The watchdog should look whether it takes the job.
  };
  struct Taken {
    Job* job = nullptr;
    // The worker is to leave: the pool closed, or has too many workers.
    bool leave = false;
    // The finished job's execution was terminated: clean up, then Take().
    bool terminated = false;
    // Jobs are tiny, and there is no other for now.
    bool last_tiny = false;
    // Jobs whose time was over before they began, by Job::next. They are not
    // the queue's any more; `cancelled` says why.
    Job* late = nullptr;

    static Taken Leave() { return {.leave = true}; }
    static Taken Terminated() { return {.terminated = true}; }
  };
  struct Counts {
    size_t queued = 0;
    size_t running = 0;
    size_t workers = 0;
    size_t idle = 0;
  };

  struct Options {
    size_t capacity;
    // Jobs that run at a time, each on a worker of its own unless `shared`.
    size_t max_workers;
    // Workers beyond those: they renew themselves while others run jobs.
    size_t reserve = 0;
    // A worker may have several jobs at a time, see Park().
    bool shared = false;
    ReadyJobs::Order order = {};
    // Jobs that take less, of the worker, are tiny: nanoseconds.
    int64_t tiny = TrustPolicy::kTiny;
  };

  // `ring` and the table of its jobs: both or neither.
  explicit JobQueue(const Options& options, const JobTable* jobs = nullptr,
                    std::unique_ptr<SubmitRing> ring = nullptr);

  // Owner. On kQueued the queue has taken the job over. The one that had the
  // last job of its `home` gets it if it is free.
  Submitted Submit(Job* job) SW_EXCLUDES(mutex_);
  // Owner. As Submit for what it wrote to the ring, when the ring says so.
  Submitted Kick() SW_EXCLUDES(mutex_);

  // Owner. As Submit, for one given worker, which takes its pinned jobs before
  // all others, those of the lowest `order` first, of one `order` the oldest.
  // False when it has left, or the queue is closed; the caller keeps the job
  // then.
  bool SubmitTo(Job* job, PoolWorker* worker, uint32_t order)
      SW_EXCLUDES(mutex_);
  // Owner. From now on a worker with a new realm asks to be let in.
  void SetGreets(bool greets) SW_EXCLUDES(mutex_);
  // Owner. The worker takes jobs, its pinned ones first.
  void LetIn(PoolWorker* worker) SW_EXCLUDES(mutex_);
  // Owner. Calls `see` with each job that waits for this worker alone, with the
  // mutex held.
  void ForEachPinned(const PoolWorker* worker,
                     const std::function<void(const Job*)>& see)
      SW_EXCLUDES(mutex_);

  // Owner. Ends a queued job at once. Signals a running one, and terminates it
  // after the job's grace period; with kNone a running job goes on.
  // `next_check` receives when CheckLimits should look at it.
  Removal Cancel(Job* job, End why, int64_t now, int64_t* next_check)
      SW_EXCLUDES(mutex_);

  // kOver: the job is over. kAbandoned: `*worker` is no member any more and
  // leaves when it can. kLater: the job is not terminated yet, because its
  // worker is busy with another one; ask again.
  using AbandonResult = wire::AbandonResult;
  // Owner. The worker that runs the job does not react to termination.
  AbandonResult Abandon(Job* job, PoolWorker** worker) SW_EXCLUDES(mutex_);
  // Owner. As kAbandoned, for a worker that is stuck without a job.
  void GiveUp(PoolWorker* worker) SW_EXCLUDES(mutex_);
  // Owner. Does the job run on a worker that was abandoned?
  bool IsLost(Job* job) SW_EXCLUDES(mutex_);
  // Owner. Nanoseconds from `now`, of LimitsClock, until the run of a job with
  // a `run_limit` is over; the whole limit while it does not run.
  int64_t RunLeft(const Job* job, int64_t now) SW_EXCLUDES(mutex_);

  // Owner. Gives mail to the worker that runs the job; false if none does.
  bool Deliver(Job* job, std::unique_ptr<Mail> mail) SW_EXCLUDES(mutex_);
  // Owner. Gives mail to the pool's oldest worker; false if there is none.
  bool DeliverToWorker(std::unique_ptr<Mail> mail) SW_EXCLUDES(mutex_);

  // Owner. No worker takes another job while paused.
  void SetPaused(bool paused) SW_EXCLUDES(mutex_);
  // Owner. Surplus workers leave as they become free; the reserve stays.
  // Returns how many workers there may be, with the reserve.
  size_t SetMaxWorkers(size_t max_workers) SW_EXCLUDES(mutex_);
  // Owner. Lets idle workers leave until `keep` are left.
  void Trim(size_t keep) SW_EXCLUDES(mutex_);
  // Owner. Lets all workers leave, each when its jobs have ended.
  void Recycle() SW_EXCLUDES(mutex_);

  // Owner. Nothing more is admitted; workers leave when the queue is empty.
  void Close() SW_EXCLUDES(mutex_);
  // Owner. Moves everything queued to `dropped`.
  void DropQueued(JobList* dropped) SW_EXCLUDES(mutex_);
  // Owner. Terminates all that the workers execute, jobs and leftovers of jobs
  // alike. Returns how many jobs that were.
  size_t TerminateAll(End why) SW_EXCLUDES(mutex_);

  // Worker. Before its first Take and after its last.
  void Join(PoolWorker* worker) SW_EXCLUDES(mutex_);
  void Leave(PoolWorker* worker) SW_EXCLUDES(mutex_);

  // Worker, whose realm is new. True when it must tell the owner, and takes no
  // job before LetIn(). `*taken`, which it has not begun, goes back then,
  // unless that was cancelled meanwhile.
  bool BeginFresh(PoolWorker* worker, Job** taken) SW_EXCLUDES(mutex_);

  // Any thread, a hint without the lock: Take() may find something.
  bool HasWork() const {
    return available_.load(std::memory_order_acquire) != 0 ||
           (ring_ != nullptr && !ring_->empty());
  }
  // Any thread, hints without the lock. One worker is enough and has a job, so
  // the others need not look for work; and: it is so whenever one has a job.
  bool IsOneEnough() const { return one_is_enough_.load(); }
  bool Trusts() const { return trusts_.load(std::memory_order_relaxed); }
  // Worker, before it sleeps: the next job wakes it. False when there is
  // something to take, or to leave for.
  bool BeginIdle(PoolWorker* worker) SW_EXCLUDES(mutex_);

  // Worker. Takes the next job; with none, the worker looks from now on and
  // must call Take() or BeginIdle() soon. REQUIRES: it has no job.
  Taken Take(PoolWorker* worker, int64_t* next_check) SW_EXCLUDES(mutex_);
  // Worker. Would Take() give it a job, or have it leave?
  bool IsWanted(PoolWorker* worker) SW_EXCLUDES(mutex_);
  // Worker. How many jobs have come so far: the last one's Job::arrival.
  uint64_t Arrived() SW_EXCLUDES(mutex_);
  // Worker. As Take, of jobs whose number is at most `arrived`; nullptr for
  // none.
  Job* TakeArrived(PoolWorker* worker, uint64_t arrived) SW_EXCLUDES(mutex_);
  // Worker. Its job has ended: from here nobody terminates it any more.
  // Takes the next one in the same step unless the job was terminated.
  Taken FinishAndTake(PoolWorker* worker, int64_t* next_check)
      SW_EXCLUDES(mutex_);
  // Worker. As FinishAndTake without taking; true if it was terminated.
  bool Finish(PoolWorker* worker) SW_EXCLUDES(mutex_);

  // Worker, which runs no job. It executes something of its own, until EndOwn
  // or the deadline (of LimitsClock), which terminates it. False when it leaves
  // instead, as by Take(); not with a job that it has taken.
  bool BeginOwn(PoolWorker* worker, int64_t deadline) SW_EXCLUDES(mutex_);
  // The same for what it does before it ends. The deadline is not for one that
  // leaves a closed queue, because the owner has one then.
  void BeginEnd(PoolWorker* worker, int64_t deadline) SW_EXCLUDES(mutex_);
  void EndOwn(PoolWorker* worker) SW_EXCLUDES(mutex_);

  // Worker whose isolate is used up. False while another one renews its own:
  // then it goes on with jobs for now. It is over with the next Take() or
  // BeginIdle(), or when the worker leaves.
  bool BeginRenewal(PoolWorker* worker) SW_EXCLUDES(mutex_);

  // Worker with several jobs. Its current job awaits: it may take another.
  // False if the job was terminated.
  bool Park(PoolWorker* worker) SW_EXCLUDES(mutex_);
  // Worker. A parked job has ended; true if it was terminated.
  bool FinishParked(PoolWorker* worker, Job* job) SW_EXCLUDES(mutex_);
  // Worker. It waits for no job any more, as if it were busy.
  void EndIdle(PoolWorker* worker) SW_EXCLUDES(mutex_);

  // Worker. Was its job terminated, so that a pending termination is the
  // job's own?
  bool IsTerminated(PoolWorker* worker) const SW_EXCLUDES(mutex_);

  // Watchdog. Signals and terminates running jobs whose time is up; when to
  // look again.
  int64_t CheckLimits(int64_t now) SW_EXCLUDES(mutex_);

  // Owner, before it sleeps. The job that runs may be a long one, however quick
  // the jobs before it were. Returns when CheckLimits should look.
  int64_t Doubt(int64_t now) SW_EXCLUDES(mutex_);

  // Any thread.
  Counts GetCounts() SW_EXCLUDES(mutex_);

 private:
  // `job`: nullptr for those in the ring alone.
  Submitted Admit(Job* job) SW_EXCLUDES(mutex_);
  // True if there was a row.
  bool ReadRing() SW_REQUIRES(mutex_);
  // A job is there that comes before all that may be in the ring.
  bool HasBeforeRing() const SW_REQUIRES(mutex_);
  void Enqueue(Job* job) SW_REQUIRES(mutex_);
  void Unqueue(Job* job) SW_REQUIRES(mutex_);
  // Keeps (4) and (5): updates the hints, and wakes idle workers for jobs that
  // no other worker is about to take.
  void Publish() SW_REQUIRES(mutex_);
  // The same for the owner, without waking: returns the first worker to wake,
  // which counts as coming. nullptr for none.
  PoolWorker* PublishAndPick() SW_REQUIRES(mutex_);
  PoolWorker* PickForQueued() SW_REQUIRES(mutex_);
  // The number of queued jobs that may be taken now, and of those that anybody
  // may take.
  size_t Available() const SW_REQUIRES(mutex_);
  size_t Unoffered() const SW_REQUIRES(mutex_) {
    return std::max(Available(), offers_) - offers_;
  }
  // A number that jobs have as Job::home.
  struct Home {
    PoolWorker* last = nullptr;  // Started the latest one; a member.
    Job* offered = nullptr;
  };
  // Offers the latest job to the worker that had its home's last one, if that
  // is free. Returns it, to be woken; nullptr if any worker may take the job.
  PoolWorker* Offer(Job* job) SW_REQUIRES(mutex_);
  bool IsSpare(const PoolWorker* worker) const SW_REQUIRES(mutex_);
  void EndOffer(PoolWorker* worker) SW_REQUIRES(mutex_);
  void ForgetOffer(Job* job) SW_REQUIRES(mutex_);
  void EndOffers() SW_REQUIRES(mutex_);
  void LeaveHomes(const PoolWorker* worker) SW_REQUIRES(mutex_);
  // One worker is enough, as long as there is one that has a job.
  bool MayTrust() const SW_REQUIRES(mutex_) {
    return trust_.tiny() && max_workers_ > 1 && !closed_ && reserve_ == 0;
  }
  // A worker that runs a job, or was woken for one, is enough.
  bool OneIsEnough() const SW_REQUIRES(mutex_) {
    return MayTrust() && running_ - lost_ + coming_ != 0;
  }
  void CountForTrust(PoolWorker* worker, bool has_job, int64_t* next_check)
      SW_REQUIRES(mutex_);
  int64_t CheckTrust(int64_t now) SW_REQUIRES(mutex_);
  int64_t CpuOfJobs() const SW_REQUIRES(mutex_);
  bool MustLeave(const PoolWorker* worker) const SW_REQUIRES(mutex_);
  bool WantsWorker() const SW_REQUIRES(mutex_);
  void StopLooking(PoolWorker* worker) SW_REQUIRES(mutex_);
  void EndRenewal(PoolWorker* worker) SW_REQUIRES(mutex_) {
    if (renews_ == worker) renews_ = nullptr;
  }
  void Arrive(PoolWorker* worker) SW_REQUIRES(mutex_);
  void Start(Job* job, PoolWorker* worker) SW_REQUIRES(mutex_);
  void StartLimit(Job* job) SW_REQUIRES(mutex_);
  // The job that the worker may take now, or nullptr.
  Job* NextFor(const PoolWorker* worker) const SW_REQUIRES(mutex_);
  bool CanTakePinned(const PoolWorker* worker) const SW_REQUIRES(mutex_) {
    return worker->special_ && !paused_ && !worker->waits_.load() &&
           !worker->pinned_.empty();
  }
  void Pin(Job* job, PoolWorker* worker) SW_REQUIRES(mutex_);
  void Unpin(Job* job) SW_REQUIRES(mutex_);
  void DropPinned(PoolWorker* worker, JobList* to) SW_REQUIRES(mutex_);
  void WakeForPinned() SW_REQUIRES(mutex_);
  static void NoteSpecial(PoolWorker* worker) {
    worker->special_ = worker->waits_.load() || !worker->pinned_.empty();
  }
  Taken TakeLocked(PoolWorker* worker, int64_t* next_check) SW_REQUIRES(mutex_);
  bool IsLate(const Job* job) SW_REQUIRES(mutex_);
  void EndLate(Job* job) SW_REQUIRES(mutex_);
  bool FinishLocked(PoolWorker* worker) SW_REQUIRES(mutex_);
  PoolWorker* PopIdle() SW_REQUIRES(mutex_);
  void RemoveIdle(PoolWorker* worker) SW_REQUIRES(mutex_);
  void RemoveMember(PoolWorker* worker) SW_REQUIRES(mutex_);
  static bool Unlink(PoolWorker** list, const PoolWorker* worker);
  int64_t CheckJob(Job* job, int64_t now) SW_REQUIRES(mutex_);
  static int64_t CheckOwn(PoolWorker* worker, int64_t now);
  static int64_t CheckMemory(PoolWorker* worker, int64_t now);
  int64_t CheckLeftovers(PoolWorker* worker, int64_t now) SW_REQUIRES(mutex_);
  static void CheckStrays(PoolWorker* worker);
  int64_t Urge(Job* job, int64_t now) SW_REQUIRES(mutex_);
  static void Terminate(Job* job);

  mutable Mutex mutex_;
  const size_t capacity_;
  const size_t reserve_;
  const bool shared_;
  const JobTable* const jobs_;
  const std::unique_ptr<SubmitRing> ring_;
  // Jobs that may be taken now.
  Atomic<size_t> available_{0};
  Atomic<bool> one_is_enough_{false};
  Atomic<bool> trusts_{false};
  Atomic<bool> greets_{false};  // Written under the mutex.
  ReadyJobs ready_ SW_GUARDED_BY(mutex_);
  // Pinned to workers that have left; the owner takes them back.
  JobList orphans_ SW_GUARDED_BY(mutex_);
  size_t queued_ SW_GUARDED_BY(mutex_) = 0;  // Counts no pinned jobs.
  size_t offers_ SW_GUARDED_BY(mutex_) = 0;
  std::vector<Home> homes_ SW_GUARDED_BY(mutex_);  // Index: Job::home - 1.
  uint64_t arrived_ SW_GUARDED_BY(mutex_) = 0;
  size_t running_ SW_GUARDED_BY(mutex_) = 0;
  // Running jobs on abandoned workers; not counted if `shared`.
  size_t lost_ SW_GUARDED_BY(mutex_) = 0;
  size_t workers_ SW_GUARDED_BY(mutex_) = 0;
  size_t idle_count_ SW_GUARDED_BY(mutex_) = 0;
  size_t looking_ SW_GUARDED_BY(mutex_) = 0;
  size_t max_running_ SW_GUARDED_BY(mutex_);
  // Workers that were woken for a job and have not asked for one yet.
  size_t coming_ SW_GUARDED_BY(mutex_) = 0;
  size_t max_workers_ SW_GUARDED_BY(mutex_);
  // Not later than now, and while workers are busy hardly more than kLookEvery
  // behind.
  int64_t known_now_ SW_GUARDED_BY(mutex_) = 0;
  PoolWorker* idle_ SW_GUARDED_BY(mutex_) = nullptr;
  PoolWorker* members_ SW_GUARDED_BY(mutex_) = nullptr;
  PoolWorker* leaving_ SW_GUARDED_BY(mutex_) =
      nullptr;  // A list by next_member_.
  PoolWorker* renews_ SW_GUARDED_BY(mutex_) = nullptr;
  TrustPolicy trust_ SW_GUARDED_BY(mutex_);
  // The time when CheckLimits had the busy workers look at themselves last.
  int64_t looked_at_ SW_GUARDED_BY(mutex_) = 0;
  bool paused_ SW_GUARDED_BY(mutex_) = false;
  bool closed_ SW_GUARDED_BY(mutex_) = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_JOB_QUEUE_H_

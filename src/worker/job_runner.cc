#include "worker/job_runner.h"

#include <algorithm>
#include <utility>

#include "base/cpu.h"

namespace sloppy::workers {

Job* JobRunner::Next() {
  if (leave_ || !Park() || MustRenew()) return nullptr;
  if (!parked_.empty()) {
    if (parked_.size() >= pool_->config.jobs_per_worker) return nullptr;
    if (++taken_in_turn_ > kJobsPerTurn) return nullptr;
    // Cancelled jobs are announced or ended before another one begins.
    if (CancelledParked() != 0) return nullptr;
  }
  Fetch();
  current_ = std::exchange(taken_, nullptr);
  if (current_ != nullptr) {
    ++seq_;
    if (only_arrived_ == kAll) realm_used_ = true;
    ++isolate_jobs_;
    if (pool_->config.jobs_per_worker != 1) CheckUsedUp();
    if ((current_->mode & Job::kTimed) != 0) NoteStart();
  }
  last_end_ = 0;
  return current_;
}

const Job* JobRunner::Peek() {
  if (leave_ || MustRenew()) return nullptr;
  Fetch();
  return leave_ ? nullptr : taken_;
}

// Workers renew themselves one at a time, because they are used up at about the
// same time, and no worker would take jobs meanwhile. A worker with several
// jobs waits for those that await first. It renews itself after twice as many
// jobs in any case, because the other one may wait for a job without an end.
void JobRunner::CheckUsedUp() {
  const double limit = pool_->config.recycle_after_jobs;
  if (isolate_used_up_ || isolate_jobs_ < limit) return;
  isolate_used_up_ =
      pool_->queue.BeginRenewal(self_) ||
      (pool_->config.jobs_per_worker != 1 && isolate_jobs_ >= 2 * limit);
}

void JobRunner::SpoilRealm() {
  realm_spoilt_ = true;
  // Jobs that await may go on for long, so other workers take the next ones.
  pool_->queue.EndIdle(self_);
}

void JobRunner::Fetch() {
  if (only_arrived_ != kAll) {
    if (taken_ == nullptr) {
      taken_ = pool_->queue.TakeArrived(self_, only_arrived_);
    }
    return;
  }
  if (taken_ != nullptr || (std::exchange(dry_, false) && !ComesSoon())) return;
  int64_t next_check = kNever;
  const JobQueue::Taken taken = pool_->queue.Take(self_, &next_check);
  Accept(taken, next_check);
}

void JobRunner::Accept(const JobQueue::Taken& taken, int64_t next_check) {
  taken_ = taken.job;
  last_tiny_ = taken.last_tiny;
  leave_ = leave_ || taken.leave;
  EndLate(taken.late);
  if (next_check != kNever) pool_->env->watchdog.Arm(next_check);
}

Job* JobRunner::BeginEnd(double seq) {
  Job* job = JobOf(seq);
  if (job == nullptr ||
      job->cancelled.load(std::memory_order_acquire) == End::kNone) {
    return job;
  }
  // Invariant (6) asks for it.
  if (job != current_) {
    EndCancelled(seq);
  } else {
    Fail(job->cancelled.load(std::memory_order_acquire));
  }
  return nullptr;
}

void JobRunner::Done(SharedTexts* texts, v8::Local<v8::Context> context,
                     double seq, Diagnostic status, Detail detail,
                     const EncodedParts& parts) {
  Job* job = BeginEnd(seq);
  if (job == nullptr) return;
  job->status = status;
  job->detail = detail;
  if (!ReadParts(texts, context, parts, &job->payload)) {
    // The termination that is pending ends it.
    if (texts->isolate()->IsExecutionTerminating()) return;
    job->Fail(End::kMemoryLimit);
  }
  EndWithOutcome(job, seq);
}

void JobRunner::DoneShort(PayloadKind kind, double number, uint32_t size,
                          const double* body) {
  Job* job = BeginEnd(seq_);
  if (job == nullptr) return;
  job->status = Diagnostic::kNone;
  job->detail = Detail::kNone;
  Payload& payload = job->payload;
  payload.Clear();
  payload.kind = kind;
  payload.number = number;
  if (size != 0) payload.FillShort(size, body);
  EndWithOutcome(job, seq_);
}

void JobRunner::EndWithOutcome(Job* job, double seq) {
  if (job != current_) {
    FinishParked(seq);
    return;
  }
  current_ = nullptr;
  CheckUsedUp();
  if (!MustRenew() && only_arrived_ == kAll) {
    if (last_tiny_ && unread_ >= kManyUnread) Linger();
    // One lock for the end of this job and the start of the next.
    int64_t next_check = kNever;
    const JobQueue::Taken taken =
        pool_->queue.FinishAndTake(self_, &next_check);
    Accept(taken, next_check);
    dry_ = taken.job == nullptr && !taken.terminated;
  } else {
    pool_->queue.Finish(self_);
  }
  Return(job);
}

// The next call comes, where they follow each other, before the worker would be
// back from its loop. Does not look while the owner has many answers to read,
// see Linger.
bool JobRunner::ComesSoon() {
  const JobQueue& queue = pool_->queue;
  if (leave_ || unread_ >= kManyUnread || pool_->config.spin_ns <= 0 ||
      queue.IsOneEnough()) {
    return false;
  }
  if (!look_.For([&queue] { return queue.HasWork(); })) return false;
  Prefetch(last_);
  return true;
}

// The owner will submit more soon if many answers are unread. Waits for a
// microsecond, so that several jobs come with one read: reading each job as it
// is written would bounce the ring's cache line between the cores.
void JobRunner::Linger() {
  if (!pool_->env->completions.JobsPending()) return;
  const int64_t until = MonotonicNow() + kLinger;
  do {
    for (int i = 0; i < 8; ++i) CpuRelax();
  } while (MonotonicNow() < until);
}

void JobRunner::Fail(End end) {
  if (current_ == nullptr) return;
  Job* job = std::exchange(current_, nullptr);
  CheckUsedUp();
  pool_->queue.Finish(self_);
  job->Fail(end);
  Return(job);
}

void JobRunner::FailAll(End end) {
  Fail(end);
  while (!parked_.empty()) {
    parked_.back().job->Fail(end);
    FinishParked(parked_.back().seq);
  }
}

void JobRunner::EndTerminated(End found, bool in_microtasks) {
  EndTaken();
  const Ended ended = WhyTerminated(found, in_microtasks);
  // The others are lost with their realm if one job is to blame.
  const auto end_of = [&](const Job& job, double seq) {
    const bool blamed = ended.by == kEachOfThem || ended.by == seq;
    if (found == End::kMemoryLimit && blamed) return ended.why;
    const End cancelled = job.cancelled.load(std::memory_order_acquire);
    if (cancelled != End::kNone) return cancelled;
    return blamed ? ended.why : End::kWorkerLost;
  };
  if (current_ != nullptr) Fail(end_of(*current_, seq_));
  while (!parked_.empty()) {
    const Parked& last = parked_.back();
    last.job->Fail(end_of(*last.job, last.seq));
    FinishParked(last.seq);
  }
}

// Ends a job that was terminated before it began, as cancelled.
void JobRunner::EndTaken() {
  if (current_ != nullptr || !pool_->queue.IsTerminated(self_)) return;
  current_ = std::exchange(taken_, nullptr);
  Fail(current_->cancelled.load(std::memory_order_acquire));
}

JobRunner::Ended JobRunner::WhyTerminated(End found, bool in_microtasks) {
  const Ended ended = std::exchange(ended_, kNotEnded);
  const bool alone = pool_->config.jobs_per_worker == 1;
  const bool by_current = current_ != nullptr && (alone || !in_microtasks);
  const double by = by_current ? seq_ : kEachOfThem;
  if (found == End::kMemoryLimit) return {found, by};
  if (ended.why != End::kNone) return ended;
  // Jobs that are to blame were cancelled.
  return {found, found == End::kWorkerLost ? kEachOfThem : by};
}

bool JobRunner::Park() {
  if (current_ == nullptr) return true;
  if (pool_->config.jobs_per_worker == 1 || !pool_->queue.Park(self_)) {
    return false;
  }
  parked_.push_back({std::exchange(current_, nullptr), seq_, false});
  return true;
}

Job* JobRunner::JobOf(double seq) const {
  if (current_ != nullptr && seq == seq_) return current_;
  for (const Parked& each : parked_) {
    if (each.seq == seq) return each.job;
  }
  return nullptr;
}

double JobRunner::SeqOf(int64_t slot, uint32_t serial) const {
  const auto is = [&](const Job& job) {
    return int64_t{job.slot} == slot && job.serial == serial;
  };
  if (current_ != nullptr && is(*current_)) return seq_;
  for (const Parked& each : parked_) {
    if (is(*each.job)) return each.seq;
  }
  return 0;
}

void JobRunner::FinishParked(double seq) {
  const auto found =
      std::find_if(parked_.begin(), parked_.end(),
                   [seq](const Parked& each) { return each.seq == seq; });
  Job* job = found->job;
  parked_.erase(found);
  pool_->queue.FinishParked(self_, job);
  Return(job);
}

double JobRunner::CancelledParked() const {
  for (const Parked& each : parked_) {
    if (each.job->cancelled.load() == End::kNone) continue;
    if (!each.announced || each.job->overdue.load()) return each.seq;
  }
  return 0;
}

bool JobRunner::MustAnnounce(double seq) {
  for (Parked& each : parked_) {
    if (each.seq == seq) return !std::exchange(each.announced, true);
  }
  return false;
}

void JobRunner::SetListening(double seq, bool on) {
  const auto is_over = [&](double each) {
    return each == seq || JobOf(each) == nullptr;
  };
  listening_.erase(
      std::remove_if(listening_.begin(), listening_.end(), is_over),
      listening_.end());
  if (on && JobOf(seq) != nullptr) listening_.push_back(seq);
}

bool JobRunner::AwaitsCancellation() const {
  return std::any_of(listening_.begin(), listening_.end(),
                     [this](double seq) { return JobOf(seq) != nullptr; });
}

void JobRunner::EndCancelled(double seq) {
  Job* job = JobOf(seq);
  job->Fail(job->cancelled.load(std::memory_order_acquire));
  FinishParked(seq);
}

void JobRunner::Return(Job* job) {
  last_ = job;
  if ((job->mode & Job::kTimed) != 0) NoteEnd(job);
  unread_ = pool_->env->completions.Post(job);
}

void JobRunner::NoteStart() {
  Job::Times& times = current_->times;
  // The end of the last job is the start of this one if they were one step.
  times.started = last_end_ != 0 ? last_end_ : MonotonicNow();
  cpu_started_ = -1;
  times.worker = self_->number();
  const bool alone = pool_->config.jobs_per_worker == 1;
  const bool is_metered = alone && (current_->mode & Job::kMetered) != 0;
  if (is_metered) self_->BeginHeapPeak();
  if (is_metered || times.started >= next_cpu_look_) {
    cpu_started_ = self_->CpuTime();
    next_cpu_look_ = times.started + kCpuLookEvery;
  }
  if ((current_->mode & Job::kAnnounced) == 0) return;
  auto event = std::make_unique<WorkerEvent>();
  event->kind = WorkerEvent::Kind::kJobStarted;
  event->pool = pool_->config.id;
  event->target = current_->slot;
  event->payload.kind = PayloadKind::kNumber;
  event->payload.number =
      static_cast<double>(times.started - times.queued) / 1e6;
  pool_->env->completions.PostEvent(std::move(event));
}

void JobRunner::NoteEnd(Job* job) {
  Job::Times& times = job->times;
  times.ended = MonotonicNow();
  times.cpu = -1;
  // Terminated together with the end of the job before it, unstarted.
  if (times.started == 0) {
    times.started = times.ended;
    return;
  }
  // The time of a worker with several jobs cannot be divided among them.
  const bool alone = pool_->config.jobs_per_worker == 1;
  if (alone && cpu_started_ >= 0) times.cpu = self_->CpuTime() - cpu_started_;
  if ((job->mode & Job::kMetered) != 0) {
    times.heap_peak = self_->EndHeapPeak();
  }
  if (taken_ != nullptr) last_end_ = times.ended;
}

Sent JobRunner::Message(SharedTexts* texts, v8::Local<v8::Context> context,
                        double seq, uint32_t channel, uint32_t worker,
                        const EncodedParts& parts) {
  const Job* job = seq == 0 ? nullptr : JobOf(seq);
  if (seq != 0 && job == nullptr) return Sent::kGone;
  auto event = std::make_unique<WorkerEvent>();
  event->kind = WorkerEvent::Kind::kMessage;
  event->pool = pool_->config.id;
  event->channel = channel;
  event->target =
      seq == 0 ? -static_cast<double>(worker) : static_cast<double>(job->slot);
  if (!ReadParts(texts, context, parts, &event->payload)) {
    return Sent::kNoMemory;
  }
  pool_->env->completions.PostEvent(std::move(event));
  return Sent::kSent;
}

uint32_t JobRunner::SharesOf(double seq) const {
  const Job* job = JobOf(seq);
  return job == nullptr || (job->mode & Job::kShares) == 0 ? 0 : job->shares;
}

End JobRunner::CancelledBy(double seq) const {
  const Job* job = JobOf(seq);
  return job == nullptr ? End::kCancelled : job->cancelled.load();
}

}  // namespace sloppy::workers

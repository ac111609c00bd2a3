#include "pool/job_queue.h"

#include <algorithm>
#include <utility>

#include "base/cpu.h"

namespace sloppy::workers {

JobQueue::JobQueue(const Options& options, const JobTable* jobs,
                   std::unique_ptr<SubmitRing> ring)
    : capacity_(options.capacity),
      reserve_(options.reserve),
      shared_(options.shared),
      tiny_limit_(options.tiny),
      jobs_(jobs),
      ring_(std::move(ring)),
      max_running_(options.max_workers),
      max_workers_(options.max_workers + options.reserve) {
  MutexLock lock(mutex_);
  Publish();
}

JobQueue::Submitted JobQueue::Submit(Job* job) { return Admit(job); }

JobQueue::Submitted JobQueue::Kick() { return Admit(nullptr); }

JobQueue::Submitted JobQueue::Admit(Job* job) {
  PoolWorker* wake = nullptr;
  bool wants_worker = false;
  {
    MutexLock lock(mutex_);
    ReadRing();
    if (closed_) return {Admission::kClosed, false};
    if (job != nullptr) {
      if (queued_ >= capacity_) return {Admission::kFull, false};
      Enqueue(job);
    }
    wants_worker = WantsWorker();
    if (Available() > looking_ && !OneIsEnough()) wake = PopIdle();
    if (wake != nullptr) {
      wake->coming_ = true;
      ++coming_;
    }
    Publish();
  }
  // Outside the lock: the woken worker wants it at once. The owner alone
  // ends workers, so it is still there.
  if (wake != nullptr) wake->Wake();
  return {Admission::kQueued, wants_worker, wake != nullptr};
}

void JobQueue::Expect(int64_t until) {
  PoolWorker* worker;
  {
    MutexLock lock(mutex_);
    worker = PopIdle();
    Publish();
  }
  if (worker != nullptr) worker->Expect(until);
}

void JobQueue::ReadRing() {
  if (ring_ == nullptr) return;
  while (Job* job = ring_->Pop(*jobs_)) Enqueue(job);
}

void JobQueue::Enqueue(Job* job) {
  job->state = Job::State::kQueued;
  job->worker = nullptr;
  job->terminate_at = kNever;
  job->terminated = false;
  if (shared_) job->overdue.store(false, std::memory_order_relaxed);
  lists_[std::min<size_t>(job->priority, kPriorities - 1)].PushBack(job);
  ++queued_;
}

void JobQueue::Unqueue(Job* job) {
  lists_[std::min<size_t>(job->priority, kPriorities - 1)].Remove(job);
  --queued_;
}

void JobQueue::Publish() {
  const bool enough = OneIsEnough();
  if (enough != one_is_enough_.load()) one_is_enough_.store(enough);
  const size_t available = Available();
  if (available != available_.load(std::memory_order_relaxed)) {
    available_.store(available, std::memory_order_release);
  }
  if (ring_ == nullptr) return;
  ring_->SetAttend(closed_ || workers_ < max_workers_ ||
                   (idle_count_ != 0 && looking_ == 0 && !enough));
}

bool JobQueue::WantsWorker() const {
  // Those without a job are about to take one, the idle ones when woken.
  return !paused_ && workers_ < max_workers_ &&
         queued_ + running_ + reserve_ > workers_;
}

size_t JobQueue::Available() const {
  if (paused_) return 0;
  if (reserve_ == 0) return queued_;
  const size_t running = running_ - lost_;
  return running >= max_running_ ? 0
                                 : std::min(queued_, max_running_ - running);
}

void JobQueue::WakeForQueued() {
  if (OneIsEnough()) return;
  const size_t available = Available();
  for (size_t i = looking_; i < available; ++i) {
    PoolWorker* worker = PopIdle();
    if (worker == nullptr) return;
    worker->Wake();
  }
}

JobQueue::Removal JobQueue::Cancel(Job* job, Job::Cancel why, int64_t now,
                                   int64_t* next_check) {
  MutexLock lock(mutex_);
  ReadRing();
  switch (job->state) {
    case Job::State::kIdle:
      return Removal::kGone;
    case Job::State::kQueued:
      Unqueue(job);
      job->state = Job::State::kIdle;
      Publish();
      return Removal::kRemoved;
    case Job::State::kRunning:
      break;
  }
  if (why == Job::kNotCancelled) return Removal::kRunning;
  // Read by the worker inside running JavaScript. seq_cst, as is its read
  // before it waits in the loop: it sees this, or Wake() sees that it waits.
  job->cancelled.store(why);
  if (job->grace <= 0) {
    if (shared_) {
      *next_check = Urge(job, now);
    } else {
      Terminate(job);
    }
  } else if (job->terminate_at == kNever) {
    job->terminate_at = now + job->grace;
    *next_check = job->terminate_at;
    job->worker->Wake();
  }
  return Removal::kRunning;
}

JobQueue::Given JobQueue::Abandon(Job* job, PoolWorker** worker) {
  MutexLock lock(mutex_);
  if (job->state != Job::State::kRunning) return Given::kOver;
  if (shared_ && !job->terminated) return Given::kLater;
  *worker = job->worker;
  job->worker->dismissed_ = true;
  job->worker->abandoned_ = true;
  if (reserve_ != 0) ++lost_;
  any_lost_ = true;
  tiny_ = false;
  RemoveMember(job->worker);
  Publish();
  return Given::kGiven;
}

bool JobQueue::IsLost(Job* job) {
  MutexLock lock(mutex_);
  return job->state == Job::State::kRunning && job->worker->abandoned_;
}

bool JobQueue::Deliver(Job* job, std::unique_ptr<Mail> mail) {
  MutexLock lock(mutex_);
  if (job->state != Job::State::kRunning) return false;
  mail->job_serial = job->serial;
  job->worker->PostMail(std::move(mail));
  return true;
}

bool JobQueue::DeliverToWorker(std::unique_ptr<Mail> mail) {
  MutexLock lock(mutex_);
  PoolWorker* oldest = members_;
  if (oldest == nullptr) return false;
  while (oldest->next_member_ != nullptr) oldest = oldest->next_member_;
  oldest->PostMail(std::move(mail));
  return true;
}

void JobQueue::SetPaused(bool paused) {
  MutexLock lock(mutex_);
  ReadRing();
  paused_ = paused;
  if (!paused) WakeForQueued();
  Publish();
}

void JobQueue::SetMaxWorkers(size_t max_workers) {
  MutexLock lock(mutex_);
  max_running_ = max_workers;
  max_workers_ = max_workers + reserve_;
  if (workers_ > max_workers_) {
    while (PoolWorker* worker = PopIdle()) worker->Wake();
  }
  Publish();
}

void JobQueue::Trim(size_t keep) {
  MutexLock lock(mutex_);
  size_t left = workers_;
  while (left > keep) {
    PoolWorker* worker = PopIdle();
    if (worker == nullptr) break;
    worker->dismissed_ = true;
    worker->Wake();
    --left;
  }
  Publish();
}

void JobQueue::Close() {
  MutexLock lock(mutex_);
  closed_ = true;
  while (PoolWorker* worker = PopIdle()) worker->Wake();
  Publish();
}

void JobQueue::DropQueued(JobList* dropped) {
  MutexLock lock(mutex_);
  ReadRing();
  for (JobList& list : lists_) {
    while (Job* job = list.PopFront()) {
      job->state = Job::State::kIdle;
      dropped->PushBack(job);
    }
  }
  queued_ = 0;
  Publish();
}

size_t JobQueue::TerminateAll(Job::Cancel why) {
  MutexLock lock(mutex_);
  size_t count = 0;
  for (PoolWorker* w = members_; w != nullptr; w = w->next_member_) {
    const auto end = [&](Job* job) {
      job->cancelled.store(why, std::memory_order_release);
      job->terminated = true;
      ++count;
    };
    if (w->current_ != nullptr) end(w->current_);
    for (Job* job = w->parked_.front(); job != nullptr; job = job->next) {
      end(job);
    }
    w->Terminate();
  }
  return count;
}

bool JobQueue::IsTerminated(PoolWorker* worker) const {
  MutexLock lock(mutex_);
  return worker->current_ != nullptr && worker->current_->terminated;
}

void JobQueue::Join(PoolWorker* worker) {
  MutexLock lock(mutex_);
  worker->next_member_ = members_;
  members_ = worker;
  ++workers_;
  Publish();
}

void JobQueue::Leave(PoolWorker* worker) {
  MutexLock lock(mutex_);
  RemoveMember(worker);
  Publish();
}

void JobQueue::RemoveMember(PoolWorker* worker) {
  RemoveIdle(worker);
  StopLooking(worker);
  Arrive(worker);
  for (PoolWorker** link = &members_; *link != nullptr;
       link = &(*link)->next_member_) {
    if (*link == worker) {
      *link = worker->next_member_;
      --workers_;
      break;
    }
  }
}

JobQueue::Taken JobQueue::Take(PoolWorker* worker, int64_t* next_check) {
  MutexLock lock(mutex_);
  return TakeLocked(worker, next_check);
}

JobQueue::Taken JobQueue::FinishAndTake(PoolWorker* worker,
                                        int64_t* next_check) {
  MutexLock lock(mutex_);
  if (FinishLocked(worker)) return {nullptr, false, true};
  return TakeLocked(worker, next_check);
}

bool JobQueue::Finish(PoolWorker* worker) {
  MutexLock lock(mutex_);
  const bool terminated = FinishLocked(worker);
  if (reserve_ != 0) {
    // Another one takes the next job while this one renews itself.
    ReadRing();
    WakeForQueued();
    Publish();
  }
  return terminated;
}

JobQueue::Counts JobQueue::GetCounts() {
  MutexLock lock(mutex_);
  ReadRing();
  return {queued_, running_, workers_, idle_count_};
}

bool JobQueue::MustLeave(const PoolWorker* worker) const {
  return worker->dismissed_ || workers_ > max_workers_ ||
         (closed_ && queued_ == 0);
}

bool JobQueue::Park(PoolWorker* worker) {
  MutexLock lock(mutex_);
  Job* job = worker->current_;
  if (job->terminated) return false;
  worker->current_ = nullptr;
  worker->parked_.PushBack(job);
  return true;
}

bool JobQueue::FinishParked(PoolWorker* worker, Job* job) {
  MutexLock lock(mutex_);
  worker->parked_.Remove(job);
  job->state = Job::State::kIdle;
  job->worker = nullptr;
  --running_;
  return job->terminated;
}

void JobQueue::EndIdle(PoolWorker* worker) {
  MutexLock lock(mutex_);
  RemoveIdle(worker);
  StopLooking(worker);
  Arrive(worker);
  Publish();
}

bool JobQueue::BeginIdle(PoolWorker* worker) {
  MutexLock lock(mutex_);
  ReadRing();
  Arrive(worker);
  if (!worker->parked_.empty() && MustLeave(worker)) {
    // It leaves when those have ended.
    StopLooking(worker);
    Publish();
    return true;
  }
  if (MustLeave(worker)) return false;
  const bool rests = OneIsEnough();
  if (!rests && Available() != 0) return false;
  StopLooking(worker);
  worker->astray_since_ = 0;
  if (!worker->idle_) {
    worker->idle_ = true;
    worker->next_idle_ = idle_;
    idle_ = worker;
    ++idle_count_;
  }
  Publish();
  // The owner may have written to the ring before it could know.
  if (ring_ == nullptr || rests) return true;
  HeavyFence();
  if (ring_->empty()) return true;
  RemoveIdle(worker);
  Publish();
  return false;
}

void JobQueue::Arrive(PoolWorker* worker) {
  if (std::exchange(worker->coming_, false)) --coming_;
}

void JobQueue::StopLooking(PoolWorker* worker) {
  if (std::exchange(worker->looking_, false)) --looking_;
}

bool JobQueue::HasBeforeRing() const {
  for (size_t i = 0; i <= SubmitRing::kMostUrgent; ++i) {
    if (!lists_[i].empty()) return true;
  }
  return false;
}

JobQueue::Taken JobQueue::TakeLocked(PoolWorker* worker, int64_t* next_check) {
  // Each look at the ring fetches what the owner has just written. A worker
  // that takes nothing must leave nothing there, or HasWork() keeps it awake.
  if (paused_ || reserve_ != 0 || !HasBeforeRing()) ReadRing();
  worker->astray_since_ = 0;
  Arrive(worker);
  if (MustLeave(worker) && !worker->parked_.empty()) {
    Publish();
    return {};
  }
  if (MustLeave(worker)) {
    // Leave() follows, but the count must fall now: of two surplus workers
    // that look one after the other only as many as needed may go.
    RemoveMember(worker);
    Publish();
    return {nullptr, true, false};
  }
  Job* job = nullptr;
  if (Available() != 0 && !OneIsEnough()) {
    JobList* list = lists_.data();
    while (list->empty()) ++list;
    job = list->front();
    Unqueue(job);
    ++running_;
    RemoveIdle(worker);
    StopLooking(worker);
    const bool unseen = std::exchange(worker->fresh_, false);
    job->state = Job::State::kRunning;
    job->worker = worker;
    worker->current_ = job;
    if (job->cpu_limit != kNever) job->cpu_start = worker->CpuTime();
    // Once per busy spell is enough: the watchdog comes back by itself, and
    // in time for a deadline that is far from the last time anybody knew.
    if (unseen) {
      known_now_ = MonotonicNow();
      *next_check = known_now_ + kLookEvery;
    }
    if (job->deadline - known_now_ < 2 * kLookEvery ||
        job->cpu_limit != kNever) {
      known_now_ = MonotonicNow();
      *next_check =
          std::min(known_now_ + kLookEvery, CheckJob(job, known_now_));
    }
    CountTaken(worker, next_check);
    WakeForQueued();
  } else {
    StopRow(worker);
    if (!worker->idle_ && !worker->looking_) {
      worker->looking_ = true;
      ++looking_;
    }
  }
  Publish();
  return {job, false, false};
}

// Reads the clock once in so many jobs, and where there was none.
void JobQueue::CountTaken(PoolWorker* worker, int64_t* next_check) {
  ++taken_;
  if (max_workers_ < 2 || shared_ || any_lost_) return;
  const bool stopped = worker->row_stopped_ != 0;
  const bool full = ++worker->row_ > kRow;
  if (!stopped && !full) return;
  const int64_t now = MonotonicNow();
  if (stopped) {
    worker->row_since_ += now - std::exchange(worker->row_stopped_, 0);
  }
  if (full) {
    tiny_ = now - std::exchange(worker->row_since_, now) < kRow * tiny_limit_;
    worker->row_ = 1;
  }
  if (tiny_) *next_check = std::min(*next_check, now + kTrust);
}

void JobQueue::StopRow(PoolWorker* worker) {
  if (max_workers_ < 2 || worker->row_stopped_ != 0) return;
  worker->row_stopped_ = MonotonicNow();
}

bool JobQueue::BeginOwn(PoolWorker* worker, int64_t deadline) {
  MutexLock lock(mutex_);
  ReadRing();
  if (MustLeave(worker)) return false;
  Arrive(worker);
  StopLooking(worker);
  RemoveIdle(worker);
  worker->own_deadline_ = deadline;
  Publish();
  return true;
}

void JobQueue::EndOwn(PoolWorker* worker) {
  MutexLock lock(mutex_);
  worker->own_deadline_ = kNever;
}

bool JobQueue::FinishLocked(PoolWorker* worker) {
  Job* job = worker->current_;
  worker->current_ = nullptr;
  job->state = Job::State::kIdle;
  job->worker = nullptr;
  --running_;
  if (reserve_ != 0 && worker->abandoned_) --lost_;
  return job->terminated;
}

PoolWorker* JobQueue::PopIdle() {
  PoolWorker* worker = idle_;
  if (worker != nullptr) RemoveIdle(worker);
  return worker;
}

void JobQueue::RemoveIdle(PoolWorker* worker) {
  if (!worker->idle_) return;
  for (PoolWorker** link = &idle_; *link != nullptr;
       link = &(*link)->next_idle_) {
    if (*link == worker) {
      *link = worker->next_idle_;
      break;
    }
  }
  worker->idle_ = false;
  worker->next_idle_ = nullptr;
  --idle_count_;
}

}  // namespace sloppy::workers

// The workers' part of a queue: they come and go, take jobs and end them.
#include <algorithm>
#include <utility>

#include "base/limits_clock.h"
#include "pool/job_queue.h"

namespace sloppy::workers {

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
  EndRenewal(worker);
  if (worker->special_) DropPinned(worker, &orphans_);
  LeaveHomes(worker);
  if (Unlink(&members_, worker)) --workers_;
}

bool JobQueue::Unlink(PoolWorker** list, const PoolWorker* worker) {
  for (PoolWorker** link = list; *link != nullptr;
       link = &(*link)->next_member_) {
    if (*link != worker) continue;
    *link = worker->next_member_;
    return true;
  }
  return false;
}

JobQueue::Taken JobQueue::Take(PoolWorker* worker, int64_t* next_check) {
  MutexLock lock(mutex_);
  return TakeLocked(worker, next_check);
}

JobQueue::Taken JobQueue::FinishAndTake(PoolWorker* worker,
                                        int64_t* next_check) {
  MutexLock lock(mutex_);
  if (!FinishLocked(worker)) return TakeLocked(worker, next_check);
  // Its worker clears up first, which may take as long as `init`.
  ReadRing();
  Publish();
  return Taken::Terminated();
}

bool JobQueue::Finish(PoolWorker* worker) {
  MutexLock lock(mutex_);
  const bool terminated = FinishLocked(worker);
  // Another one takes the next job while this one renews itself.
  ReadRing();
  Publish();
  return terminated;
}

bool JobQueue::BeginRenewal(PoolWorker* worker) {
  MutexLock lock(mutex_);
  if (renews_ == nullptr) renews_ = worker;
  return renews_ == worker;
}

bool JobQueue::MustLeave(const PoolWorker* worker) const {
  return worker->dismissed_ || workers_ > max_workers_ ||
         (closed_ && queued_ == 0 && worker->pinned_.empty());
}

bool JobQueue::Park(PoolWorker* worker) {
  MutexLock lock(mutex_);
  Job* job = worker->current_;
  if (job->terminated) return false;
  worker->current_ = nullptr;
  worker->turn_seen_ = false;
  worker->parked_.PushBack(job);
  return true;
}

bool JobQueue::FinishParked(PoolWorker* worker, Job* job) {
  MutexLock lock(mutex_);
  worker->parked_.Remove(job);
  job->state = Job::State::kIdle;
  job->worker = nullptr;
  --running_;
  Publish();
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
  EndRenewal(worker);
  if (!worker->parked_.empty() && MustLeave(worker)) {
    // It leaves when those have ended.
    StopLooking(worker);
    Publish();
    return true;
  }
  if (MustLeave(worker) || CanTakePinned(worker)) return false;
  if (worker->waits_.load()) {
    // It is not idle to others: it could take no job of theirs.
    StopLooking(worker);
    worker->astray_since_ = 0;
    Publish();
    return true;
  }
  if (!OneIsEnough() && Unoffered() != 0) return false;
  StopLooking(worker);
  worker->astray_since_ = 0;
  if (!worker->idle_) {
    worker->idle_ = true;
    worker->next_idle_ = idle_;
    idle_ = worker;
    ++idle_count_;
  }
  Publish();
  // False for a job that the owner wrote to the ring meanwhile.
  return worker->idle_;
}

void JobQueue::Arrive(PoolWorker* worker) {
  if (!std::exchange(worker->coming_, false)) return;
  --coming_;
  EndOffer(worker);
}

void JobQueue::StopLooking(PoolWorker* worker) {
  if (std::exchange(worker->looking_, false)) --looking_;
}

bool JobQueue::HasBeforeRing() const {
  return ready_.HasBefore(SubmitRing::kMostUrgent);
}

bool JobQueue::IsWanted(PoolWorker* worker) {
  MutexLock lock(mutex_);
  if (ReadRing()) Publish();
  return MustLeave(worker) || worker->offer_ != nullptr ||
         NextFor(worker) != nullptr;
}

uint64_t JobQueue::Arrived() {
  MutexLock lock(mutex_);
  if (ReadRing()) Publish();
  return arrived_;
}

Job* JobQueue::TakeArrived(PoolWorker* worker, uint64_t arrived) {
  MutexLock lock(mutex_);
  if (CanTakePinned(worker) && worker->pinned_.front()->arrival <= arrived) {
    Job* job = worker->pinned_.front();
    Start(job, worker);
    return job;
  }
  if (Available() == 0 || OneIsEnough()) return nullptr;
  Job* job = ready_.FindArrived(arrived);
  if (job == nullptr) return nullptr;
  Arrive(worker);
  Start(job, worker);
  Publish();
  return job;
}

Job* JobQueue::NextFor(const PoolWorker* worker) const {
  if (worker->special_) {
    if (CanTakePinned(worker)) return worker->pinned_.front();
    if (worker->waits_.load()) return nullptr;
  }
  if (Available() == 0 || OneIsEnough()) return nullptr;
  return ready_.front();
}

void JobQueue::Start(Job* job, PoolWorker* worker) {
  if (job->state == Job::State::kPinned) {
    Unpin(job);
  } else {
    Unqueue(job);
  }
  ++running_;
  RemoveIdle(worker);
  StopLooking(worker);
  job->state = Job::State::kRunning;
  job->worker = worker;
  worker->current_ = job;
  if (job->home != 0) homes_[job->home - 1].last = worker;
  if (job->run_limit != kNever) StartLimit(job);
}

// The earlier of two limits is the job's deadline from now on.
void JobQueue::StartLimit(Job* job) {
  job->call_deadline = job->deadline;
  job->run_ends = LimitsClock::Now() + job->run_limit;
  job->ends_by_run = job->run_ends < job->deadline;
  if (job->ends_by_run) job->deadline = job->run_ends;
}

JobQueue::Taken JobQueue::TakeLocked(PoolWorker* worker, int64_t* next_check) {
  // Each look at the ring fetches what the owner has just written. A worker
  // that takes nothing must leave nothing there, or HasWork() keeps it awake.
  if (paused_ || reserve_ != 0 || !HasBeforeRing()) ReadRing();
  worker->astray_since_ = 0;
  Arrive(worker);
  EndRenewal(worker);
  if (MustLeave(worker) && !worker->parked_.empty()) {
    Publish();
    return {};
  }
  if (MustLeave(worker)) {
    // Leave() follows, but the count must fall now: of two surplus workers
    // that look one after the other only as many as needed may go.
    RemoveMember(worker);
    Publish();
    return Taken::Leave();
  }
  Job* job = NextFor(worker);
  Job* late = nullptr;
  if (job != nullptr) {
    // A look per busy spell is enough: the watchdog comes back by itself, and
    // in time for a deadline that is far from the last time anybody knew.
    if (std::exchange(worker->fresh_, false)) {
      known_now_ = MonotonicNow();
      *next_check = known_now_ + kLookEvery;
    }
    while (job != nullptr && IsLate(job)) {
      EndLate(job);
      job->next = std::exchange(late, job);
      job = NextFor(worker);
    }
  }
  if (job != nullptr) {
    Start(job, worker);
    if (job->cpu_limit != kNever) job->cpu_start = worker->CpuTime();
    if (job->deadline - known_now_ < 2 * kLookEvery ||
        job->cpu_limit != kNever) {
      known_now_ = MonotonicNow();
      *next_check =
          std::min(known_now_ + kLookEvery, CheckJob(job, known_now_));
    }
  } else if (!worker->idle_ && !worker->looking_ && !worker->waits_.load()) {
    worker->looking_ = true;
    ++looking_;
  }
  CountForTrust(worker, job != nullptr, next_check);
  Publish();
  return {.job = job, .last_tiny = trust_.tiny() && queued_ == 0, .late = late};
}

// Reads the clock only for a job whose time may be over.
bool JobQueue::IsLate(const Job* job) {
  if (job->run_limit <= 0) return true;
  if (job->deadline - known_now_ >= 2 * kLookEvery) return false;
  known_now_ = MonotonicNow();
  return LimitsClock::DueAt(job->deadline, known_now_) <= known_now_;
}

// The owner, which would have taken it back, may be busy.
void JobQueue::EndLate(Job* job) {
  const bool by_run = job->run_limit <= 0;
  if (job->state == Job::State::kPinned) {
    Unpin(job);
  } else {
    Unqueue(job);
  }
  job->state = Job::State::kIdle;
  job->cancelled.store(by_run ? End::kRunTimedOut : End::kTimedOut);
}

void JobQueue::CountForTrust(PoolWorker* worker, bool has_job,
                             int64_t* next_check) {
  if (shared_) return;
  TrustPolicy::Row& row = worker->row_;
  if (!has_job) {
    // A single worker's row may as well count the time without jobs, because
    // nobody else could take them: two readings of the clock less.
    if (max_workers_ > 1 && !row.is_paused()) row.Pause(MonotonicNow());
    return;
  }
  if (!trust_.Count(&row)) return;
  const int64_t now = MonotonicNow();
  trust_.Measure(&row, now);
  if (!trust_.tiny() || max_workers_ == 1) return;
  *next_check = std::min(*next_check, trust_.DueAfter(now));
}

bool JobQueue::BeginOwn(PoolWorker* worker, int64_t deadline) {
  MutexLock lock(mutex_);
  ReadRing();
  // A job that it has taken is no other worker's any more.
  const bool leaves = worker->current_ == nullptr && MustLeave(worker);
  if (leaves) {
    RemoveMember(worker);
  } else {
    Arrive(worker);
    StopLooking(worker);
    RemoveIdle(worker);
    worker->own_deadline_ = deadline;
    worker->overdue_ = false;
    worker->prepares_ = true;
  }
  Publish();
  return !leaves;
}

void JobQueue::BeginEnd(PoolWorker* worker, int64_t deadline) {
  MutexLock lock(mutex_);
  ReadRing();
  const PoolWorker* member = members_;
  while (member != nullptr && member != worker) member = member->next_member_;
  if (member != nullptr) {
    Arrive(worker);
    StopLooking(worker);
    RemoveIdle(worker);
  } else if (closed_) {
    return;
  } else {
    worker->leaving_ = true;
    worker->next_member_ = leaving_;
    leaving_ = worker;
  }
  worker->own_deadline_ = deadline;
  worker->overdue_ = false;
  worker->prepares_ = false;
  Publish();
}

void JobQueue::EndOwn(PoolWorker* worker) {
  MutexLock lock(mutex_);
  worker->own_deadline_ = kNever;
  if (!std::exchange(worker->leaving_, false)) return;
  Unlink(&leaving_, worker);
}

bool JobQueue::FinishLocked(PoolWorker* worker) {
  Job* job = worker->current_;
  worker->current_ = nullptr;
  job->state = Job::State::kIdle;
  job->worker = nullptr;
  --running_;
  if (!shared_ && worker->abandoned_) --lost_;
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

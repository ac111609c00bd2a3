// The watchdog's part of a queue: ends jobs whose time is up.
#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/limits_clock.h"
#include "pool/job_queue.h"

namespace sloppy::workers {

int64_t JobQueue::CheckLimits(int64_t now) {
  MutexLock lock(mutex_);
  known_now_ = now;
  ReadRing();
  int64_t next = CheckTrust(now);
  // Trust is checked far more often.
  const bool looks = !trust_.tiny() || now - looked_at_ >= kLookEvery / 2;
  if (looks) looked_at_ = now;
  for (PoolWorker* w = members_; w != nullptr; w = w->next_member_) {
    next = std::min(next, CheckOwn(w, now));
    if (w->current_ == nullptr && w->parked_.empty()) {
      next = std::min(next, CheckMemory(w, now));
      w->fresh_ = true;
      if (!w->idle_ && !w->waits_.load()) {
        next = std::min(next, CheckLeftovers(w, now));
      }
      continue;
    }
    if (looks) w->Look();
    next = std::min(next, now + kLookEvery);
    if (w->current_ != nullptr) {
      w->turn_seen_ = false;
      next = std::min(next, CheckJob(w->current_, now));
    } else {
      CheckStrays(w);
    }
    for (Job* job = w->parked_.front(); job != nullptr; job = job->next) {
      next = std::min(next, CheckJob(job, now));
    }
  }
  for (PoolWorker* w = leaving_; w != nullptr; w = w->next_member_) {
    next = std::min(next, CheckOwn(w, now));
  }
  // Jobs from the ring may wait, and those of workers that are busy elsewhere.
  Publish();
  return coming_ == 0 ? next : std::min(next, now + kLookEvery);
}

// Asks once after the worker's last job.
int64_t JobQueue::CheckMemory(PoolWorker* worker, int64_t now) {
  if (!worker->fresh_) {
    const int64_t rest =
        std::clamp(kReleasePerCpu * std::min(worker->CpuTime(), kReleaseAtMost),
                   kReleaseAfter, kReleaseAtMost);
    worker->release_at_ = worker->CanReleaseMemory() ? now + rest : kNever;
  }
  // A worker that is not idle is looked at again in any case.
  if (!worker->idle_) return kNever;
  if (now < worker->release_at_) return worker->release_at_;
  worker->release_at_ = kNever;
  worker->ReleaseMemory();
  return kNever;
}

int64_t JobQueue::CheckTrust(int64_t now) {
  const TrustPolicy::Load load{.may_trust = MayTrust(),
                               .has_runner = OneIsEnough(),
                               .is_empty = running_ + queued_ == 0};
  if (!trust_.MustCheck(load)) return kNever;
  // The watchdog also comes for other reasons.
  return trust_.IsDue(now) ? trust_.Check(now, CpuOfJobs()) : trust_.due_at();
}

int64_t JobQueue::Doubt(int64_t now) {
  MutexLock lock(mutex_);
  if (ReadRing()) Publish();
  if (!MayTrust() || !trust_.CanDoubt()) return kNever;
  const int64_t due = trust_.Doubt(now, CpuOfJobs());
  // The next job says when to look if none is there.
  return running_ + queued_ == 0 ? kNever : due;
}

// CPU time that the workers with a job have spent; -1 if nobody has one or
// knows.
int64_t JobQueue::CpuOfJobs() const {
  int64_t sum = -1;
  for (const PoolWorker* w = members_; w != nullptr; w = w->next_member_) {
    if (w->current_ == nullptr) continue;
    const int64_t cpu = w->CpuTime();
    if (cpu < 0) return -1;
    sum = std::max<int64_t>(sum, 0) + cpu;
  }
  return sum;
}

int64_t JobQueue::CheckLeftovers(PoolWorker* worker, int64_t now) {
  // A debugger may hold it there.
  if (LimitsClock::IsHeld()) return now + kLookEvery;
  const int64_t at = now - LimitsClock::HeldUntil(now);
  if (worker->astray_since_ == 0) {
    worker->astray_since_ = at;
    return now + kLookEvery;
  }
  // The job that it was woken for, or was about to find, is another's.
  Arrive(worker);
  StopLooking(worker);
  const bool is_missed = queued_ != 0 || !worker->pinned_.empty();
  if (is_missed && at - worker->astray_since_ >= kLeftoversLimit) {
    worker->astray_since_ = at;
    worker->TerminateLeftovers();
  }
  return now + kLookEvery;
}

// Code that a job that was ended goes on with may not yield: then none of the
// others gets on, and those without a limit never would.
void JobQueue::CheckStrays(PoolWorker* worker) {
  if (!worker->HasStrays() || LimitsClock::IsHeld()) return;
  const uint64_t turn = worker->Turns();
  const int64_t cpu = worker->CpuTime();
  if (!std::exchange(worker->turn_seen_, true) || turn != worker->seen_turn_) {
    worker->seen_turn_ = turn;
    worker->turn_cpu_ = cpu;
  } else if (cpu - worker->turn_cpu_ >= kLeftoversLimit) {
    worker->turn_seen_ = false;
    worker->TerminateLeftovers();
  }
}

int64_t JobQueue::CheckJob(Job* job, int64_t now) {
  if (job->terminated) return kNever;
  int64_t next = job->terminate_at;
  const int64_t due = LimitsClock::DueAt(job->deadline, now);
  if (due <= now && job->terminate_at == kNever) {
    End none = End::kNone;
    const bool by_run = job->run_limit != kNever && job->ends_by_run;
    job->cancelled.compare_exchange_strong(
        none, by_run ? End::kRunTimedOut : End::kTimedOut);
    job->terminate_at = next = Later(now, job->grace);
    job->worker->Wake();
  } else {
    next = std::min(next, job->terminate_at == kNever ? due : kNever);
  }
  if (job->cpu_limit != kNever && job->cpu_start >= 0) {
    const int64_t left =
        job->cpu_limit - (job->worker->CpuTime() - job->cpu_start);
    if (left <= 0) {
      job->cancelled.store(End::kCpuLimit, std::memory_order_release);
      Terminate(job);
      return kNever;
    }
    next = std::min(next, now + left);
  }
  if (next <= now) {
    if (shared_) return Urge(job, now);
    Terminate(job);
    return kNever;
  }
  return next;
}

// A worker with several jobs ends one that awaits by itself, between turns of
// its loop, so that the others go on. Only one whose code does not yield is
// terminated. CPU time counts, as a worker that gets none is not to blame.
int64_t JobQueue::Urge(Job* job, int64_t now) {
  PoolWorker* worker = job->worker;
  // The function of another job is called. Microtasks that run at its end may
  // be this one's.
  const bool elsewhere = worker->current_ != nullptr &&
                         worker->current_ != job && !worker->InMicrotasks();
  const int64_t cpu = worker->CpuTime();
  if (!job->overdue.load(std::memory_order_relaxed) || elsewhere) {
    job->overdue.store(true);
    job->overdue_since = now;
    job->cpu_start = cpu;
    worker->Wake();
  } else if (cpu - job->cpu_start >= kPatience ||
             now - job->overdue_since >= kLongPatience) {
    Terminate(job);
    return kNever;
  }
  return job->terminate_at = now + kPatience;
}

int64_t JobQueue::CheckOwn(PoolWorker* worker, int64_t now) {
  if (worker->own_deadline_ == kNever) return kNever;
  const int64_t due = LimitsClock::DueAt(worker->own_deadline_, now);
  if (due <= now) {
    if (std::exchange(worker->overdue_, true)) {
      worker->own_deadline_ = kNever;
      worker->ReportStuck(worker->prepares_);
      return kNever;
    }
    worker->own_deadline_ = LimitsClock::Now() + kStuckAfter;
    worker->Terminate();
    return now + kLookEvery;
  }
  worker->Look();
  return std::min(now + kLookEvery, due);
}

void JobQueue::Terminate(Job* job) {
  if (job->terminated) return;
  job->terminated = true;
  job->worker->Terminate();
}

}  // namespace sloppy::workers

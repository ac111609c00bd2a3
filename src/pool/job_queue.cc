// The owner's part of a queue, and the parts that all sides share.
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
      jobs_(jobs),
      ring_(std::move(ring)),
      ready_(options.order),
      max_running_(options.max_workers),
      max_workers_(options.max_workers + options.reserve),
      trust_(options.tiny) {
  MutexLock lock(mutex_);
  Publish();
}

JobQueue::Submitted JobQueue::Submit(Job* job) { return Admit(job); }

JobQueue::Submitted JobQueue::Kick() { return Admit(nullptr); }

JobQueue::Submitted JobQueue::Admit(Job* job) {
  PoolWorker* wake = nullptr;
  PoolWorker* home = nullptr;
  bool wants_worker = false;
  {
    MutexLock lock(mutex_);
    const bool has_read = ReadRing();
    auto admission = Admission::kQueued;
    if (closed_) {
      admission = Admission::kClosed;
    } else if (job != nullptr && queued_ >= capacity_) {
      admission = Admission::kFull;
    }
    if (admission != Admission::kQueued) {
      if (has_read) Publish();
      return {admission, false};
    }
    if (job != nullptr) {
      Enqueue(job);
      if (job->home != 0) home = Offer(job);
    }
    wants_worker = WantsWorker();
    // Only one worker, because waking costs the owner more than submitting. It
    // wakes the next one for what it leaves.
    wake = PublishAndPick();
  }
  // Outside the lock: the woken worker wants it at once. The owner alone
  // ends workers, so it is still there.
  if (home != nullptr) home->Wake();
  if (wake != nullptr) wake->Wake();
  return {Admission::kQueued, wants_worker, wake != nullptr || home != nullptr};
}

bool JobQueue::ReadRing() {
  if (ring_ == nullptr) return false;
  // Bounded, because an owner that goes on writing must not keep a worker here.
  uint32_t n = 0;
  while (n < SubmitRing::kRows) {
    Job* job = ring_->Pop(*jobs_);
    if (job == nullptr) break;
    Enqueue(job);
    ++n;
  }
  return n != 0;
}

void JobQueue::Enqueue(Job* job) {
  job->state = Job::State::kQueued;
  job->worker = nullptr;
  job->terminate_at = kNever;
  job->terminated = false;
  if (shared_) job->overdue.store(false, std::memory_order_relaxed);
  job->arrival = ++arrived_;
  ready_.Push(job);
  ++queued_;
}

void JobQueue::Unqueue(Job* job) {
  --queued_;
  if (job->worker != nullptr) {
    ForgetOffer(job);
  } else {
    ready_.Remove(job);
  }
}

void JobQueue::Publish() {
  while (PoolWorker* worker = PublishAndPick()) worker->Wake();
}

PoolWorker* JobQueue::PublishAndPick() {
  PoolWorker* picked = PickForQueued();
  const bool enough = OneIsEnough();
  if (enough != one_is_enough_.load()) one_is_enough_.store(enough);
  const bool trusts = MayTrust();
  if (trusts != Trusts()) trusts_.store(trusts, std::memory_order_relaxed);
  const size_t available = Unoffered();
  if (available != available_.load(std::memory_order_relaxed)) {
    available_.store(available, std::memory_order_release);
  }
  if (ring_ == nullptr) return picked;
  const bool attend = closed_ || workers_ < max_workers_ ||
                      (idle_count_ != 0 && looking_ == 0 && !enough);
  if (!ring_->SetAttend(attend)) return picked;
  // The owner may have written before it could know that it has to call.
  HeavyFence();
  if (ring_->empty()) return picked;
  ReadRing();
  available_.store(Unoffered(), std::memory_order_release);
  return picked != nullptr ? picked : PublishAndPick();
}

PoolWorker* JobQueue::PickForQueued() {
  if (idle_ == nullptr || OneIsEnough() || Available() <= looking_ + coming_) {
    return nullptr;
  }
  PoolWorker* worker = PopIdle();
  worker->coming_ = true;
  ++coming_;
  return worker;
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

JobQueue::Removal JobQueue::Cancel(Job* job, End why, int64_t now,
                                   int64_t* next_check) {
  MutexLock lock(mutex_);
  if (ReadRing()) Publish();
  switch (job->state) {
    case Job::State::kIdle:
      return Removal::kGone;
    case Job::State::kQueued:
      Unqueue(job);
      job->state = Job::State::kIdle;
      Publish();
      return Removal::kRemoved;
    case Job::State::kPinned:
      Unpin(job);
      job->state = Job::State::kIdle;
      return Removal::kRemoved;
    case Job::State::kRunning:
      break;
  }
  if (why == End::kNone) return Removal::kRunning;
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
    job->terminate_at = Later(now, job->grace);
    *next_check = job->terminate_at;
    job->worker->Wake();
  }
  return Removal::kRunning;
}

JobQueue::AbandonResult JobQueue::Abandon(Job* job, PoolWorker** worker) {
  MutexLock lock(mutex_);
  if (job->state != Job::State::kRunning) return AbandonResult::kOver;
  if (shared_ && !job->terminated) return AbandonResult::kLater;
  *worker = job->worker;
  job->worker->dismissed_ = true;
  job->worker->abandoned_ = true;
  if (!shared_) ++lost_;
  RemoveMember(job->worker);
  Publish();
  return AbandonResult::kAbandoned;
}

void JobQueue::GiveUp(PoolWorker* worker) {
  MutexLock lock(mutex_);
  worker->own_deadline_ = kNever;
  worker->dismissed_ = true;
  // One that it has taken has not begun.
  if (worker->current_ != nullptr && !shared_ && !worker->abandoned_) ++lost_;
  worker->abandoned_ = true;
  RemoveMember(worker);
  if (std::exchange(worker->leaving_, false)) Unlink(&leaving_, worker);
  Publish();
}

bool JobQueue::IsLost(Job* job) {
  MutexLock lock(mutex_);
  return job->state == Job::State::kRunning && job->worker->abandoned_;
}

int64_t JobQueue::RunLeft(const Job* job, int64_t now) {
  MutexLock lock(mutex_);
  return job->state == Job::State::kRunning ? job->run_ends - now
                                            : job->run_limit;
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
  WakeForPinned();
  Publish();
}

size_t JobQueue::SetMaxWorkers(size_t max_workers) {
  MutexLock lock(mutex_);
  max_running_ = max_workers;
  // Nobody has checked the jobs of a single worker.
  trust_.Forget();
  max_workers_ = max_workers + reserve_;
  if (workers_ > max_workers_) {
    while (PoolWorker* worker = PopIdle()) worker->Wake();
    WakeForPinned();
  }
  Publish();
  return max_workers_;
}

void JobQueue::Trim(size_t keep) {
  MutexLock lock(mutex_);
  // Those that are about to leave do not count.
  size_t left = 0;
  for (PoolWorker* w = members_; w != nullptr; w = w->next_member_) {
    if (!w->dismissed_) ++left;
  }
  while (left > keep) {
    PoolWorker* worker = PopIdle();
    if (worker == nullptr) break;
    worker->dismissed_ = true;
    worker->Wake();
    --left;
  }
  Publish();
}

void JobQueue::Recycle() {
  MutexLock lock(mutex_);
  ReadRing();
  // A worker that is about to go is offered nothing.
  EndOffers();
  for (PoolWorker* w = members_; w != nullptr; w = w->next_member_) {
    w->dismissed_ = true;
  }
  while (PoolWorker* worker = PopIdle()) worker->Wake();
  WakeForPinned();
  Publish();
}

void JobQueue::Close() {
  MutexLock lock(mutex_);
  closed_ = true;
  // A worker that finds nothing now stays only if another job comes.
  EndOffers();
  while (PoolWorker* worker = PopIdle()) worker->Wake();
  WakeForPinned();
  Publish();
}

void JobQueue::DropQueued(JobList* dropped) {
  MutexLock lock(mutex_);
  ReadRing();
  EndOffers();
  while (Job* job = ready_.front()) {
    ready_.Remove(job);
    job->state = Job::State::kIdle;
    dropped->PushBack(job);
  }
  queued_ = 0;
  for (PoolWorker* w = members_; w != nullptr; w = w->next_member_) {
    DropPinned(w, dropped);
  }
  while (Job* job = orphans_.PopFront()) dropped->PushBack(job);
  Publish();
}

size_t JobQueue::TerminateAll(End why) {
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

JobQueue::Counts JobQueue::GetCounts() {
  MutexLock lock(mutex_);
  if (ReadRing()) Publish();
  return {queued_, running_, workers_, idle_count_};
}

}  // namespace sloppy::workers

#include "test/sim/sim_worker.h"

#include <algorithm>
#include <utility>

namespace sloppy::workers::sim {

void SimWorker::Run() {
  JobQueue* queue = pool_->queue_.get();
  queue->Join(this);
  for (;;) {
    if (EndParked()) continue;
    int64_t next_check = kNever;
    const JobQueue::Taken taken = queue->Take(this, &next_check);
    EndLate(taken.late);
    if (!Accept(taken, next_check)) break;
  }
  queue->Leave(this);
  gone_ = true;
  --pool_->live_;
  pool_->waker_->WakeOwner();
}

bool SimWorker::Accept(JobQueue::Taken taken, int64_t next_check) {
  for (;;) {
    if (next_check != kNever) pool_->watchdog_->Arm(next_check);
    if (taken.leave) return false;
    Job* job = taken.job;
    if (job == nullptr) {
      Sleep();
      return true;
    }
    pool_->journal_.Started(job->slot);
    pool_->CheckOrder(job);
    if (job->run_limit != kNever) {
      pool_->journal_.SetBound(job->slot, pool_->world_.now() + job->run_limit +
                                              job->grace + pool_->Slack());
    }
    // Each second job of a pool whose workers have several awaits something.
    if (pool_->plan_.shared && ++seen_ % 2 == 0 && pool_->queue_->Park(this)) {
      parked_.push_back(job);
      return true;
    }
    Execute(job);
    if (job->entry == kSpoils) {
      Finish(job, pool_->queue_->Finish(this));
      Renew();
      return true;
    }
    next_check = kNever;
    taken = pool_->queue_->FinishAndTake(this, &next_check);
    const bool terminated = taken.terminated;
    Finish(job, terminated);
    EndLate(taken.late);
    if (terminated) return true;
  }
}

// Renews itself for a while, unless another one does.
void SimWorker::Renew() {
  if (!pool_->queue_->BeginRenewal(this)) return;
  if (++pool_->renewing_ > 1)
    pool_->world_.Fail("two workers renew themselves");
  ComputeUntil(pool_->world_.now() + kLongNs, nullptr);
  --pool_->renewing_;
}

// A job that awaits ends by itself, or between two turns if it was cancelled.
bool SimWorker::EndParked() {
  if (parked_.empty()) return false;
  const auto ends = [](const Job* job) {
    return job->entry <= kLong || job->entry == kSpoils ||
           job->cancelled.load() != End::kNone;
  };
  const auto found = std::find_if(parked_.begin(), parked_.end(), ends);
  if (found == parked_.end()) return false;
  Job* job = *found;
  parked_.erase(found);
  Finish(job, pool_->queue_->FinishParked(this, job));
  return true;
}

void SimWorker::Finish(Job* job, bool terminated) {
  if (terminated) terminated_ = false;
  if (job->entry == kLong && !terminated) Send(job->slot);
  pool_->journal_.Ended(job->slot, number_, terminated);
  job->status = terminated ? Diagnostic::kJobTimeout : Diagnostic::kNone;
  pool_->done_->Post(job);
}

void SimWorker::Send(uint32_t slot) {
  pool_->journal_.Sent(slot);
  auto event = std::make_unique<WorkerEvent>();
  event->target = slot;
  pool_->done_->PostEvent(std::move(event));
}

// They have not begun.
void SimWorker::EndLate(Job* next) {
  while (next != nullptr) {
    Job* job = std::exchange(next, next->next);
    pool_->journal_.Started(job->slot);
    Finish(job, false);
  }
}

void SimWorker::Execute(Job* job) {
  World* world = &pool_->world_;
  switch (job->entry) {
    case kLong:
      return ComputeUntil(world->now() + kLongNs, nullptr);
    case kEndless:
      return ComputeUntil(kForever, nullptr);
    case kPolite:
      return ComputeUntil(kForever, job);
    default:
      return;
  }
}

void SimWorker::ComputeUntil(int64_t when, const Job* job) {
  World* world = &pool_->world_;
  busy_since_ = world->now();
  while (!terminated_ && world->now() < when) {
    if (job != nullptr && job->cancelled.load() != End::kNone) break;
    if (terminated_) break;
    world->WaitOn(&terminated_, when);
  }
  cpu_ += world->now() - busy_since_;
  busy_since_ = -1;
}

void SimWorker::Sleep() {
  if (!pool_->queue_->BeginIdle(this)) return;
  asleep_ = true;
  gate_.Sleep();
  asleep_ = false;
}

void SimWorker::Wake() {
  gate_.Wake();
  pool_->world_.NotifyAll(&terminated_);
}

void SimWorker::MustBeThere() const {
  if (gone_) pool_->world_.Fail("a worker that has left is used");
}

void SimWorker::Terminate() {
  MustBeThere();
  terminated_ = true;
  Wake();
}

int64_t SimWorker::CpuTime() const {
  MustBeThere();
  return busy_since_ < 0 ? cpu_ : cpu_ + pool_->world_.now() - busy_since_;
}

}  // namespace sloppy::workers::sim

// Jobs that go to the worker which had the last job of their key, for what that
// keeps in memory, as long as it has nothing to do.
//
// An offer says no more than which of the workers without a job begins: a job
// that is offered has a free worker for itself, and an end of that one's
// freedom, whatever the reason, ends the offer. So the job waits no longer than
// for a worker that was woken.
#include <algorithm>
#include <utility>

#include "pool/job_queue.h"

namespace sloppy::workers {

PoolWorker* JobQueue::Offer(Job* job) {
  // The owner has as many numbers as keys that it remembers.
  if (homes_.size() < job->home) {
    homes_.resize(std::max(size_t{job->home}, 2 * homes_.size()));
  }
  Home& home = homes_[job->home - 1];
  if (home.offered != nullptr) {
    // Any worker that is free may take the job, but not before that one.
    EndOffer(home.offered->worker);
    return nullptr;
  }
  PoolWorker* worker = home.last;
  if (worker == nullptr || !IsSpare(worker)) return nullptr;
  RemoveIdle(worker);
  StopLooking(worker);
  if (!std::exchange(worker->coming_, true)) ++coming_;
  ready_.Remove(job);
  job->worker = worker;
  worker->offer_ = home.offered = job;
  ++offers_;
  return worker;
}

// It has nothing to do, also when all jobs before the latest one have a worker.
bool JobQueue::IsSpare(const PoolWorker* worker) const {
  const bool is_free = worker->idle_ || worker->looking_ || worker->coming_;
  return is_free && worker->offer_ == nullptr && !worker->special_ &&
         !worker->dismissed_ && !paused_ && reserve_ == 0 && !OneIsEnough() &&
         queued_ <= idle_count_ + looking_ + coming_;
}

void JobQueue::EndOffer(PoolWorker* worker) {
  Job* job = worker->offer_;
  if (job == nullptr) return;
  ForgetOffer(job);
  // Few are older, because there was a worker for each of them.
  ready_.PutBack(job);
}

void JobQueue::ForgetOffer(Job* job) {
  std::exchange(job->worker, nullptr)->offer_ = nullptr;
  homes_[job->home - 1].offered = nullptr;
  --offers_;
}

void JobQueue::EndOffers() {
  if (offers_ == 0) return;
  for (PoolWorker* w = members_; w != nullptr; w = w->next_member_) EndOffer(w);
}

void JobQueue::LeaveHomes(const PoolWorker* worker) {
  for (Home& home : homes_) {
    if (home.last == worker) home.last = nullptr;
  }
}

}  // namespace sloppy::workers

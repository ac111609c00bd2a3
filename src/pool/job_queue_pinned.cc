// Jobs for one given worker, and workers that ask the owner for such jobs
// before they take any other: what a pool has every worker do once.
#include <utility>

#include "pool/job_queue.h"

namespace sloppy::workers {

bool JobQueue::SubmitTo(Job* job, PoolWorker* worker, uint32_t order) {
  MutexLock lock(mutex_);
  const PoolWorker* member = members_;
  while (member != nullptr && member != worker) member = member->next_member_;
  if (member == nullptr || closed_ || worker->dismissed_) return false;
  job->terminate_at = kNever;
  job->terminated = false;
  if (shared_) job->overdue.store(false, std::memory_order_relaxed);
  job->pinned = true;
  job->pin_order = order;
  job->arrival = ++arrived_;
  Pin(job, worker);
  RemoveIdle(worker);
  Publish();
  worker->Wake();
  return true;
}

void JobQueue::SetGreets(bool greets) {
  MutexLock lock(mutex_);
  greets_.store(greets);
}

bool JobQueue::BeginFresh(PoolWorker* worker, Job** taken) {
  // A worker that reads this too early is a living one to the owner, who gives
  // it its job after SetGreets().
  if (!greets_.load()) return false;
  MutexLock lock(mutex_);
  // One that has to leave asks too, because it stays if the pool grows again.
  Job* job = *taken;
  if (job != nullptr && !job->terminated &&
      job->cancelled.load() == End::kNone) {
    *taken = worker->current_ = nullptr;
    --running_;
    job->worker = nullptr;
    // Its run begins anew.
    if (job->run_limit != kNever) job->deadline = job->call_deadline;
    if (job->pinned) {
      Pin(job, worker);
    } else {
      job->state = Job::State::kQueued;
      ready_.PutBack(job);
      ++queued_;
    }
  }
  worker->waits_.store(true);
  NoteSpecial(worker);
  RemoveIdle(worker);
  StopLooking(worker);
  Arrive(worker);
  Publish();
  return true;
}

void JobQueue::LetIn(PoolWorker* worker) {
  MutexLock lock(mutex_);
  worker->waits_.store(false);
  NoteSpecial(worker);
  worker->Wake();
}

void JobQueue::ForEachPinned(const PoolWorker* worker,
                             const std::function<void(const Job*)>& see) {
  MutexLock lock(mutex_);
  for (const Job* job = worker->pinned_.front(); job != nullptr;
       job = job->next) {
    see(job);
  }
}

void JobQueue::Pin(Job* job, PoolWorker* worker) {
  job->state = Job::State::kPinned;
  job->worker = worker;
  Job* next = worker->pinned_.front();
  while (next != nullptr && next->pin_order <= job->pin_order) {
    next = next->next;
  }
  worker->pinned_.InsertBefore(next, job);
  NoteSpecial(worker);
}

void JobQueue::Unpin(Job* job) {
  PoolWorker* worker = std::exchange(job->worker, nullptr);
  if (worker == nullptr) {
    orphans_.Remove(job);
    return;
  }
  worker->pinned_.Remove(job);
  NoteSpecial(worker);
}

void JobQueue::DropPinned(PoolWorker* worker, JobList* to) {
  while (Job* job = worker->pinned_.PopFront()) {
    job->worker = nullptr;
    if (to != &orphans_) job->state = Job::State::kIdle;
    to->PushBack(job);
  }
  worker->waits_.store(false);
  NoteSpecial(worker);
}

// The others are woken for the jobs that all of them may take.
void JobQueue::WakeForPinned() {
  for (PoolWorker* w = members_; w != nullptr; w = w->next_member_) {
    if (!w->special_) continue;
    RemoveIdle(w);
    w->Wake();
  }
}

}  // namespace sloppy::workers

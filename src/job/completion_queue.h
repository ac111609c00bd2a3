// Finished jobs and worker events on their way to one owner thread: rows of a
// ring (answer_ring.h), and a list where the ring is full.
//
// Invariants
// (1) Many workers post, one owner reads. Post() hands the job over: its worker
//     does not touch it again.
// (2) The owner reads the jobs of one worker in the order in which they were
//     posted. While one of them stands in the list, the later ones go there as
//     well (many_).
// (3) An event is read before the end of the job that has sent it, because
//     Look() counts the answers first and takes the events after that.
// (4) The owner is woken after its work shows in MaybePending(). These words
//     are seq_cst, so either the owner sees them before it sleeps or the worker
//     sees that it sleeps.
// (5) Its mutex is a leaf: the owner is woken after it was unlocked.
// (6) Messages wait for room: WaitForRoom() bounds them in number and bytes.
//     Ends of jobs never wait.
//
// Held by: (1) test/unit/pool/race_test.cc. (2) (3) (4)
// test/unit/job/completion_queue_test.cc and test/sim. (5) the former. (6)
// test/scenario/core-messages.js.
#ifndef SLOPPY_WORKERS_JOB_COMPLETION_QUEUE_H_
#define SLOPPY_WORKERS_JOB_COMPLETION_QUEUE_H_

#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/cpu.h"
#include "base/memory_order.h"
#include "base/mutex.h"
#include "base/protocol_gen.h"
#include "job/answer_ring.h"
#include "job/job.h"

namespace sloppy::workers {

// A message from a worker to its owner that is not a job's end.
struct WorkerEvent {
  using Kind = wire::WorkerEventKind;
  Kind kind = Kind::kMessage;
  uint32_t pool = 0;     // Pool id in the owner's tables.
  double target = 0;     // Job slot, or minus a worker's number.
  uint32_t channel = 0;  // kMessage: as in Mail. kStarted: the worker's place.
  // kExited: the worker. Its payload is the Diagnostic that says why; of
  // kStarted it is its threadId.
  PoolWorker* worker = nullptr;
  Payload payload;
};

// Wakes the owner if it sleeps. Implemented in binding/owner_loop.h.
class OwnerWaker {
 public:
  virtual ~OwnerWaker() = default;
  // Any thread, after what it has posted shows in MaybePending().
  virtual void WakeOwner() = 0;
};

class CompletionQueue {
 public:
  // Events beyond these have to wait for the owner (WaitForRoom), so that a
  // worker that never stops sending cannot fill the process.
  static constexpr size_t kMaxEvents = 1024;
  static constexpr size_t kMaxEventBytes = size_t{16} << 20;

  explicit CompletionQueue(std::shared_ptr<OwnerWaker> waker)
      : waker_(std::move(waker)) {}

  // Any thread. Takes over the job (or the event). How many jobs the owner has
  // not taken, about.
  size_t Post(Job* job) SW_EXCLUDES(mutex_) {
    // Its worker's jobs before it are taken first: while some of them stand in
    // the list, this one does as well.
    if (!many_.load()) {
      const uint32_t unread = ring_.Write(job);
      if (unread == 1) core_.store(CurrentCore(), std::memory_order_relaxed);
      if (unread != 0) {
        waker_->WakeOwner();
        return unread;
      }
    }
    {
      MutexLock lock(mutex_);
      jobs_.push_back(job);
      // The first job of the list has woken the owner already.
      if (jobs_.size() > 1) return AnswerRing::kRows + jobs_.size();
      many_.store(true);
    }
    waker_->WakeOwner();
    return AnswerRing::kRows + 1;
  }
  void PostEvent(std::unique_ptr<WorkerEvent> event) SW_EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      event_bytes_ += event->payload.ByteSize();
      events_.push_back(std::move(event));
      events_pending_.store(true);
    }
    waker_->WakeOwner();
  }

  // Owner. REQUIRES: it has read all that the last Look() counted. Returns how
  // many answers may be read now, and appends the events that were sent so far,
  // see (3).
  size_t Look(std::vector<std::unique_ptr<WorkerEvent>>* events)
      SW_EXCLUDES(mutex_) {
    // The owner has read all of it: give back what one burst has left.
    if (late_.capacity() > kKept && next_late_ == late_.size()) {
      std::vector<Job*>().swap(late_);
      next_late_ = 0;
    }
    uint32_t count = 0;
    while (count < kMaxLook && ring_.Has(count)) ++count;
    const bool has_late = count == 0 && many_.load();
    // Read last, because of (3).
    if (!has_late && !events_pending_.load()) return count;
    MutexLock lock(mutex_);
    if (has_late) count = TakeLate();
    if (!events_.empty()) room_.NotifyAll();
    for (auto& event : events_) events->push_back(std::move(event));
    events_.clear();
    event_bytes_ = 0;
    events_pending_.store(false);
    return count + late_.size() - next_late_;
  }

  // Owner. REQUIRES: fewer were read since Look() than that has said.
  Answer Read() {
    if (before_late_ == 0 && next_late_ < late_.size()) {
      // Each was last written by another core.
      if (next_late_ + kAhead < late_.size()) {
        Prefetch(late_[next_late_ + kAhead]);
      }
      return {late_[next_late_++]};
    }
    if (before_late_ != 0) --before_late_;
    // Its worker may have lost its core in between.
    while (!ring_.Has()) std::this_thread::yield();
    return ring_.Read();
  }
  // Owner. There may be others in the places of those that it has read.
  void GiveBack() { ring_.GiveBack(); }
  // Any thread. Where the last job that came alone was posted, see
  // CurrentCore(); a hint.
  int core() const { return core_.load(std::memory_order_relaxed); }

  // Worker, before PostEvent. Waits until the owner has read enough; false
  // when `interrupted` was set instead, see Interrupt().
  bool WaitForRoom(const Atomic<bool>& interrupted) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (events_.size() >= kMaxEvents || event_bytes_ >= kMaxEventBytes) {
      if (interrupted.load()) return false;
      room_.Wait(mutex_);
    }
    return true;
  }
  // Any thread, after it set what a WaitForRoom looks at.
  void Interrupt() SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    room_.NotifyAll();
  }

  // Any thread. A hint: jobs that the owner has not taken.
  bool JobsPending() const {
    return !ring_.empty() || many_.load(std::memory_order_relaxed);
  }

  // Owner. A hint without the lock: is there more than Look() has counted?
  // REQUIRES: it has read all of that.
  bool MaybePending() const {
    return ring_.Has() || many_.load() || events_pending_.load();
  }

 private:
  // Rows that one Look() counts at the most.
  static constexpr uint32_t kMaxLook = 64;
  static constexpr size_t kAhead = 6;
  // Places of the list that are kept.
  static constexpr size_t kKept = 4096;

  // Takes the list over. Returns how many rows come before it.
  uint32_t TakeLate() SW_REQUIRES(mutex_) {
    late_.clear();
    next_late_ = 0;
    late_.swap(jobs_);
    // While `many_` is set, a worker that has left one there cannot take
    // another row, so all that it has in the ring came before.
    before_late_ = ring_.Taken();
    many_.store(false);
    return before_late_;
  }

  // Shared: a thread that could not be stopped may post when the environment
  // is gone.
  const std::shared_ptr<OwnerWaker> waker_;
  AnswerRing ring_;
  // Owner: jobs of the list that are being read, and rows that come before.
  std::vector<Job*> late_;
  size_t next_late_ = 0;
  uint32_t before_late_ = 0;
  // seq_cst throughout, because of (4).
  alignas(kCacheLine) Atomic<bool> many_{false};  // `jobs_` is not empty.
  Atomic<bool> events_pending_{false};
  Atomic<int> core_{-1};
  alignas(kCacheLine) Mutex mutex_;
  CondVar room_;
  // Jobs for which no row was left.
  std::vector<Job*> jobs_ SW_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<WorkerEvent>> events_ SW_GUARDED_BY(mutex_);
  size_t event_bytes_ SW_GUARDED_BY(mutex_) = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_COMPLETION_QUEUE_H_

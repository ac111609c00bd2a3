#include "pool/watchdog.h"

#include <algorithm>
#include <chrono>

#include "payload/block_cache.h"

namespace sloppy::workers {
namespace {

constexpr int64_t kLongestWait = 3'600'000'000'000;

}  // namespace

Watchdog::~Watchdog() {
  bool started;
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    started = started_;
    changed_.NotifyAll();
  }
  if (started) thread_->Join();
}

void Watchdog::Add(JobQueue* queue) {
  MutexLock lock(mutex_);
  queues_.push_back(queue);
}

void Watchdog::Remove(JobQueue* queue) {
  MutexLock lock(mutex_);
  std::erase(queues_, queue);
}

void Watchdog::Arm(int64_t when) {
  // acquire: pairs with the store below, so a planned look really happens.
  if (when >= next_.load(std::memory_order_acquire)) return;
  MutexLock lock(mutex_);
  if (when >= next_.load(std::memory_order_relaxed) || stopping_) return;
  next_.store(when, std::memory_order_release);
  if (started_) {
    changed_.NotifyOne();
    return;
  }
  started_ = thread_->Start(
      [](void* self) { static_cast<Watchdog*>(self)->Run(); }, this);
  // No thread to be had: the owner's own timers still settle the promises,
  // and the next Arm() tries again.
  if (!started_) next_.store(kNever, std::memory_order_release);
}

void Watchdog::OwnerSleeps(int64_t now) {
  if (!trusts_.load(std::memory_order_relaxed)) return;
  MutexLock lock(mutex_);
  trusts_.store(false, std::memory_order_relaxed);
  for (JobQueue* queue : queues_) {
    const int64_t when = queue->Doubt(now);
    if (when >= next_.load(std::memory_order_relaxed)) continue;
    next_.store(when, std::memory_order_release);
    changed_.NotifyOne();
  }
}

void Watchdog::Run() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    const int64_t next = next_.load(std::memory_order_relaxed);
    const int64_t now = MonotonicNow();
    if (next == kNever) {
      changed_.Wait(mutex_);
    } else if (next > now) {
      // The sum with the clock's time must fit.
      changed_.WaitFor(
          mutex_, std::chrono::nanoseconds(std::min(next - now, kLongestWait)));
    } else {
      // Set first: a job that starts during the look arms anew.
      next_.store(kNever, std::memory_order_release);
      int64_t soonest = BlockCache::Process().Trim(now);
      bool trusts = false;
      for (JobQueue* queue : queues_) {
        soonest = std::min(soonest, queue->CheckLimits(now));
        trusts = trusts || queue->Trusts();
      }
      trusts_.store(trusts, std::memory_order_relaxed);
      if (soonest < next_.load(std::memory_order_relaxed)) {
        next_.store(soonest, std::memory_order_release);
      }
    }
  }
}

}  // namespace sloppy::workers

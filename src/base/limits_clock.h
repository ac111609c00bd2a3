// The clock of time limits: monotonic time that stands still while a debugger
// holds a worker of this process, or a worker waits for one. All limits share
// it, because jobs that wait for a held worker cannot get on either. Any
// thread.
#ifndef SLOPPY_WORKERS_BASE_LIMITS_CLOCK_H_
#define SLOPPY_WORKERS_BASE_LIMITS_CLOCK_H_

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "base/memory_order.h"
#include "base/mutex.h"

namespace sloppy::workers {

class LimitsClock {
 public:
  // Each Hold() is followed by one Release(). Time goes on after the last.
  static void Hold() {
    const MutexLock lock(mutex_);
    if (holders_++ == 0) since_ = MonotonicNow();
    used_.store(true);
  }
  static void Release() {
    const MutexLock lock(mutex_);
    if (--holders_ == 0) total_ += MonotonicNow() - since_;
  }

  // How long it has stood still until `now`, of MonotonicNow().
  static int64_t HeldUntil(int64_t now) {
    if (!used_.load()) return 0;
    const MutexLock lock(mutex_);
    return holders_ == 0 ? total_ : total_ + std::max<int64_t>(now - since_, 0);
  }
  static int64_t Held() { return used_.load() ? HeldUntil(MonotonicNow()) : 0; }
  static bool IsHeld() {
    if (!used_.load()) return false;
    const MutexLock lock(mutex_);
    return holders_ != 0;
  }
  static int64_t Now() {
    const int64_t now = MonotonicNow();
    return now - HeldUntil(now);
  }
  // The time to look at a limit of this clock, on that of MonotonicNow(). It is
  // over if that is not after `now`. Not soon while time stands still.
  static int64_t DueAt(int64_t limit, int64_t now) {
    if (limit == kNever || !used_.load()) return limit;
    const int64_t due = Later(limit, HeldUntil(now));
    return due > now && IsHeld() ? std::max(due, now + kLookEvery) : due;
  }

 private:
  static constexpr int64_t kLookEvery = 20'000'000;

  static inline Mutex mutex_;
  static inline int holders_ SW_GUARDED_BY(mutex_) = 0;
  static inline int64_t since_ SW_GUARDED_BY(mutex_) = 0;
  static inline int64_t total_ SW_GUARDED_BY(mutex_) = 0;
  static inline Atomic<bool> used_{false};
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_LIMITS_CLOCK_H_

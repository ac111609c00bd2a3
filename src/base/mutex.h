// An annotated mutex, its scoped lock and a condition variable.
#ifndef SLOPPY_WORKERS_BASE_MUTEX_H_
#define SLOPPY_WORKERS_BASE_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/cpu.h"
#include "base/thread_annotations.h"

namespace sloppy::workers {

// Any thread. Not recursive. Held for well under a microsecond at a time, so
// waiting begins with a few looks: asking the kernel costs more than that. The
// line that falls without them: in-flight-2 of bench/.
class SW_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() SW_ACQUIRE() {
    for (int i = 0; i < kLooks; ++i) {
      if (mutex_.try_lock()) return;
      CpuRelax();
    }
    mutex_.lock();
  }
  void Unlock() SW_RELEASE() { mutex_.unlock(); }

 private:
  static constexpr int kLooks = 40;

  friend class CondVar;
  std::mutex mutex_;
};

class SW_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SW_ACQUIRE(mutex) : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() SW_RELEASE() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

class CondVar {
 public:
  // REQUIRES: `mutex` is held; it is held again on return. May wake early.
  void Wait(Mutex& mutex) SW_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    cv_.wait(lock);
    lock.release();
  }
  // The same as Wait, but returns at the latest after `timeout`.
  void WaitFor(Mutex& mutex, std::chrono::nanoseconds timeout)
      SW_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    cv_.wait_for(lock, timeout);
    lock.release();
  }
  void NotifyOne() { cv_.notify_one(); }
  void NotifyAll() { cv_.notify_all(); }

 private:
  std::condition_variable cv_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_MUTEX_H_

// Stands for src/base/mutex.h in the simulation: each operation is a point of
// choice.
#ifndef SLOPPY_WORKERS_BASE_MUTEX_H_
#define SLOPPY_WORKERS_BASE_MUTEX_H_

#include <chrono>
#include <cstdint>

#include "base/thread_annotations.h"
#include "test/sim/world.h"

namespace sloppy::workers {

class SW_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() SW_ACQUIRE() {
    sim::World* world = sim::World::Current();
    if (world == nullptr) return;
    world->Point();
    while (held_) world->WaitOn(this);
    held_ = true;
    world->OnLock(this);
  }
  void Unlock() SW_RELEASE() {
    sim::World* world = sim::World::Current();
    if (world == nullptr) return;
    held_ = false;
    world->OnUnlock(this);
    world->NotifyAll(this);
  }

 private:
  bool held_ = false;
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
  void Wait(Mutex& mutex) SW_REQUIRES(mutex) {
    WaitUntil(mutex, sim::kForever);
  }
  void WaitFor(Mutex& mutex, std::chrono::nanoseconds timeout)
      SW_REQUIRES(mutex) {
    WaitUntil(mutex, sim::World::Current()->now() + timeout.count());
  }
  void NotifyOne() { Notify(); }
  void NotifyAll() { Notify(); }

 private:
  void WaitUntil(Mutex& mutex, int64_t until) {
    mutex.Unlock();
    sim::World::Current()->WaitOn(this, until);
    mutex.Lock();
  }
  // One waits at the most, for each of them.
  void Notify() {
    sim::World* world = sim::World::Current();
    if (world != nullptr) world->NotifyAll(this);
  }
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_MUTEX_H_

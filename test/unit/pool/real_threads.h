// What a queue needs of the outside when real threads are at it.
#ifndef SLOPPY_WORKERS_TEST_UNIT_POOL_REAL_THREADS_H_
#define SLOPPY_WORKERS_TEST_UNIT_POOL_REAL_THREADS_H_

#include <thread>

#include "job/completion_queue.h"
#include "pool/watchdog.h"

namespace sloppy::workers {

class GateWaker : public OwnerWaker {
 public:
  void WakeOwner() override { gate.Wake(); }
  WakeGate gate;
};

class StdThread : public Watchdog::Thread {
 public:
  bool Start(void (*run)(void*), void* argument) override {
    thread_ = std::thread(run, argument);
    return true;
  }
  void Join() override { thread_.join(); }

 private:
  std::thread thread_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_TEST_UNIT_POOL_REAL_THREADS_H_

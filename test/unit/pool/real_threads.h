// The surroundings that a queue needs when real threads are at it.
#ifndef SLOPPY_WORKERS_TEST_UNIT_POOL_REAL_THREADS_H_
#define SLOPPY_WORKERS_TEST_UNIT_POOL_REAL_THREADS_H_

#include <thread>
#include <utility>

#include "job/completion_queue.h"
#include "pool/job_queue.h"
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

// Brings back the jobs that were late, as a worker does.
inline void PostLate(const JobQueue::Taken& taken, CompletionQueue* done) {
  for (Job* next = taken.late; next != nullptr;) {
    Job* job = std::exchange(next, next->next);
    done->Post(job);
  }
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_TEST_UNIT_POOL_REAL_THREADS_H_

// A worker's libuv loop, made when the worker waits for something other than
// jobs for the first time: it takes two descriptors, and where libuv has a ring
// of its own in the kernel a third and 28 KB. A worker whose jobs end with
// their call never needs it.
#ifndef SLOPPY_WORKERS_WORKER_WORKER_LOOP_H_
#define SLOPPY_WORKERS_WORKER_WORKER_LOOP_H_

#include <uv.h>

#include <atomic>
#include <cstdint>

#include "base/mutex.h"

namespace sloppy::workers {

class WorkerLoop {
 public:
  WorkerLoop() = default;
  WorkerLoop(const WorkerLoop&) = delete;
  WorkerLoop& operator=(const WorkerLoop&) = delete;

  // Worker thread. Waits while the system has no descriptors left; nullptr
  // when `interrupted` meanwhile.
  uv_loop_t* Open(const std::atomic<bool>& interrupted) SW_EXCLUDES(mutex_);
  // Worker thread. Something that is referenced keeps it going.
  bool alive() const { return opened_ && uv_loop_alive(&loop_) != 0; }
  // Worker thread. REQUIRES: Open(). Waits until something is due, or for
  // Wake(), even if nothing is there to wait for.
  void Turn();
  // The same. The turn waits for no longer than this.
  void Limit(uint64_t ms);
  // Worker thread. What is due, without waiting.
  void TurnNow();
  // Worker thread.
  void Close() SW_EXCLUDES(mutex_);

  // Any thread. Ends the turn that waits, or else the next one.
  void Wake() SW_EXCLUDES(mutex_);

 private:
  // The pause before another try for a descriptor.
  static constexpr unsigned kRetryMs = 5;

  bool TryOpen() SW_EXCLUDES(mutex_);

  // Worker thread.
  uv_loop_t loop_;
  uv_async_t wake_;
  uv_timer_t limit_;
  bool opened_ = false;

  // A leaf lock: a handle that is closed must not be sent to.
  Mutex mutex_;
  bool may_wake_ SW_GUARDED_BY(mutex_) = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_WORKER_LOOP_H_

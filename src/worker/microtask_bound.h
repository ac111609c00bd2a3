// A bound on the microtasks of one checkpoint, so that a chain that feeds
// itself cannot keep a worker for ever. Costs nothing until a checkpoint takes
// long: then the watchdog has the worker count, by a promise hook that is
// removed when the checkpoint ends. It counts at once, because such a chain
// soon takes all memory, and for a part of the time later, because a long
// checkpoint may be the work of a job, and the hook takes several times as long
// as the await that it counts.
#ifndef SLOPPY_WORKERS_WORKER_MICROTASK_BOUND_H_
#define SLOPPY_WORKERS_WORKER_MICROTASK_BOUND_H_

#include <v8.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace sloppy::workers {

class MicrotaskBound {
 public:
  // `on_exceeded` ends the execution. It is called by V8's promise hook.
  MicrotaskBound(size_t limit, std::function<void()> on_exceeded)
      : limit_(limit), on_exceeded_(std::move(on_exceeded)) {}
  MicrotaskBound(const MicrotaskBound&) = delete;
  MicrotaskBound& operator=(const MicrotaskBound&) = delete;

  // Worker thread. Runs the microtasks that wait. V8 ignores nested calls.
  void RunCheckpoint(v8::Isolate* isolate);
  // Worker thread. So many ticks have run, of which none is a microtask: ends
  // the execution if they are too many.
  bool TooMany(size_t ticks) const {
    if (ticks <= limit_) return false;
    on_exceeded_();
    return true;
  }
  // Worker thread. The call comes from a microtask.
  bool running() const { return depth_ > 0; }
  // Any thread. Microtasks run, whichever job they belong to.
  bool in_checkpoint() const {
    return (serial_.load(std::memory_order_relaxed) & 1) == 1;
  }

  // Watchdog, while the isolate cannot be disposed of. The time from one look
  // at a checkpoint to the next is counted kAlways times, then once in kOneOf.
  void Look(v8::Isolate* isolate);

 private:
  static constexpr uint64_t kAlways = 4;
  static constexpr uint64_t kOneOf = 8;

  static void Switch(v8::Isolate* isolate, void* self);
  static void OnPromise(v8::PromiseHookType type,
                        v8::Local<v8::Promise> promise,
                        v8::Local<v8::Value> parent);

  const size_t limit_;
  const std::function<void()> on_exceeded_;
  // Odd inside a checkpoint.
  std::atomic<uint64_t> serial_{0};
  // Watchdog.
  uint64_t seen_ = 0;
  uint64_t looks_ = 0;
  // Written by the watchdog.
  std::atomic<bool> counts_{false};
  // Worker thread.
  int depth_ = 0;
  uint64_t counted_ = 0;
  bool counting_ = false;
  size_t count_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_MICROTASK_BOUND_H_

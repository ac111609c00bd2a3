// A bound on the microtasks of one checkpoint, so that a chain that feeds
// itself cannot keep a worker for ever. Costs nothing until a checkpoint takes
// long: then the watchdog has the worker count, by a promise hook that is
// removed when the checkpoint ends.
#ifndef SLOPPY_WORKERS_WORKER_MICROTASK_BOUND_H_
#define SLOPPY_WORKERS_WORKER_MICROTASK_BOUND_H_

#include <v8.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sloppy::workers {

class MicrotaskBound {
 public:
  explicit MicrotaskBound(size_t limit) : limit_(limit) {}
  MicrotaskBound(const MicrotaskBound&) = delete;
  MicrotaskBound& operator=(const MicrotaskBound&) = delete;

  // Worker thread. Runs the microtasks that wait; nested calls are V8's
  // business, which ignores them.
  void RunCheckpoint(v8::Isolate* isolate);
  // Worker thread. The call comes from a microtask.
  bool running() const { return depth_ > 0; }

  // Watchdog, while the isolate cannot be disposed of. Twice within the same
  // checkpoint, and it is counted from then on.
  void Look(v8::Isolate* isolate);

 private:
  static void StartCounting(v8::Isolate* isolate, void* self);
  static void OnPromise(v8::PromiseHookType type,
                        v8::Local<v8::Promise> promise,
                        v8::Local<v8::Value> parent);

  const size_t limit_;
  // Odd inside a checkpoint.
  std::atomic<uint64_t> serial_{0};
  // Watchdog.
  uint64_t seen_ = 0;
  // Worker thread.
  int depth_ = 0;
  bool counting_ = false;
  size_t count_ = 0;
  v8::Isolate* isolate_ = nullptr;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_MICROTASK_BOUND_H_

#include "worker/worker_loop.h"

namespace sloppy::workers {

uv_loop_t* WorkerLoop::Open(const std::atomic<bool>& interrupted) {
  while (!opened_) {
    opened_ = TryOpen();
    if (opened_) break;
    if (interrupted.load()) return nullptr;
    uv_sleep(kRetryMs);
  }
  return &loop_;
}

bool WorkerLoop::TryOpen() {
  if (uv_loop_init(&loop_) != 0) return false;
  if (uv_async_init(&loop_, &wake_, [](uv_async_t*) {}) != 0) {
    uv_loop_close(&loop_);
    return false;
  }
  uv_unref(reinterpret_cast<uv_handle_t*>(&wake_));
  uv_timer_init(&loop_, &limit_);
  uv_unref(reinterpret_cast<uv_handle_t*>(&limit_));
  MutexLock lock(mutex_);
  may_wake_ = true;
  return true;
}

void WorkerLoop::Turn() {
  // It holds the loop while something outside is awaited.
  auto* wake = reinterpret_cast<uv_handle_t*>(&wake_);
  uv_ref(wake);
  uv_run(&loop_, UV_RUN_ONCE);
  uv_unref(wake);
}

void WorkerLoop::Limit(uint64_t ms) {
  uv_timer_start(
      &limit_, [](uv_timer_t*) {}, ms, 0);
}

void WorkerLoop::TurnNow() {
  if (opened_) uv_run(&loop_, UV_RUN_NOWAIT);
}

void WorkerLoop::Close() {
  if (!opened_) return;
  {
    MutexLock lock(mutex_);
    may_wake_ = false;
  }
  uv_close(reinterpret_cast<uv_handle_t*>(&wake_), nullptr);
  uv_close(reinterpret_cast<uv_handle_t*>(&limit_), nullptr);
  while (uv_run(&loop_, UV_RUN_NOWAIT) != 0) {
  }
  uv_loop_close(&loop_);
  opened_ = false;
}

void WorkerLoop::Wake() {
  MutexLock lock(mutex_);
  if (may_wake_) uv_async_send(&wake_);
}

}  // namespace sloppy::workers

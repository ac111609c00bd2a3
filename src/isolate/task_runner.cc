#include "isolate/task_runner.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"

namespace sloppy::workers {
namespace {

constexpr double kLongestDelay = 1e9;

}  // namespace

void TaskRunner::Post(std::unique_ptr<v8::Task> task, double delay_seconds) {
  MutexLock lock(mutex_);
  if (waker_ == nullptr) return;
  if (delay_seconds <= 0) {
    ready_.push_back(std::move(task));
  } else {
    // Atomics.waitAsync passes on any time that it is given.
    const double seconds = std::min(delay_seconds, kLongestDelay);
    delayed_.emplace(MonotonicNow() + static_cast<int64_t>(seconds * 1e9),
                     std::move(task));
  }
  // The lock is held, so that Close() cannot pull the waker away meanwhile.
  waker_->WakeLoop();
}

bool TaskRunner::RunDue(const std::function<bool()>& goes_on) {
  std::deque<std::unique_ptr<v8::Task>> batch;
  {
    MutexLock lock(mutex_);
    batch.swap(ready_);
    if (!delayed_.empty()) {
      const int64_t now = MonotonicNow();
      while (!delayed_.empty() && delayed_.begin()->first <= now) {
        batch.push_back(std::move(delayed_.begin()->second));
        delayed_.erase(delayed_.begin());
      }
    }
  }
  for (auto& task : batch) {
    task->Run();
    if (!goes_on()) break;
  }
  return !batch.empty();
}

int64_t TaskRunner::NextDelayMs() const {
  MutexLock lock(mutex_);
  if (!ready_.empty()) return 0;
  if (delayed_.empty()) return -1;
  const int64_t left = delayed_.begin()->first - MonotonicNow();
  return left <= 0 ? 0 : left / 1'000'000 + 1;
}

void TaskRunner::Close() {
  std::deque<std::unique_ptr<v8::Task>> ready;
  std::multimap<int64_t, std::unique_ptr<v8::Task>> delayed;
  MutexLock lock(mutex_);
  waker_ = nullptr;
  ready.swap(ready_);
  delayed.swap(delayed_);
}

}  // namespace sloppy::workers

// V8's foreground tasks of one isolate: garbage collection steps, WebAssembly
// compilation results, Atomics.waitAsync, finalisers. V8's own threads post
// them, the worker thread runs them.
#ifndef SLOPPY_WORKERS_ISOLATE_TASK_RUNNER_H_
#define SLOPPY_WORKERS_ISOLATE_TASK_RUNNER_H_

#include <v8-platform.h>
#include <v8.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "base/mutex.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {

class TaskRunner : public v8::TaskRunner {
 public:
  // Wakes the worker's loop. Must stay valid until Close().
  struct Waker {
    virtual ~Waker() = default;
    virtual void WakeLoop() = 0;  // Any thread.
  };

  explicit TaskRunner(Waker* waker) : waker_(waker) {}

  // Worker thread. Runs the tasks that are due; true if one ran. If `goes_on`
  // says no after one, the others are dropped.
  bool RunDue(const std::function<bool()>& goes_on) SW_EXCLUDES(mutex_);
  // Worker thread. Milliseconds until the next delayed task, -1 for none.
  int64_t NextDelayMs() const SW_EXCLUDES(mutex_);
  // Worker thread. Drops everything, now and later.
  void Close() SW_EXCLUDES(mutex_);

  bool IdleTasksEnabled() override { return false; }
  bool NonNestableTasksEnabled() const override { return true; }
  bool NonNestableDelayedTasksEnabled() const override { return true; }

  // Any thread.
#if SW_V8_AT_LEAST(12, 0)
 protected:
  void PostTaskImpl(std::unique_ptr<v8::Task> task,
                    const v8::SourceLocation&) override {
    Post(std::move(task), 0);
  }
  void PostNonNestableTaskImpl(std::unique_ptr<v8::Task> task,
                               const v8::SourceLocation&) override {
    Post(std::move(task), 0);
  }
  void PostDelayedTaskImpl(std::unique_ptr<v8::Task> task, double delay,
                           const v8::SourceLocation&) override {
    Post(std::move(task), delay);
  }
  void PostNonNestableDelayedTaskImpl(std::unique_ptr<v8::Task> task,
                                      double delay,
                                      const v8::SourceLocation&) override {
    Post(std::move(task), delay);
  }
  void PostIdleTaskImpl(std::unique_ptr<v8::IdleTask>,
                        const v8::SourceLocation&) override {}
#else
  void PostTask(std::unique_ptr<v8::Task> task) override {
    Post(std::move(task), 0);
  }
  void PostNonNestableTask(std::unique_ptr<v8::Task> task) override {
    Post(std::move(task), 0);
  }
  void PostDelayedTask(std::unique_ptr<v8::Task> task, double delay) override {
    Post(std::move(task), delay);
  }
  void PostNonNestableDelayedTask(std::unique_ptr<v8::Task> task,
                                  double delay) override {
    Post(std::move(task), delay);
  }
  void PostIdleTask(std::unique_ptr<v8::IdleTask>) override {}
#endif

 private:
  void Post(std::unique_ptr<v8::Task> task, double delay_seconds)
      SW_EXCLUDES(mutex_);

  mutable Mutex mutex_;
  Waker* waker_ SW_GUARDED_BY(mutex_);
  std::deque<std::unique_ptr<v8::Task>> ready_ SW_GUARDED_BY(mutex_);
  std::multimap<int64_t, std::unique_ptr<v8::Task>> delayed_
      SW_GUARDED_BY(mutex_);
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_TASK_RUNNER_H_

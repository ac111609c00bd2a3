#include "isolate/bindings/script_timeout.h"

#include <chrono>
#include <utility>

#include "base/clock.h"

namespace sloppy::workers {

bool ScriptTimeout::Start() {
  started_ = uv_thread_create(
                 &thread_,
                 [](void* self) { static_cast<ScriptTimeout*>(self)->Run(); },
                 this) == 0;
  return started_;
}

bool ScriptTimeout::End() {
  if (!std::exchange(started_, false)) return false;
  {
    MutexLock lock(mutex_);
    ended_ = true;
    changed_.NotifyOne();
  }
  uv_thread_join(&thread_);
  MutexLock lock(mutex_);
  return fired_;
}

void ScriptTimeout::Run() {
  const int64_t until = MonotonicNow() + int64_t{ms_} * 1'000'000;
  MutexLock lock(mutex_);
  while (!ended_) {
    const int64_t left = until - MonotonicNow();
    if (left <= 0) {
      fired_ = true;
      isolate_->TerminateExecution();
      return;
    }
    changed_.WaitFor(mutex_, std::chrono::nanoseconds(left));
  }
}

}  // namespace sloppy::workers

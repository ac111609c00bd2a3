#include "worker/loop_timers.h"

namespace sloppy::workers {

void LoopTimers::Start(double id, uint64_t ms, bool repeat) {
  Stop(id);
  auto* timer = new Timer{{}, this, id, repeat};
  timer->handle.handle.data = timer;
  timers_.emplace(id, timer);
  if (ms == 0) {
    uv_idle_init(loop_, &timer->handle.idle);
    uv_idle_start(&timer->handle.idle, [](uv_idle_t* idle) {
      OnFire(static_cast<Timer*>(idle->data));
    });
    return;
  }
  uv_timer_init(loop_, &timer->handle.timer);
  // The loop's cached time is as old as its last turn; jobs run in between.
  uv_update_time(loop_);
  uv_timer_start(
      &timer->handle.timer,
      [](uv_timer_t* handle) { OnFire(static_cast<Timer*>(handle->data)); }, ms,
      repeat ? ms : 0);
}

void LoopTimers::Stop(double id) {
  const auto found = timers_.find(id);
  if (found == timers_.end()) return;
  Timer* timer = found->second;
  timers_.erase(found);
  Close(timer);
}

void LoopTimers::SetRef(double id, bool ref) {
  const auto found = timers_.find(id);
  if (found == timers_.end()) return;
  uv_handle_t* handle = &found->second->handle.handle;
  if (ref) {
    uv_ref(handle);
  } else {
    uv_unref(handle);
  }
}

void LoopTimers::StopAll() {
  for (auto& [id, timer] : timers_) Close(timer);
  timers_.clear();
}

void LoopTimers::OnFire(Timer* timer) {
  LoopTimers* owner = timer->owner;
  const double id = timer->id;
  if (!timer->repeat) owner->Stop(id);
  owner->callback_(owner->data_, id);
}

void LoopTimers::Close(Timer* timer) {
  uv_close(
      reinterpret_cast<uv_handle_t*>(&timer->handle),
      [](uv_handle_t* handle) { delete static_cast<Timer*>(handle->data); });
}

}  // namespace sloppy::workers

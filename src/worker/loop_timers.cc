#include "worker/loop_timers.h"

#include <utility>

namespace sloppy::workers {

void LoopTimers::Start(double id, uint64_t ms) {
  if (ms == 0) {
    StartTurn(id);
    return;
  }
  Stop(id);
  auto* timer = new Timer{{}, this, id};
  timer->handle.handle.data = timer;
  timers_.emplace(id, timer);
  uv_timer_init(loop_, &timer->handle.timer);
  // The loop's cached time is as old as its last turn; jobs run in between.
  uv_update_time(loop_);
  uv_timer_start(
      &timer->handle.timer,
      [](uv_timer_t* handle) { OnFire(static_cast<Timer*>(handle->data)); }, ms,
      0);
}

void LoopTimers::StartTurn(double id) {
  if (turn_ == nullptr) {
    turn_ = new Timer{{}, this, id};
    turn_->handle.handle.data = turn_;
    uv_idle_init(loop_, &turn_->handle.idle);
  }
  turn_->id = id;
  uv_idle_start(&turn_->handle.idle, [](uv_idle_t* idle) {
    uv_idle_stop(idle);
    const auto* timer = static_cast<Timer*>(idle->data);
    timer->owner->callback_(timer->owner->data_, timer->id);
  });
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

bool LoopTimers::IsDue() const {
  if (uv_loop_alive(loop_) == 0) return false;
  uv_update_time(loop_);
  return uv_backend_timeout(loop_) == 0;
}

void LoopTimers::StopAll() {
  for (auto& [id, timer] : timers_) Close(timer);
  timers_.clear();
  if (turn_ != nullptr) Close(std::exchange(turn_, nullptr));
}

void LoopTimers::OnFire(Timer* timer) {
  LoopTimers* owner = timer->owner;
  const double id = timer->id;
  owner->Stop(id);
  owner->callback_(owner->data_, id);
}

void LoopTimers::Close(Timer* timer) {
  uv_close(
      reinterpret_cast<uv_handle_t*>(&timer->handle),
      [](uv_handle_t* handle) { delete static_cast<Timer*>(handle->data); });
}

}  // namespace sloppy::workers

#include "binding/owner_loop.h"

#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/live.h"

namespace sloppy::workers {
namespace {

// How long deliveries may keep the loop from its other work.
constexpr int64_t kTurnNs = 1'000'000;
// How long they may between two polls of the loop where jobs come one at a
// time, and how long each is waited for there: about what a poll costs. The
// line that falls without it: round-trip of bench/.
constexpr int64_t kHotNs = 100'000;
constexpr int64_t kSoonNs = 2'000;

void ReportException(napi_env env) {
  // Ours is a defect, a listener's is the caller's: either way the
  // environment's uncaught exception, not a warning.
  napi_value thrown;
  if (napi_get_and_clear_last_exception(env, &thrown) == napi_ok) {
    napi_fatal_exception(env, thrown);
  }
}

}  // namespace

bool OwnerLoop::Open(napi_env env, napi_value callback, Inbox* inbox,
                     Watchdog* watchdog, int64_t spin_ns) {
  uv_loop_t* loop = nullptr;
  napi_value name;
  if (opened_ || napi_get_uv_event_loop(env, &loop) != napi_ok ||
      napi_create_string_utf8(env, "sloppy-workers", NAPI_AUTO_LENGTH, &name) !=
          napi_ok ||
      napi_create_reference(env, callback, 1, &callback_) != napi_ok ||
      napi_async_init(env, nullptr, name, &context_) != napi_ok) {
    return false;
  }
  {
    MutexLock lock(wake_mutex_);
    if (napi_create_threadsafe_function(env, callback, nullptr, name, 0, 1,
                                        nullptr, OnFreed, this, OnWake,
                                        &wake_) != napi_ok) {
      return false;
    }
    LiveCounts::Add(Live::kThreadsafeFunctions, 1);
    napi_unref_threadsafe_function(env, wake_);
  }
  env_ = env;
  inbox_ = inbox;
  watchdog_ = watchdog;
  spin_ns_ = spin_ns;
  uv_prepare_init(loop, &prepare_);
  uv_check_init(loop, &check_);
  uv_idle_init(loop, &idle_);
  prepare_.data = check_.data = idle_.data = this;
  uv_unref(reinterpret_cast<uv_handle_t*>(&prepare_));
  uv_unref(reinterpret_cast<uv_handle_t*>(&check_));
  uv_unref(reinterpret_cast<uv_handle_t*>(&idle_));
  open_handles_ = 3;
  opened_ = true;
  return true;
}

void OwnerLoop::Activate() {
  const bool wanted = words_[kActive] != 0;
  if (!opened_ || wanted == active_) return;
  active_ = wanted;
  if (active_) {
    uv_prepare_start(&prepare_, OnPrepare);
    uv_check_start(&check_, OnCheck);
    MutexLock lock(wake_mutex_);
    napi_ref_threadsafe_function(env_, wake_);
    return;
  }
  uv_prepare_stop(&prepare_);
  uv_check_stop(&check_);
  Idle(false);
  {
    MutexLock lock(wake_mutex_);
    napi_unref_threadsafe_function(env_, wake_);
  }
  // The owner is woken by the threadsafe function alone from here on.
  state_.store(kSleeping);
  if (inbox_->HasMore()) WakeOwner();
}

void OwnerLoop::Close(void (*done)(void*), void* data) {
  napi_threadsafe_function wake = nullptr;
  {
    MutexLock lock(wake_mutex_);
    wake = std::exchange(wake_, nullptr);
  }
  if (wake != nullptr) {
    napi_release_threadsafe_function(wake, napi_tsfn_abort);
  }
  if (!opened_) {
    done(data);
    return;
  }
  opened_ = false;
  napi_delete_reference(env_, callback_);
  napi_async_destroy(env_, context_);
  done_ = done;
  done_data_ = data;
  const auto closed = [](uv_handle_t* handle) {
    auto* self = static_cast<OwnerLoop*>(handle->data);
    if (--self->open_handles_ == 0) self->done_(self->done_data_);
  };
  uv_close(reinterpret_cast<uv_handle_t*>(&prepare_), closed);
  uv_close(reinterpret_cast<uv_handle_t*>(&check_), closed);
  uv_close(reinterpret_cast<uv_handle_t*>(&idle_), closed);
}

void OwnerLoop::WakeOwner() {
  // seq_cst with the store before the loop sleeps: either the loop sees what
  // was posted, or we see that it sleeps.
  if (state_.load() != kSleeping || state_.exchange(kAwake) != kSleeping) {
    return;
  }
  MutexLock lock(wake_mutex_);
  if (wake_ == nullptr) return;
  // napi_closing: the environment ends, and its state ends all that is left.
  napi_call_threadsafe_function(wake_, nullptr, napi_tsfn_nonblocking);
}

// Perhaps after this object's end.
void OwnerLoop::OnFreed(napi_env, void*, void*) {
  LiveCounts::Add(Live::kThreadsafeFunctions, -1);
}

// `env` is null while the environment is being torn down.
void OwnerLoop::OnWake(napi_env env, napi_value callback, void* data, void*) {
  if (env == nullptr || callback == nullptr) return;
  auto* self = static_cast<OwnerLoop*>(data);
  // Woken while it waited: the check handle is next. Not here, where Node runs
  // what each call leaves to do only after the last one.
  if (self->active_) return;
  self->state_.store(kSleeping);
  self->touched_ = true;
  self->CallBack();
  if (!self->active_ && self->inbox_->HasMore()) self->WakeOwner();
}

void OwnerLoop::OnPrepare(uv_prepare_t* handle) {
  static_cast<OwnerLoop*>(handle->data)->Prepare();
}

void OwnerLoop::OnCheck(uv_check_t* handle) {
  auto* self = static_cast<OwnerLoop*>(handle->data);
  self->state_.store(kAwake);
  if (self->inbox_->HasMore()) self->Deliver();
}

void OwnerLoop::Prepare() {
  if (!inbox_->HasMore()) {
    const int64_t now = MonotonicNow();
    const bool asked = touched_ || words_[kTouched] != 0;
    const bool pays = SpinPays(now);
    if (asked || pays) GiveWay();
    if (pays || inbox_->HasMore()) {
      TakeSoon(now);
    } else {
      state_.store(kSleeping);
      if (!inbox_->HasMore()) {
        watchdog_->OwnerSleeps(now);
        Idle(false);
        return;
      }
      state_.store(kAwake);
    }
  }
  // A listener may have closed the loop.
  if (opened_ && active_) Idle(true);
}

// Answers that come at once, and those to what is submitted then.
void OwnerLoop::TakeSoon(int64_t now) {
  const int64_t end = now + kHotNs;
  while (now < end) {
    const int64_t until = now + kSoonNs;
    while (!inbox_->HasMore()) {
      for (int i = 0; i < 8 && !inbox_->HasMore(); ++i) CpuRelax();
      now = MonotonicNow();
      if (now >= until) return;
    }
    if (!CallBack()) return;
    Paid();
    if (!opened_ || !active_ || inbox_->HasMore()) return;
    const bool asked_more = Touched();
    touched_ = true;
    if (!asked_more) return;
    now = MonotonicNow();
    spin_until_ = now + spin_ns_;
    GiveWay();
  }
}

// Gives way to a worker on the same core. It does all its work and then gives
// way to the owner, so no answer needs a wake-up.
void OwnerLoop::GiveWay() {
  if (!inbox_->SharesCore()) return;
  const int64_t before = MonotonicNow();
  if (!yield_policy_.MayYield(before)) return;
  std::this_thread::yield();
  yield_policy_.Yielded(before, MonotonicNow());
}

bool OwnerLoop::Touched() {
  const bool written = std::exchange(words_[kTouched], 0) != 0;
  return std::exchange(touched_, false) || written;
}

bool OwnerLoop::SpinPays(int64_t now) {
  if (spin_ns_ <= 0) return false;
  if (Touched()) {
    if (!spinning_.MayTry()) return false;
    spin_until_ = now + spin_ns_;
    return true;
  }
  if (spin_until_ == 0) return false;
  if (now < spin_until_) return true;
  spin_until_ = 0;
  spinning_.Failed();
  return false;
}

// A wait was worth it.
void OwnerLoop::Paid() {
  if (spin_until_ == 0) return;
  spinning_.Paid();
  spin_until_ = 0;
}

void OwnerLoop::Deliver() {
  Paid();
  touched_ = true;
  const int64_t until = MonotonicNow() + kTurnNs;
  while (CallBack() && inbox_->HasMore() && MonotonicNow() < until) {
  }
}

// False when JavaScript cannot be called any more, or has thrown.
bool OwnerLoop::CallBack() {
  napi_handle_scope scope;
  napi_value callback;
  napi_value receiver;
  if (!opened_ || napi_open_handle_scope(env_, &scope) != napi_ok) return false;
  napi_status status = napi_get_reference_value(env_, callback_, &callback);
  if (status == napi_ok) status = napi_get_global(env_, &receiver);
  if (status == napi_ok) {
    // A listener that runs a loop of its own needs the handles at once.
    words_[kDelivering] = active_ ? 1 : 0;
    status = napi_make_callback(env_, context_, receiver, callback, 0, nullptr,
                                nullptr);
    words_[kDelivering] = 0;
    Activate();
  }
  if (status == napi_pending_exception) ReportException(env_);
  napi_close_handle_scope(env_, scope);
  return status == napi_ok;
}

void OwnerLoop::Idle(bool on) {
  if (on == idling_) return;
  idling_ = on;
  if (on) {
    uv_idle_start(&idle_, [](uv_idle_t*) {});
  } else {
    uv_idle_stop(&idle_);
  }
}

}  // namespace sloppy::workers

// Wakes the owner's JavaScript when workers have posted something, at the
// least cost that its loop allows:
//
// 1. While the owner's loop runs, posting wakes nobody: the loop looks at the
//    queue by itself after each poll (uv_check) and before it would sleep
//    (uv_prepare). Only a loop that sleeps is woken, by the threadsafe
//    function.
// 2. After a submission or a delivery the loop polls for a few microseconds
//    before it sleeps, while that has lately paid off; uv_idle makes its
//    timeout 0, so other I/O is served all the time. Where a worker is on the
//    same core, as it is where there is but one, the loop gives way to it once
//    something was submitted, before it looks or sleeps.
// 3. Answers are delivered in parts, with the microtasks of each part before
// the
//    next, so that workers have new jobs while the owner still settles. After a
//    millisecond the loop has its turn, however much is left.
// 4. With nothing under way the handles are stopped: an idle process has no
//    wake-ups, and none of the handles keeps it alive.
//
// Threadsafe-function rules: referenced only while work is under way;
// released once, under `wake_mutex_`, so that a late WakeOwner finds nothing.
#ifndef SLOPPY_WORKERS_BINDING_OWNER_LOOP_H_
#define SLOPPY_WORKERS_BINDING_OWNER_LOOP_H_

#include <napi.h>
#include <uv.h>

#include <atomic>

#include "base/mutex.h"
#include "base/payoff.h"
#include "base/protocol_gen.h"
#include "base/yield_policy.h"
#include "binding/inbox.h"
#include "pool/watchdog.h"

namespace sloppy::workers {

class OwnerLoop final : public OwnerWaker {
 public:
  OwnerLoop() = default;
  OwnerLoop(const OwnerLoop&) = delete;
  OwnerLoop& operator=(const OwnerLoop&) = delete;

  // Owner, once. `callback` takes the answers in `inbox`, a part at a time.
  bool Open(napi_env env, napi_value callback, Inbox* inbox, Watchdog* watchdog,
            int64_t spin_ns);
  // Owner. Reads kActive again, and refers to the loop while it is set.
  void Activate();
  // Owner. Something was submitted: an answer may come soon.
  void Touch() { touched_ = true; }
  // Words that JavaScript reads and writes without a call: numbers, 0 for no.
  // kTouched is Touch(), set by it; kActive that work is under way, set by it
  // too, and read when a delivery (kDelivering) is over or by Activate().
  static constexpr uint32_t kTouched = wire::OwnerWord::kTouched;
  static constexpr uint32_t kDelivering = wire::OwnerWord::kDelivering;
  static constexpr uint32_t kActive = wire::OwnerWord::kActive;
  static constexpr uint32_t kWords = wire::OwnerWord::kCount;
  // Owner, once, before Open. kWords of them, good until Close.
  void ShareWords(double* words) { words_ = words; }
  // Owner. The owner is not woken any more; `done` follows on the loop once the
  // handles are closed, at once when there are none.
  void Close(void (*done)(void*), void* data);

  // Any thread.
  void WakeOwner() override;

 private:
  enum State : int { kAwake, kSleeping };

  static void OnPrepare(uv_prepare_t* handle);
  static void OnCheck(uv_check_t* handle);
  static void OnWake(napi_env env, napi_value callback, void* self, void*);
  static void OnFreed(napi_env env, void*, void*);
  void Prepare();
  void TakeSoon(int64_t now);
  void GiveWay();
  void Deliver();
  void Paid();
  bool CallBack();
  bool Touched();
  bool SpinPays(int64_t now);
  void Idle(bool on);

  std::atomic<int> state_{kSleeping};
  Mutex wake_mutex_;
  napi_threadsafe_function wake_ SW_GUARDED_BY(wake_mutex_) = nullptr;

  // Owner.
  napi_env env_ = nullptr;
  napi_ref callback_ = nullptr;
  napi_async_context context_ = nullptr;
  Inbox* inbox_ = nullptr;
  Watchdog* watchdog_ = nullptr;
  uv_prepare_t prepare_{};
  uv_check_t check_{};
  uv_idle_t idle_{};
  bool opened_ = false;
  bool active_ = false;
  bool idling_ = false;
  bool touched_ = false;
  double* words_ = nullptr;
  int64_t spin_ns_ = 0;
  int64_t spin_until_ = 0;
  Payoff spinning_;
  YieldPolicy yield_policy_;
  int open_handles_ = 0;
  void (*done_)(void*) = nullptr;
  void* done_data_ = nullptr;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_OWNER_LOOP_H_

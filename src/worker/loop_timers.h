// The timers of a worker's realm on its libuv loop. Worker thread only.
#ifndef SLOPPY_WORKERS_WORKER_LOOP_TIMERS_H_
#define SLOPPY_WORKERS_WORKER_LOOP_TIMERS_H_

#include <uv.h>

#include <cstdint>
#include <unordered_map>

namespace sloppy::workers {

class LoopTimers {
 public:
  using Callback = void (*)(void* data, double id);

  LoopTimers(uv_loop_t* loop, Callback callback, void* data)
      : loop_(loop), callback_(callback), data_(data) {}
  ~LoopTimers() { StopAll(); }
  LoopTimers(const LoopTimers&) = delete;
  LoopTimers& operator=(const LoopTimers&) = delete;

  // Fires once; at 0 ms in the loop's next turn, and never in the one that is
  // running, so that timers made inside each other leave the loop time for
  // other events. Only one of 0 ms at a time; its handle stays.
  void Start(double id, uint64_t ms);
  void Stop(double id);
  // A timer that is not referenced does not keep a pending job waiting.
  void SetRef(double id, bool ref);
  // Whether the loop's next turn has something to do and would not wait.
  bool IsDue() const;
  // No callback comes after this. Handles close on the loop's next turn.
  void StopAll();

 private:
  struct Timer {
    uv_any_handle handle;  // timer, or idle for 0 ms
    LoopTimers* owner;
    double id;
  };
  void StartTurn(double id);
  static void OnFire(Timer* timer);
  static void Close(Timer* timer);

  uv_loop_t* const loop_;
  const Callback callback_;
  void* const data_;
  std::unordered_map<double, Timer*> timers_;
  // The one of 0 ms, once there was one.
  Timer* turn_ = nullptr;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_LOOP_TIMERS_H_

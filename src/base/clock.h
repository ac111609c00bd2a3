// Monotonic time and the CPU clock of a thread. The one place that knows the
// platform's clocks.
#ifndef SLOPPY_WORKERS_BASE_CLOCK_H_
#define SLOPPY_WORKERS_BASE_CLOCK_H_

#include <cstdint>

namespace sloppy::workers {

// A point in time no deadline reaches.
inline constexpr int64_t kNever = INT64_MAX;

// Any thread. Nanoseconds since an arbitrary fixed start; never goes back.
int64_t MonotonicNow();

// CPU time of one thread, readable from other threads while it lives.
class ThreadCpuClock {
 public:
  // The thread to be measured calls this once, before others read.
  void BindToCurrentThread();
  // Any thread, while the bound thread lives. Nanoseconds of CPU used, or -1
  // where the platform cannot tell (then CPU limits are not enforced).
  int64_t Read() const;

 private:
  int64_t handle_ = -1;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_CLOCK_H_

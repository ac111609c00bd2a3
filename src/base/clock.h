// Monotonic time and the CPU clock of a thread. The one place that knows the
// platform's clocks.
#ifndef SLOPPY_WORKERS_BASE_CLOCK_H_
#define SLOPPY_WORKERS_BASE_CLOCK_H_

#include <cstdint>

namespace sloppy::workers {

// A point in time no deadline reaches.
inline constexpr int64_t kNever = INT64_MAX;
// The latest one that a sum gives: it does not come either, and is not kNever.
inline constexpr int64_t kLatest = kNever - 1;

// `at` and `span` nanoseconds later, kLatest at most. `span`: 0 or more.
constexpr int64_t Later(int64_t at, int64_t span) {
  return at > kLatest - span ? kLatest : at + span;
}

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

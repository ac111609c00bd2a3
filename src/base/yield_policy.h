// Decides when to give this core to another thread that waits for it.
//
// A yield costs half a microsecond when no thread waits. If one of our own
// threads waits, it costs as long as that one's tiny jobs take. A thread of
// another process keeps the core for milliseconds each time, so after that the
// core is not yielded for a while.
#ifndef SLOPPY_WORKERS_BASE_YIELD_POLICY_H_
#define SLOPPY_WORKERS_BASE_YIELD_POLICY_H_

#include <algorithm>
#include <cstdint>

namespace sloppy::workers {

// One thread. Times in nanoseconds on MonotonicNow()'s scale.
class YieldPolicy {
 public:
  // A yield that took longer than this went to another process, not to one of
  // our workers.
  static constexpr int64_t kStranger = 500'000;
  static constexpr int64_t kPause = 20'000'000;
  static constexpr int64_t kLongestPause = 16 * kPause;

  bool MayYield(int64_t now) const { return now >= not_before_; }

  void Yielded(int64_t before, int64_t now) {
    if (now - before < kStranger) {
      pause_ = kPause;
      return;
    }
    not_before_ = now + pause_;
    pause_ = std::min(2 * pause_, kLongestPause);
  }

 private:
  int64_t not_before_ = 0;
  int64_t pause_ = kPause;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_YIELD_POLICY_H_

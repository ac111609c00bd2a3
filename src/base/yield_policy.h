// When to give this core to whoever else waits for it.
//
// A yield costs half a microsecond when nobody waits, and where one of our own
// threads does, as long as its tiny jobs take. A stranger keeps the core for
// milliseconds each time: then nothing is yielded for a while.
#ifndef SLOPPY_WORKERS_BASE_YIELD_POLICY_H_
#define SLOPPY_WORKERS_BASE_YIELD_POLICY_H_

#include <algorithm>
#include <cstdint>

namespace sloppy::workers {

// One thread. Times in nanoseconds on MonotonicNow()'s scale.
class YieldPolicy {
 public:
  // Away for so long: it was not one of ours.
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

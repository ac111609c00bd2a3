// What comes next often comes within a microsecond or two, before leaving to
// wait for it properly would be over. Looking that long pays off as long as it
// does: after each look in vain, the next 2^n chances are left out.
#ifndef SLOPPY_WORKERS_BASE_BRIEF_LOOK_H_
#define SLOPPY_WORKERS_BASE_BRIEF_LOOK_H_

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "base/cpu.h"

namespace sloppy::workers {

class BriefLook {
 public:
  static constexpr int64_t kFor = 3'000;
  static constexpr int kMaxFailures = 6;

  // True as soon as `ready()` is.
  template <typename Ready>
  bool For(Ready ready) {
    if (skip_ > 0) {
      --skip_;
      return false;
    }
    const int64_t until = MonotonicNow() + kFor;
    do {
      for (int i = 0; i < 8; ++i) {
        if (ready()) {
          failures_ = 0;
          return true;
        }
        CpuRelax();
      }
    } while (MonotonicNow() < until);
    failures_ = std::min(failures_ + 1, kMaxFailures);
    skip_ = (1 << failures_) - 1;
    return false;
  }

 private:
  int failures_ = 0;
  int skip_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_BRIEF_LOOK_H_

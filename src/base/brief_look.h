// Polls for a microsecond or two before a thread waits properly, because the
// next event often comes sooner than the wait would have begun. payoff.h
// decides whether a look is worth another try. The line that falls without it:
// in-flight-2 of bench/ (docs/decisions/014, as for all looks and waits).
#ifndef SLOPPY_WORKERS_BASE_BRIEF_LOOK_H_
#define SLOPPY_WORKERS_BASE_BRIEF_LOOK_H_

#include <cstdint>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/payoff.h"

namespace sloppy::workers {

class BriefLook {
 public:
  static constexpr int64_t kFor = 3'000;

  // True as soon as `ready()` is.
  template <typename Ready>
  bool For(Ready ready) {
    if (!payoff_.MayTry()) return false;
    const int64_t until = MonotonicNow() + kFor;
    do {
      for (int i = 0; i < 8; ++i) {
        if (ready()) {
          payoff_.Paid();
          return true;
        }
        CpuRelax();
      }
    } while (MonotonicNow() < until);
    payoff_.Failed();
    return false;
  }

 private:
  Payoff payoff_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_BRIEF_LOOK_H_

// Decides whether something that pays off at times is worth another try. After
// n failures in a row the next 2^n - 1 chances are left out (backoff).
#ifndef SLOPPY_WORKERS_BASE_PAYOFF_H_
#define SLOPPY_WORKERS_BASE_PAYOFF_H_

#include <algorithm>

namespace sloppy::workers {

// One thread.
class Payoff {
 public:
  static constexpr int kMaxFailures = 6;

  // A chance to try: false where it is to be left out.
  bool MayTry() {
    if (skip_ == 0) return true;
    --skip_;
    return false;
  }

  void Paid() { failures_ = skip_ = 0; }

  void Failed() {
    failures_ = std::min(failures_ + 1, kMaxFailures);
    skip_ = (1 << failures_) - 1;
  }

 private:
  int failures_ = 0;
  int skip_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_PAYOFF_H_

#include "pool/trust_policy.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"

namespace sloppy::workers {

void TrustPolicy::Measure(Row* row, int64_t now) {
  if (row->is_paused()) row->since_ += now - std::exchange(row->paused_at_, 0);
  if (row->jobs_ <= kRow) return;
  EndRow(now - std::exchange(row->since_, now), now);
  row->jobs_ = 1;
}

// One slow row says little, because its worker may have lost its core
// meanwhile. More slow rows than quick ones make the next look come sooner.
void TrustPolicy::EndRow(int64_t took, int64_t now) {
  if (took < kRow * tiny_limit_) {
    ++window_.quick_rows;
    tiny_ = true;
  } else if (++window_.slow_rows > window_.quick_rows) {
    due_at_ = std::min(due_at_, now + kTrust);
  }
}

int64_t TrustPolicy::DueAfter(int64_t now) {
  if (IsDue(now)) {
    // Nothing is known about a time in which nobody looked.
    if (now - due_at_ > kLongTrust) interval_ = kTrust;
    due_at_ = now + interval_;
  }
  return due_at_;
}

// Trust goes on between two jobs; one more look follows the last job.
bool TrustPolicy::MustCheck(const Load& load) const {
  return load.may_trust &&
         (load.has_runner || (load.is_empty && window_.has_jobs));
}

int64_t TrustPolicy::Check(int64_t now, int64_t cpu) {
  const Window last =
      std::exchange(window_, Window{.begun_at = now, .cpu = cpu});
  const int64_t before_doubt = std::exchange(interval_before_doubt_, 0);
  if (last.has_jobs && last.slow_rows <= last.quick_rows) {
    earned_at_ = now;
    const bool longer = last.quick_rows >= kManyRows &&
                        last.slow_rows <= last.quick_rows / kManyRows;
    interval_ =
        longer ? std::clamp(2 * interval_, before_doubt, kMoreTrust) : kTrust;
  } else {
    interval_ = kTrust;
    // A worker that had no core is no slower than before, and another one
    // would take the owner's core.
    const int64_t passed = now - last.begun_at;
    const bool had_no_core =
        cpu >= 0 && cpu - last.cpu < std::min(passed, kTrust) / 2;
    if (!had_no_core || now - earned_at_ >= kLongTrust) {
      tiny_ = false;
      return kNever;
    }
  }
  return due_at_ = now + interval_;
}

int64_t TrustPolicy::Doubt(int64_t now, int64_t cpu) {
  window_ = Window{.begun_at = now, .cpu = cpu};
  interval_before_doubt_ = std::exchange(interval_, kTrust);
  return due_at_ = now + kTrust;
}

}  // namespace sloppy::workers

// The owner's end of a SubmitRing, as lib/executors/isolate/submit-ring.js has
// it.
#ifndef SLOPPY_WORKERS_TEST_UNIT_POOL_RING_WRITER_H_
#define SLOPPY_WORKERS_TEST_UNIT_POOL_RING_WRITER_H_

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "pool/submit_ring.h"

namespace sloppy::workers {

struct RingJob {
  uint32_t slot = 0;
  uint32_t entry = 7;
  PayloadKind kind = PayloadKind::kNumber;
  double number = 0;
  uint32_t priority = SubmitRing::kMostUrgent;
  std::vector<double> slots{};
  std::string text{};
  double queued_ms = 0;  // 0: not timed.
  bool signalled = false;
  double deadline_ms = std::numeric_limits<double>::infinity();
};

class RingWriter {
 public:
  RingWriter() : memory_(SubmitRing::kBytes / sizeof(double)) {}
  void* block() { return memory_.data(); }

  bool HasRoom() { return written_ - shared().head < SubmitRing::kRows; }
  // Whether the owner has to call Kick() after a Write().
  bool attend() { return shared().attend != 0; }

  // REQUIRES: HasRoom().
  void Write(const RingJob& job) {
    const uint32_t at = written_ % SubmitRing::kRows;
    double* body = shared().bodies[at];
    std::copy(job.slots.begin(), job.slots.end(), body);
    std::memcpy(body + job.slots.size(), job.text.data(), job.text.size());
    const auto size =
        static_cast<double>(job.slots.size() + 16 * job.text.size());
    const bool has_body = job.kind >= PayloadKind::kString;
    SubmitRing::Row& row = shared().rows[at];
    row.what =
        job.slot | static_cast<uint32_t>(job.kind) << SubmitRing::kKindAt |
        (job.priority - SubmitRing::kMostUrgent) << SubmitRing::kPriorityAt;
    const auto mark = [&row](bool has, uint32_t bit) {
      if (has) row.what |= 1u << bit;
    };
    mark(job.queued_ms != 0, SubmitRing::kTimedAt);
    mark(std::isfinite(job.deadline_ms), SubmitRing::kLimitedAt);
    mark(job.signalled, SubmitRing::kSignalledAt);
    mark(has_body, SubmitRing::kBodyAt);
    shared().queued_ms[at] = job.queued_ms;
    shared().deadline_ms[at] = job.deadline_ms;
    row.number = has_body ? size : job.number;
    row.written =
        job.entry << SubmitRing::kEntryAt | SubmitRing::LapOf(written_);
    ++written_;
  }

 private:
  SubmitRing::Block& shared() {
    return *reinterpret_cast<SubmitRing::Block*>(memory_.data());
  }

  std::vector<double> memory_;
  uint32_t written_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_TEST_UNIT_POOL_RING_WRITER_H_

// The owner's end of a SubmitRing, as lib/internal/submit-ring.js has it.
#ifndef SLOPPY_WORKERS_TEST_UNIT_POOL_RING_WRITER_H_
#define SLOPPY_WORKERS_TEST_UNIT_POOL_RING_WRITER_H_

#include <algorithm>
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
        static_cast<uint32_t>(job.slots.size() + 16 * job.text.size());
    SubmitRing::Row& row = shared().rows[at];
    row.slot = job.slot;
    row.entry = job.entry;
    row.how = static_cast<uint32_t>(job.kind) |
              job.priority << SubmitRing::kPriorityAt |
              size << SubmitRing::kSizeAt;
    if (job.queued_ms != 0) {
      row.how |= 1 << SubmitRing::kTimedAt;
      shared().queued_ms[at] = job.queued_ms;
    }
    row.number = job.number;
    row.deadline_ms = job.deadline_ms;
    row.written = ++written_;
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

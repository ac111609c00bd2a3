// Where the owner's JavaScript leaves tiny jobs for its pool without a call
// into C++ and without a lock: a ring of rows in memory that both see.
//
// One writer, the owner (lib/internal/submit-ring.js); read by whoever holds
// the pool's mutex. A job in the ring is queued; JobQueue takes every row over
// before it looks at anything else, so nobody but it knows of the ring.
//
// A row is written when it has its number, counted from 1: one cache line,
// which has two rows, is all that goes from the owner's core to the worker's
// for a job, unless it has a body. The owner writes that number and then reads
// `attend`; a worker that is about to sleep writes `attend`, calls HeavyFence()
// (base/cpu.h) and then reads the number: one of the two sees the other, and
// the owner, who does this for every job, needs no barrier where
// HasLightFence().
#ifndef SLOPPY_WORKERS_POOL_SUBMIT_RING_H_
#define SLOPPY_WORKERS_POOL_SUBMIT_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/cpu.h"
#include "base/tsan.h"
#include "job/job_table.h"

namespace sloppy::workers {

class SubmitRing {
 public:
  using Word = std::atomic<uint32_t>;
  static_assert(sizeof(Word) == 4 && Word::is_always_lock_free);

  static constexpr uint32_t kRows = 256;
  // A body has a structure's slots, then the bytes of a text.
  static constexpr uint32_t kBody = 16;
  static constexpr uint32_t kMaxSlots = 12;
  static constexpr uint32_t kMaxText = 48;
  // Jobs more urgent than this do not come through the ring.
  static constexpr uint8_t kMostUrgent = 4;

  // Where the parts of `how` begin: from the lowest bit on the payload's kind,
  // then the priority, slots + 16 * bytes of the text, 1 if the job is timed,
  // and the bits of its mode.
  static constexpr uint32_t kPriorityAt = 3;
  static constexpr uint32_t kSizeAt = 6;
  static constexpr uint32_t kTimedAt = 16;
  static constexpr uint32_t kModeAt = 17;

  struct Row {
    uint32_t slot;
    uint32_t entry;
    uint32_t how;
    Word written;        // Its number, once all else is there.
    double number;       // The payload's.
    double deadline_ms;  // MonotonicNow() scale, or infinity.
  };
  static_assert(sizeof(Row) == 32);

  // What both see, at first zeroes.
  struct Block {
    Row rows[kRows];
    double bodies[kRows][kBody];
    double queued_ms[kRows];  // Of timed jobs; MonotonicNow() scale.
    Word head;                // Rows ever read, by JobQueue.
    char apart[kCacheLine - sizeof(Word)];
    Word attend;  // Not 0: after writing, the owner has to call kick().
    char end[kCacheLine - sizeof(Word)];
  };
  static constexpr size_t kBytes = sizeof(Block);
  // As in lib/internal/submit-ring.js.
  static_assert(offsetof(Block, bodies) == 8192 &&
                offsetof(Block, queued_ms) == 40960 &&
                offsetof(Block, head) == 43008 &&
                offsetof(Block, attend) == 43072);

  // `block` has kBytes bytes, which are 0, aligned for a double, and lives as
  // long as `owner`. The rest is as in Job and the same for all jobs.
  SubmitRing(std::shared_ptr<void> owner, void* block, int64_t grace,
             int64_t cpu_limit)
      : owner_(std::move(owner)),
        block_(static_cast<Block*>(block)),
        grace_(grace),
        cpu_limit_(cpu_limit) {}
  SubmitRing(const SubmitRing&) = delete;
  SubmitRing& operator=(const SubmitRing&) = delete;

  // Any thread. A hint unless the pool's mutex is held.
  bool empty() const {
    const uint32_t read = block_->head.load(std::memory_order_relaxed);
    return RowAt(read).written.load() != read + 1;
  }

  // REQUIRES: the pool's mutex, and At() for every slot that was written. The
  // oldest job, filled in; nullptr for none.
  Job* Pop(const JobTable& jobs) {
    const uint32_t read = block_->head.load(std::memory_order_relaxed);
    const Row& row = RowAt(read);
    if (row.written.load(std::memory_order_acquire) != read + 1) return nullptr;
    AfterScriptWrote(&jobs);
    Job* job = jobs.Find(row.slot);
    Fill(job, row, read % kRows);
    // release: the row may be written again.
    block_->head.store(read + 1, std::memory_order_release);
    return job;
  }

  // REQUIRES: the pool's mutex.
  void SetAttend(bool attend) {
    if (attend == attended_) return;
    attended_ = attend;
    block_->attend.store(attend ? 1 : 0);
  }

 private:
  const Row& RowAt(uint32_t number) const {
    return block_->rows[number % kRows];
  }

  void Fill(Job* job, const Row& row, uint32_t at) const {
    job->Renew();
    job->grace = grace_;
    job->cpu_limit = cpu_limit_;
    job->entry = row.entry;
    const uint32_t how = row.how;
    job->payload.kind = static_cast<PayloadKind>(how & 7);
    job->payload.number = row.number;
    job->priority = how >> kPriorityAt & 7;
    job->mode = static_cast<uint8_t>(how >> kModeAt);
    if (const uint32_t size = how >> kSizeAt & 0x3ff; size != 0) {
      job->payload.FillShort(size, block_->bodies[at]);
    }
    if ((how >> kTimedAt & 1) != 0) {
      job->mode |= Job::kTimed;
      job->times = {static_cast<int64_t>(block_->queued_ms[at] * 1e6)};
    }
    // Beyond that there is nothing to wait for, and it might not fit.
    if (row.deadline_ms < 1e12) {
      job->deadline = static_cast<int64_t>(row.deadline_ms * 1e6);
    }
  }

  const std::shared_ptr<void> owner_;
  Block* const block_;
  const int64_t grace_;
  const int64_t cpu_limit_;
  bool attended_ = false;
};

static_assert(SubmitRing::kMaxSlots <= Slots::kInlineSlots);
static_assert(SubmitRing::kMaxText <= Text::kInlineBytes);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_SUBMIT_RING_H_

// The place where the owner's JavaScript leaves tiny jobs for its pool without
// a call into C++ and without a lock: a ring of rows in memory that both see.
//
// A quarter of a cache line goes from the owner's core to the worker's for a
// job, unless it has a body or a limit. The owner waits for the line to come
// back whenever it begins one, so rows are as small as can be.
//
// Invariants
// (1) One writer, the owner (lib/executors/isolate/submit-ring.js). Only the
//     thread that holds the pool's mutex reads.
// (2) A job in the ring is queued. Only JobQueue knows of the ring.
// (3) A row is there once it has the number of its lap, counted from 1. Its
//     other words are seen by the thread that sees the number (release,
//     acquire).
// (4) A row is written again only once `head` says that it was read (release,
//     acquire).
// (5) The owner writes the number and then reads `attend`. A worker that is
//     about to sleep writes `attend`, calls HeavyFence() (base/cpu.h) and then
//     reads the number. So one of the two sees the other, and the owner needs
//     no barrier for each job where HasLightFence().
//
// Held by: (1) the annotations (lint:threads). (2)
// test/unit/pool/submit_ring_test.cc. (3) (4) (5)
// test/unit/model/submit_ring_test.cc.
//
// test/unit/model/submit_ring_test.cc runs this code under many orders, with
// and without the light fence, and finds (3), (4) and (5) broken when one of
// the orders is weakened.
#ifndef SLOPPY_WORKERS_POOL_SUBMIT_RING_H_
#define SLOPPY_WORKERS_POOL_SUBMIT_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/cpu.h"
#include "base/memory_order.h"
#include "base/protocol_gen.h"
#include "base/tsan.h"
#include "job/job_table.h"

namespace sloppy::workers {

template <uint32_t kRowCount, typename Memory = RealMemory>
class BasicSubmitRing {
  template <typename T>
  using Plain = typename Memory::template Plain<T>;
  static constexpr bool kIsReal = std::is_same_v<Memory, RealMemory>;

 public:
  using Word = typename Memory::template Atomic<uint32_t>;
  static_assert(!kIsReal || sizeof(Word) == 4);
  static_assert(std::atomic<uint32_t>::is_always_lock_free);

  static constexpr uint32_t kRows = kRowCount;
  // A body has a structure's slots, then the bytes of a text.
  static constexpr uint32_t kBody = wire::RingLayout::kBodySlots;
  static constexpr uint32_t kMaxSlots = wire::Small::kSlots;
  static constexpr uint32_t kMaxText = wire::Small::kTextBytes;
  // Jobs more urgent than this do not come through the ring.
  static constexpr uint8_t kMostUrgent = wire::RingLayout::kMostUrgent;

  // The bits at which the parts of `what` begin: from the lowest bit on the
  // slot, the payload's kind, how much less urgent the job is than kMostUrgent,
  // and whether it is timed, has a deadline, has JobMode's kSignalled, and has
  // a body.
  static constexpr uint32_t kKindAt = wire::RingLayout::kKindAt;
  static constexpr uint32_t kPriorityAt = wire::RingLayout::kPriorityAt;
  static constexpr uint32_t kTimedAt = wire::RingLayout::kTimedAt;
  static constexpr uint32_t kLimitedAt = wire::RingLayout::kLimitedAt;
  static constexpr uint32_t kSignalledAt = wire::RingLayout::kSignalledAt;
  static constexpr uint32_t kBodyAt = wire::RingLayout::kBodyAt;
  static constexpr uint8_t kSignalledMode = wire::JobMode::kSignalled;
  // The parts of `written`: the number of the lap, then the entry.
  static constexpr uint32_t kEntryAt = wire::RingLayout::kEntryAt;

  struct Row {
    // The payload's; with a body its slots + 16 * bytes of its text.
    Plain<double> number;
    Plain<uint32_t> what;
    Word written;  // Last: all else is there.
  };
  static_assert(sizeof(Row) == 16 || !kIsReal);

  // The end of `written` once the row of that number, from 0, is there.
  static uint8_t LapOf(uint32_t number) {
    return static_cast<uint8_t>(number / kRows + 1);
  }

  // The memory that both see, at first zeroes.
  struct Block {
    Row rows[kRows];
    double bodies[kRows][kBody];
    // Numbers of jobs that are timed, or have one; scales of MonotonicNow() and
    // of LimitsClock::Now().
    double queued_ms[kRows];
    double deadline_ms[kRows];
    Word head;  // Rows ever read, by JobQueue.
    char apart[kCacheLine - sizeof(Word)];
    Word attend;  // Not 0: after writing, the owner has to call kick().
    char end[kCacheLine - sizeof(Word)];
  };
  static constexpr size_t kBytes = sizeof(Block);
  // `block` has kBytes bytes, which are 0, aligned for a double, and lives as
  // long as `owner`. `grace` and `cpu_limit` are as in Job, the same for all.
  BasicSubmitRing(std::shared_ptr<void> owner, void* block, int64_t grace,
                  int64_t cpu_limit)
      : owner_(std::move(owner)),
        block_(static_cast<Block*>(block)),
        grace_(grace),
        cpu_limit_(cpu_limit) {}
  BasicSubmitRing(const BasicSubmitRing&) = delete;
  BasicSubmitRing& operator=(const BasicSubmitRing&) = delete;

  // Any thread. A hint unless the pool's mutex is held.
  bool empty() const {
    const uint32_t read = block_->head.load(std::memory_order_relaxed);
    return static_cast<uint8_t>(RowAt(read).written.load()) != LapOf(read);
  }

  // REQUIRES: the pool's mutex, and At() for every slot that was written. The
  // oldest job, filled in; nullptr for none.
  Job* Pop(const JobTable& jobs) {
    const uint32_t read = block_->head.load(std::memory_order_relaxed);
    const Row& row = RowAt(read);
    const uint32_t written = row.written.load(std::memory_order_acquire);
    if (static_cast<uint8_t>(written) != LapOf(read)) return nullptr;
    AfterScriptWrote(&jobs);
    Job* job = jobs.Find(Part(row.what, 0, kKindAt));
    job->Renew();
    job->entry = written >> kEntryAt;
    Fill(job, row, read % kRows);
    // release: the row may be written again.
    block_->head.store(read + 1, std::memory_order_release);
    return job;
  }

  // REQUIRES: the pool's mutex. True when the owner must call from now on and
  // need not before: look for rows that it has written until then.
  bool SetAttend(bool attend) {
    if (attend == attended_) return false;
    attended_ = attend;
    block_->attend.store(attend ? 1 : 0);
    return attend;
  }

 private:
  const Row& RowAt(uint32_t number) const {
    return block_->rows[number % kRows];
  }

  static uint32_t Part(uint32_t what, uint32_t from, uint32_t to) {
    return what >> from & ((1u << (to - from)) - 1);
  }

  void Fill(Job* job, const Row& row, uint32_t at) const {
    job->grace = grace_;
    job->cpu_limit = cpu_limit_;
    const uint32_t what = row.what;
    const double number = row.number;
    const auto has = [what](uint32_t bit) { return (what >> bit & 1) != 0; };
    job->payload.kind =
        static_cast<PayloadKind>(Part(what, kKindAt, kPriorityAt));
    job->payload.number = number;
    job->priority =
        static_cast<uint8_t>(kMostUrgent + Part(what, kPriorityAt, kTimedAt));
    if (has(kSignalledAt)) job->mode = kSignalledMode;
    if (has(kBodyAt) && number != 0) {
      job->payload.FillShort(static_cast<uint32_t>(number), block_->bodies[at]);
    }
    if (has(kTimedAt)) {
      job->mode |= Job::kTimed;
      job->times = {static_cast<int64_t>(block_->queued_ms[at] * 1e6)};
    }
    // Beyond that there is nothing to wait for, and it might not fit.
    if (has(kLimitedAt) && block_->deadline_ms[at] < 1e12) {
      job->deadline = static_cast<int64_t>(block_->deadline_ms[at] * 1e6);
    }
  }

  const std::shared_ptr<void> owner_;
  Block* const block_;
  const int64_t grace_;
  const int64_t cpu_limit_;
  bool attended_ = false;
};

using SubmitRing = BasicSubmitRing<256>;

// The layout is that of lib/executors/isolate/submit-ring.js.
static_assert(offsetof(SubmitRing::Block, bodies) == 4096 &&
              offsetof(SubmitRing::Block, queued_ms) == 36864 &&
              offsetof(SubmitRing::Block, deadline_ms) == 38912 &&
              offsetof(SubmitRing::Block, head) == 40960 &&
              offsetof(SubmitRing::Block, attend) == 41024);

static_assert(SubmitRing::kMaxSlots <= Slots::kInlineSlots);
static_assert(SubmitRing::kMaxText <= Text::kInlineBytes);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_SUBMIT_RING_H_

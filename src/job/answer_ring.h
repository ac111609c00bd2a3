// Ends of jobs, from any number of workers to one owner, without a lock. Nearly
// all jobs end this way; completion_queue.h has the list for the others.
//
// A row is a quarter of a cache line. It holds all there is to say of a job
// that succeeded with a number or the like, so that the owner reads nothing of
// the job itself, whose lines stay on its worker's core. Of any other job it
// says where it is.
//
// Invariants
// (1) A worker takes the next row by moving `tail_`, fills it, and writes its
//     `end` last. A reader that waits for the row waits for a worker between
//     two instructions.
// (2) The owner reads rows in their order. It gives them back by moving
//     `head_`, many at a time, because each worker reads that word.
// (3) A row that was written is in order with all that its worker reads next
//     (seq_cst): see (4) of completion_queue.h.
// (4) A row's plain words are seen by the thread that sees its `end` (release,
//     acquire). They are written again only by a thread that has seen the
//     `head_` (acquire) that the reader moved (release). `tail_` alone gives
//     rows out and carries nothing.
//
// Held by: (1) (2) (4) test/unit/model/answer_ring_test.cc. (3) test/sim.
//
// test/unit/model/answer_ring_test.cc runs this code under many orders of two
// workers and an owner, and finds (4) broken when one of them is weakened.
#ifndef SLOPPY_WORKERS_JOB_ANSWER_RING_H_
#define SLOPPY_WORKERS_JOB_ANSWER_RING_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/cpu.h"
#include "base/memory_order.h"
#include "job/answer_rows.h"
#include "job/job.h"

namespace sloppy::workers {

// How a job has ended.
struct Answer {
  // The job with its whole outcome; nullptr if it succeeded with `kind` and
  // `number` alone: then its worker may have another job in that place.
  Job* job = nullptr;
  uint32_t slot = 0;
  PayloadKind kind = PayloadKind::kUndefined;
  double number = 0;
};

template <uint32_t kRowCount, typename Memory = RealMemory>
class BasicAnswerRing {
  template <typename T>
  using Atomic = typename Memory::template Atomic<T>;
  template <typename T>
  using Plain = typename Memory::template Plain<T>;

 public:
  static constexpr uint32_t kRows = kRowCount;

  BasicAnswerRing() = default;
  BasicAnswerRing(const BasicAnswerRing&) = delete;
  BasicAnswerRing& operator=(const BasicAnswerRing&) = delete;

  // Any thread. How many rows the owner has not given back, with this one; 0
  // if there was none left.
  uint32_t Write(Job* job) {
    uint32_t at = tail_.load(std::memory_order_relaxed);
    for (;;) {
      // acquire: the owner has read the row.
      const uint32_t unread = at - head_.load(std::memory_order_acquire);
      if (unread >= kRows) {
        // Others may have taken rows since `at` was read, and the owner may
        // have given them back: no row is left only if it is still the tail.
        const uint32_t tail = tail_.load(std::memory_order_relaxed);
        if (tail == at) return 0;
        at = tail;
      } else if (tail_.compare_exchange_weak(at, at + 1,
                                             std::memory_order_relaxed)) {
        Fill(&RowAt(at), at, job);
        return unread + 1;
      }
    }
  }

  // Owner. Whether the row `ahead` of the next one is there.
  bool Has(uint32_t ahead = 0) const {
    const uint32_t at = read_ + ahead;
    return LapIn(RowAt(at).end.load()) == LapOf(at);
  }

  // Owner. What the next row says. REQUIRES: Has().
  Answer Read() {
    const Row& row = RowAt(read_++);
    const uint64_t end = row.end.load(std::memory_order_relaxed);
    const auto kind = static_cast<uint8_t>(end >> kKindAt);
    if (kind == kWhole) {
      FetchAhead(read_ + kAhead);
      return {row.job};
    }
    return {nullptr, static_cast<uint32_t>(end), static_cast<PayloadKind>(kind),
            row.number};
  }

  // Owner. The rows that it has read may be written again.
  void GiveBack() { head_.store(read_, std::memory_order_release); }

  // Owner. How many rows workers have taken that it has not read. Each of them
  // is there, or about to be.
  uint32_t Taken() const { return tail_.load() - read_; }

  // Any thread, a hint: there are rows that the owner has not given back.
  bool empty() const {
    return tail_.load(std::memory_order_relaxed) ==
           head_.load(std::memory_order_relaxed);
  }

 private:
  // Bits of `end`, from the lowest on: the slot, the kind, the lap from 1 on.
  static constexpr int kKindAt = 32;
  static constexpr int kLapAt = 40;
  static constexpr uint8_t kWhole = 0xff;
  static constexpr uint32_t kAhead = 5;

  struct Row {
    union {
      Plain<double> number = 0;
      Plain<Job*> job;  // Read with kWhole.
    };
    Atomic<uint64_t> end{0};
  };
  static_assert(sizeof(Row) == 16 || !std::is_same_v<Memory, RealMemory>);

  static uint32_t LapOf(uint32_t at) { return at / kRows + 1; }
  static uint32_t LapIn(uint64_t end) {
    return static_cast<uint32_t>(end >> kLapAt);
  }
  const Row& RowAt(uint32_t at) const { return rows_[at % kRows]; }
  Row& RowAt(uint32_t at) { return rows_[at % kRows]; }

  // A job that was last written by another core.
  void FetchAhead(uint32_t at) const {
    const Row& row = RowAt(at);
    const uint64_t end = row.end.load(std::memory_order_acquire);
    if (LapIn(end) == LapOf(at) &&
        static_cast<uint8_t>(end >> kKindAt) == kWhole) {
      Prefetch(row.job);
    }
  }

  static void Fill(Row* row, uint32_t at, Job* job) {
    uint8_t kind = kWhole;
    if (job->HasPlainEnd()) {
      kind = static_cast<uint8_t>(job->payload.kind);
      row->number = job->payload.number;
    } else {
      row->job = job;
    }
    row->end.store(uint64_t{LapOf(at)} << kLapAt | uint64_t{kind} << kKindAt |
                   job->slot);
  }

  // Workers.
  alignas(kCacheLine) Atomic<uint32_t> tail_{0};
  // Written by the owner.
  alignas(kCacheLine) Atomic<uint32_t> head_{0};
  // The owner's.
  alignas(kCacheLine) uint32_t read_ = 0;
  alignas(kCacheLine) std::array<Row, kRows> rows_{};
};

using AnswerRing = BasicAnswerRing<kAnswerRows>;

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_ANSWER_RING_H_

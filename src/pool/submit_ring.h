// Where the owner's JavaScript leaves tiny jobs for its pool without a call
// into C++ and without a lock: a ring of rows in memory that both see.
//
// One writer, the owner (lib/internal/submit-ring.js); read by whoever holds
// the pool's mutex. A job in the ring is queued; JobQueue takes every row over
// before it looks at anything else, so nobody but it knows of the ring.
//
// The block: kRows heads of a cache line each, as many bodies for what only
// some jobs have, then three words, each in a cache line of its own:
//   tail     rows ever written, by the owner
//   head     rows ever read, by JobQueue
//   attend   not 0: after writing, the owner has to call kick()
// The owner writes `tail` and then reads `attend`; a worker that is about to
// sleep writes `attend`, calls HeavyFence() (base/cpu.h) and then reads `tail`:
// one of the two sees the other, and the owner, who does this for every job,
// needs no barrier where HasLightFence().
#ifndef SLOPPY_WORKERS_POOL_SUBMIT_RING_H_
#define SLOPPY_WORKERS_POOL_SUBMIT_RING_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "base/cpu.h"
#include "base/tsan.h"
#include "job/job_table.h"

namespace sloppy::workers {

class SubmitRing {
 public:
  static constexpr uint32_t kRows = 256;
  // Doubles. A body has a structure's slots, then the bytes of a text.
  static constexpr uint32_t kHead = 8;
  static constexpr uint32_t kBody = 16;
  static constexpr uint32_t kMaxSlots = 12;
  static constexpr uint32_t kMaxText = 48;
  // Jobs more urgent than this do not come through the ring.
  static constexpr uint8_t kMostUrgent = 4;
  static constexpr uint8_t kPriorityBits = 7;
  static constexpr size_t kHeadBytes = size_t{kRows} * kHead * 8;
  static constexpr size_t kRowBytes = kHeadBytes + size_t{kRows} * kBody * 8;
  static constexpr size_t kBytes = kRowBytes + 3 * kCacheLine;

  // `block` has kBytes bytes, aligned for a double, and lives as long as
  // `owner`. The rest is as in Job and the same for all jobs.
  SubmitRing(std::shared_ptr<void> owner, void* block, int64_t grace,
             int64_t cpu_limit)
      : owner_(std::move(owner)),
        heads_(static_cast<double*>(block)),
        bodies_(heads_ + size_t{kRows} * kHead),
        grace_(grace),
        cpu_limit_(cpu_limit) {
    char* words = static_cast<char*>(block) + kRowBytes;
    tail_ = new (words) Word(0);
    head_ = new (words + kCacheLine) Word(0);
    attend_ = new (words + 2 * kCacheLine) Word(0);
  }
  SubmitRing(const SubmitRing&) = delete;
  SubmitRing& operator=(const SubmitRing&) = delete;

  // Any thread. A hint unless the pool's mutex is held.
  bool empty() const {
    return tail_->load() == head_->load(std::memory_order_relaxed);
  }

  // REQUIRES: the pool's mutex. How many Pop() may take: asked once for all of
  // them, because the owner writes the line where it stands for each.
  uint32_t Count() const {
    return tail_->load(std::memory_order_acquire) -
           head_->load(std::memory_order_relaxed);
  }

  // REQUIRES: the pool's mutex, and At() for every slot that was written;
  // Count() was not 0. The oldest job, filled in.
  Job* Pop(const JobTable& jobs) {
    const uint32_t read = head_->load(std::memory_order_relaxed);
    AfterScriptWrote(&jobs);
    const double* head = heads_ + size_t{read % kRows} * kHead;
    Job* job = jobs.Find(static_cast<uint32_t>(head[0]));
    Fill(job, head, bodies_ + size_t{read % kRows} * kBody);
    // release: the row may be written again.
    head_->store(read + 1, std::memory_order_release);
    return job;
  }

  // REQUIRES: the pool's mutex.
  void SetAttend(bool attend) {
    if (attend == attended_) return;
    attended_ = attend;
    attend_->store(attend ? 1 : 0);
  }

 private:
  using Word = std::atomic<uint32_t>;
  static_assert(sizeof(Word) == 4 && Word::is_always_lock_free);

  // Head: slot, entry, kind, number, priority and mode, slots + 16 * bytes of
  // the text, then on MonotonicNow()'s scale in milliseconds: when it was
  // queued if the job is timed or else 0, its deadline or infinity.
  void Fill(Job* job, const double* head, const double* body) const {
    job->Renew();
    job->grace = grace_;
    job->cpu_limit = cpu_limit_;
    job->entry = static_cast<uint32_t>(head[1]);
    job->payload.kind = static_cast<PayloadKind>(head[2]);
    job->payload.number = head[3];
    const auto how = static_cast<uint8_t>(head[4]);
    job->priority = how & kPriorityBits;
    job->mode = how & ~kPriorityBits;
    if (head[5] != 0) {
      job->payload.FillShort(static_cast<uint32_t>(head[5]), body);
    }
    if (head[6] != 0) {
      job->mode |= Job::kTimed;
      job->times = {static_cast<int64_t>(head[6] * 1e6)};
    }
    // Beyond that there is nothing to wait for, and it might not fit.
    if (head[7] < 1e12) job->deadline = static_cast<int64_t>(head[7] * 1e6);
  }

  const std::shared_ptr<void> owner_;
  const double* const heads_;
  const double* const bodies_;
  Word* tail_;
  Word* head_;
  Word* attend_;
  const int64_t grace_;
  const int64_t cpu_limit_;
  bool attended_ = false;
};

static_assert(SubmitRing::kMaxSlots <= Slots::kInlineSlots);
static_assert(SubmitRing::kMaxText <= Text::kInlineBytes);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_SUBMIT_RING_H_

// One admitted job. The owner thread takes it from its JobTable, the pool's
// queue holds it, one worker runs it, the completion queue brings it back;
// the same object carries the input there and the result back, so that a job
// costs no allocation.
//
// A job has exactly one holder at a time, which alone may touch it (owner →
// JobQueue → worker → CompletionQueue → owner). The exceptions are `state` and
// `worker`, which the pool's mutex guards, and `cancelled`, which is atomic
// because the worker's code reads it while the owner sets it.
#ifndef SLOPPY_WORKERS_JOB_JOB_H_
#define SLOPPY_WORKERS_JOB_JOB_H_

#include <cstdint>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory_order.h"
#include "base/protocol_gen.h"
#include "job/end.h"
#include "payload/payload.h"

namespace sloppy::workers {

class PoolWorker;

struct alignas(kCacheLine) Job {
  // kPinned: queued for one given worker.
  enum class State : uint8_t { kIdle, kQueued, kPinned, kRunning };

  static constexpr uint8_t kTimed =
      wire::JobMode::kTimed;  // `times` are wanted.
  static constexpr uint8_t kMetered =
      wire::JobMode::kMetered;  // And all that a receipt says.
  static constexpr uint8_t kAnnounced =
      wire::JobMode::kAnnounced;  // The owner hears of the start.

  static constexpr uint16_t kShares =
      wire::JobMode::kShares;  // `shares` is set.

  // The members that every tiny job touches come first, in one cache line.
  Job* next = nullptr;
  Job* prev = nullptr;
  // Constant while the job is under way.
  uint32_t slot = 0;     // Index in the owner's tables.
  uint32_t entry = 0;    // The function to call (EntryTable).
  uint32_t serial = 0;   // Differs from earlier jobs of the same slot.
  uint16_t mode = 0;     // Those above; others are JavaScript's.
  uint8_t priority = 0;  // 0 first.
  // Guarded by the pool's mutex.
  State state = State::kIdle;
  bool terminated = false;            // Its execution was terminated.
  bool pinned = false;                // For one given worker; constant.
  Atomic<End> cancelled{End::kNone};  // Why it is to end.
  // Held by one thread at a time.
  Diagnostic status = Diagnostic::kNone;
  Detail detail = Detail::kNone;
  Payload payload;  // The input, then the result.

  // Constant while the job is under way; `deadline` from its start on.
  uint64_t arrival = 0;        // Its number among its pool's jobs, from 1.
  int64_t deadline = kNever;   // MonotonicNow() scale.
  int64_t cpu_limit = kNever;  // Nanoseconds of thread CPU time.
  int64_t grace = 0;           // Nanoseconds between signal and termination.
  int64_t run_limit = kNever;  // Nanoseconds from the start of the run.

  // With kTimed only; MonotonicNow() scale, 0 for "never started".
  struct Times {
    int64_t queued = 0;
    int64_t started = 0;
    int64_t ended = 0;
    int64_t cpu = -1;        // Nanoseconds its thread computed; -1 if unknown.
    int64_t heap_peak = -1;  // With kMetered; bytes, -1 if unknown.
    int64_t worker = -1;     // Its number.
  } times;

  // Its grace period is over as well; for workers with several jobs.
  Atomic<bool> overdue{false};

  uint32_t pin_order = 0;  // Among the pinned jobs of its worker.
  uint32_t shares = 0;     // With kShares only: see SharedValues.

  // In a pool with an order of its own, see pool/ready_jobs.h.
  int64_t rank = 0;
  Job* child = nullptr;

  // The key's number, see JobQueue::Offer; 0 for none. It lies beside the
  // members that each start touches, for the sake of tiny jobs.
  uint32_t home = 0;

  // Guarded by the pool's mutex.
  // The one that runs it, while kRunning; while kPinned the one that will,
  // nullptr if that has left; while kQueued the one that it is offered to.
  PoolWorker* worker = nullptr;
  int64_t terminate_at = kNever;   // When patience with the code ends.
  int64_t run_ends = kNever;       // While kRunning: the start and `run_limit`.
  bool ends_by_run = false;        // `deadline` is `run_ends`,
  int64_t call_deadline = kNever;  // and was this before.
  int64_t cpu_start = 0;           // The worker's CPU clock at the start.
  int64_t overdue_since = 0;

  // The holder. The next job of this slot begins.
  void Renew() {
    ++serial;
    deadline = kNever;
    run_limit = kNever;
    mode = 0;
    pinned = false;
    home = 0;
    status = Diagnostic::kNone;
    detail = Detail::kNone;
    cancelled.store(End::kNone, std::memory_order_relaxed);
  }

  // Its worker, after the end: a row of the ring says all there is to say.
  bool HasPlainEnd() const {
    return status == Diagnostic::kNone && payload.kind < PayloadKind::kString &&
           (mode & kTimed) == 0;
  }

  // The worker, or the thread that ends the job in its place.
  void Fail(End end) {
    payload.Clear();
    const Verdict verdict = VerdictOf(end);
    status = verdict.status;
    detail = verdict.detail;
  }
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_JOB_H_

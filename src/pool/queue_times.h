// Times by which a queue judges its workers. They are no options, because each
// tells a worker that cannot go on from one that is busy, which a caller does
// not know better.
#ifndef SLOPPY_WORKERS_POOL_QUEUE_TIMES_H_
#define SLOPPY_WORKERS_POOL_QUEUE_TIMES_H_

#include <cstdint>

namespace sloppy::workers {

// Nanoseconds.
struct QueueTimes {
  // CPU time for which a worker with several jobs may not yield after one of
  // them should have ended, and time for which it may not yield in any case.
  static constexpr int64_t kPatience = 100'000'000;
  static constexpr int64_t kLongPatience = 20 * kPatience;
  // How often the watchdog looks at a busy worker.
  static constexpr int64_t kLookEvery = 50'000'000;
  // A worker that had no job for this many times the CPU that it has spent, but
  // for at least and at most so long, gives memory back. V8 drops optimized
  // code with it: the more a worker has computed, the more the next jobs pay.
  static constexpr int64_t kReleasePerCpu = 20;
  static constexpr int64_t kReleaseAfter = 1'000'000'000;
  static constexpr int64_t kReleaseAtMost = 32 * kReleaseAfter;
  // For this long the leftovers of earlier jobs may keep a worker from the next
  // job, or compute while jobs that await cannot go on.
  static constexpr int64_t kLeftoversLimit = 2'000'000'000;

  // For so long what a worker executes without a job may go on after it was
  // terminated, before the owner is told.
  static constexpr int64_t kStuckAfter = 2'000'000'000;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_QUEUE_TIMES_H_

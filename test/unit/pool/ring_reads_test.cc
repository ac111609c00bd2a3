// Whoever takes over a row of the ring tells the others: a worker that polls
// sees the job as before, and one that sleeps is woken for it.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"
#include "test/unit/pool/ring_writer.h"

namespace sloppy::workers {
namespace {

struct RingPool {
  RingPool() {
    for (uint32_t slot = 0; slot < 4; ++slot) jobs.At(slot);
    queue.Join(&polls);
    queue.Join(&runs);
    queue.Submit(&running);
    EXPECT_EQ(queue.Take(&runs, &next_check).job, &running);
    EXPECT_EQ(queue.Take(&polls, &next_check).job, nullptr);
    EXPECT_FALSE(queue.HasWork());
  }

  JobTable jobs;
  RingWriter writer;
  JobQueue queue{
      {.capacity = 1, .max_workers = 2},
      &jobs,
      std::make_unique<SubmitRing>(nullptr, writer.block(), 0, kNever)};
  FakeWorker polls, runs;
  int64_t next_check = kNever;
  Job running, other;
};

struct RingReader {
  std::string name;
  std::function<void(RingPool*)> read;
};

const std::vector<RingReader>& RingReaders() {
  static const std::vector<RingReader> all = {
      {"ARefusedSubmission",
       [](RingPool* pool) {
         EXPECT_EQ(pool->queue.Submit(&pool->other).admission,
                   JobQueue::Admission::kFull);
       }},
      {"Kick", [](RingPool* pool) { pool->queue.Kick(); }},
      {"Cancel",
       [](RingPool* pool) {
         EXPECT_EQ(pool->queue.Cancel(&pool->other, End::kCancelled, 0,
                                      &pool->next_check),
                   JobQueue::Removal::kGone);
       }},
      {"SetPaused", [](RingPool* pool) { pool->queue.SetPaused(false); }},
      {"CheckLimits",
       [](RingPool* pool) { pool->queue.CheckLimits(MonotonicNow()); }},
      {"Doubt", [](RingPool* pool) { pool->queue.Doubt(MonotonicNow()); }},
      {"GetCounts",
       [](RingPool* pool) { EXPECT_EQ(pool->queue.GetCounts().queued, 1u); }},
      {"Arrived", [](RingPool* pool) { EXPECT_EQ(pool->queue.Arrived(), 2u); }},
      {"IsWanted",
       [](RingPool* pool) { EXPECT_TRUE(pool->queue.IsWanted(&pool->polls)); }},
      {"Finish", [](RingPool* pool) { pool->queue.Finish(&pool->runs); }},
      {"FinishOfATerminatedJob",
       [](RingPool* pool) {
         pool->queue.Cancel(&pool->running, End::kCancelled, 0,
                            &pool->next_check);
         EXPECT_TRUE(pool->queue.FinishAndTake(&pool->runs, &pool->next_check)
                         .terminated);
       }},
      {"BeginOwn",
       [](RingPool* pool) { pool->queue.BeginOwn(&pool->runs, kNever); }},
      {"BeginEnd",
       [](RingPool* pool) { pool->queue.BeginEnd(&pool->runs, kNever); }},
  };
  return all;
}

class RingReads : public testing::TestWithParam<RingReader> {
 protected:
  RingPool pool;
};

TEST_P(RingReads, AWorkerThatPollsStillSeesIt) {
  pool.writer.Write({.slot = 0});
  GetParam().read(&pool);
  EXPECT_TRUE(pool.queue.HasWork());
  EXPECT_EQ(pool.queue.Take(&pool.polls, &pool.next_check).job,
            pool.jobs.At(0));
}

TEST_P(RingReads, AWorkerThatSleepsIsWoken) {
  ASSERT_TRUE(pool.queue.BeginIdle(&pool.polls));
  ASSERT_TRUE(pool.writer.attend());
  pool.writer.Write({.slot = 0});
  GetParam().read(&pool);
  EXPECT_EQ(pool.polls.wakes, 1);
}

INSTANTIATE_TEST_SUITE_P(Pool, RingReads, testing::ValuesIn(RingReaders()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace sloppy::workers

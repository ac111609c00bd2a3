// Jobs that a worker may still take before it renews itself: those that had
// come when it decided to.
#include <gtest/gtest.h>

#include "base/clock.h"
#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

class ArrivedTest : public testing::Test {
 protected:
  ArrivedTest() {
    queue.Join(&worker);
    queue.Join(&other);
  }

  JobQueue queue{{.capacity = 8, .max_workers = 2}};
  FakeWorker worker, other;
  int64_t next_check = kNever;
  Job first, second, third;
};

TEST_F(ArrivedTest, TakesWhatCameBeforeAndNothingElse) {
  first.priority = second.priority = 4;
  queue.Submit(&first);
  queue.Submit(&second);
  const uint64_t arrived = queue.Arrived();
  third.priority = 0;
  queue.Submit(&third);
  EXPECT_EQ(queue.TakeArrived(&worker, arrived), &first);
  EXPECT_EQ(queue.GetCounts().running, 1u);
  EXPECT_EQ(queue.GetCounts().queued, 2u);
  EXPECT_FALSE(queue.Finish(&worker));
  EXPECT_EQ(queue.TakeArrived(&worker, arrived), &second);
  EXPECT_FALSE(queue.Finish(&worker));
  EXPECT_EQ(queue.TakeArrived(&worker, arrived), nullptr);
  EXPECT_EQ(queue.Take(&other, &next_check).job, &third);
}

TEST_F(ArrivedTest, ItsPinnedJobsComeFirstUnlessTheyCameLater) {
  queue.Submit(&first);
  ASSERT_TRUE(queue.SubmitTo(&second, &worker, 1));
  const uint64_t arrived = queue.Arrived();
  EXPECT_EQ(queue.TakeArrived(&worker, arrived), &second);
  EXPECT_FALSE(queue.Finish(&worker));
  ASSERT_TRUE(queue.SubmitTo(&third, &worker, 1));
  EXPECT_EQ(queue.TakeArrived(&worker, arrived), &first);
  EXPECT_FALSE(queue.Finish(&worker));
  EXPECT_EQ(queue.TakeArrived(&worker, arrived), nullptr);
}

TEST_F(ArrivedTest, NothingWhileThePoolIsPaused) {
  queue.Submit(&first);
  const uint64_t arrived = queue.Arrived();
  queue.SetPaused(true);
  EXPECT_EQ(queue.TakeArrived(&worker, arrived), nullptr);
  queue.SetPaused(false);
  EXPECT_EQ(queue.TakeArrived(&worker, arrived), &first);
}

TEST_F(ArrivedTest, AWorkerThatSleptIsNotIdleAnyMore) {
  ASSERT_TRUE(queue.BeginIdle(&worker));
  queue.Submit(&first);
  EXPECT_EQ(worker.wakes, 1);
  EXPECT_EQ(queue.TakeArrived(&worker, queue.Arrived()), &first);
  EXPECT_EQ(queue.GetCounts().idle, 0u);
  // It comes for nothing else: the next job has another worker.
  ASSERT_TRUE(queue.BeginIdle(&other));
  queue.Submit(&second);
  EXPECT_EQ(other.wakes, 1);
}

TEST_F(ArrivedTest, TheTimeOfItsRunBegins) {
  first.run_limit = int64_t{3600} * 1'000'000'000;
  queue.Submit(&first);
  EXPECT_EQ(queue.TakeArrived(&worker, queue.Arrived()), &first);
  EXPECT_NE(first.deadline, kNever);
}

}  // namespace
}  // namespace sloppy::workers

// Pools whose jobs are so short that one worker keeps up.
#include <gtest/gtest.h>

#include "base/clock.h"
#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

class OneIsEnoughTest : public testing::Test {
 protected:
  void SetUp() override {
    queue.Join(&busy);
    queue.Join(&resting);
    // A row begins with the job that ends the one before it.
    for (uint32_t i = 0; i < 3 * JobQueue::kRow; ++i) {
      (void)queue.Submit(&first);
      ASSERT_EQ(queue.Take(&busy, &next_check).job, &first);
      if (queue.MayRest()) break;
      ASSERT_FALSE(queue.Finish(&busy));
    }
    ASSERT_TRUE(queue.MayRest());
    EXPECT_TRUE(queue.BeginIdle(&resting));
  }

  // All jobs of this test are tiny, however slow the machine is.
  JobQueue queue{{.capacity = 8, .max_workers = 2, .tiny = 1'000'000'000'000}};
  FakeWorker busy, resting;
  int64_t next_check = kNever;
  Job first, second, third;
};

TEST_F(OneIsEnoughTest, TheOtherRestsAlthoughJobsAreQueued) {
  EXPECT_FALSE(queue.Submit(&second).woke);
  EXPECT_EQ(resting.wakes, 0);
  EXPECT_EQ(queue.Take(&resting, &next_check).job, nullptr);
  EXPECT_TRUE(queue.BeginIdle(&resting));
  EXPECT_EQ(queue.FinishAndTake(&busy, &next_check).job, &second);
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, IsWokenWhenAJobTakesLongerThanTheOthersDid) {
  EXPECT_FALSE(queue.Submit(&second).woke);
  const int64_t now = MonotonicNow();
  EXPECT_EQ(queue.CheckLimits(now), now + JobQueue::kTrust);
  EXPECT_EQ(resting.wakes, 0);
  busy.cpu_time += JobQueue::kTrust;
  (void)queue.CheckLimits(now + JobQueue::kTrust);
  EXPECT_EQ(resting.wakes, 1);
  EXPECT_EQ(queue.Take(&resting, &next_check).job, &second);
  EXPECT_FALSE(queue.Finish(&resting));
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, AWorkerThatHasNoCoreIsTrustedForLonger) {
  EXPECT_FALSE(queue.Submit(&second).woke);
  const int64_t now = MonotonicNow();
  const int64_t until = now + JobQueue::kLongTrust;
  int64_t at = now;
  while (at < until) {
    EXPECT_EQ(queue.CheckLimits(at), at + JobQueue::kTrust);
    EXPECT_EQ(resting.wakes, 0);
    at += JobQueue::kTrust;
    busy.cpu_time += JobQueue::kTrust / 4;
  }
  (void)queue.CheckLimits(at);
  EXPECT_EQ(resting.wakes, 1);
  EXPECT_EQ(queue.Take(&resting, &next_check).job, &second);
  EXPECT_FALSE(queue.Finish(&resting));
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, AWorkerWhoseTimeNobodyKnowsIsNot) {
  EXPECT_FALSE(queue.Submit(&second).woke);
  busy.cpu_time = -1;
  const int64_t now = MonotonicNow();
  (void)queue.CheckLimits(now);
  (void)queue.CheckLimits(now + JobQueue::kTrust);
  EXPECT_EQ(resting.wakes, 1);
  EXPECT_EQ(queue.Take(&resting, &next_check).job, &second);
  EXPECT_FALSE(queue.Finish(&resting));
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, IsWokenForAJobWhileNobodyRunsOneAndOnlyIt) {
  EXPECT_EQ(queue.FinishAndTake(&busy, &next_check).job, nullptr);
  EXPECT_TRUE(queue.BeginIdle(&busy));
  EXPECT_TRUE(queue.Submit(&second).woke);
  EXPECT_FALSE(queue.Submit(&third).woke);
  EXPECT_EQ(busy.wakes + resting.wakes, 1);
  FakeWorker* woken = busy.wakes == 1 ? &busy : &resting;
  EXPECT_EQ(queue.Take(woken, &next_check).job, &second);
  EXPECT_EQ(queue.FinishAndTake(woken, &next_check).job, &third);
  EXPECT_FALSE(queue.Finish(woken));
}

TEST_F(OneIsEnoughTest, ATakenJobSaysWhetherItIsTheLastForNow) {
  EXPECT_FALSE(queue.Submit(&second).woke);
  EXPECT_FALSE(queue.Submit(&third).woke);
  EXPECT_FALSE(queue.FinishAndTake(&busy, &next_check).last_tiny);
  EXPECT_TRUE(queue.FinishAndTake(&busy, &next_check).last_tiny);
  // More workers, and nothing is known of their jobs.
  queue.SetMaxWorkers(3);
  (void)queue.Submit(&first);
  const JobQueue::Taken taken = queue.FinishAndTake(&busy, &next_check);
  EXPECT_EQ(taken.job, &first);
  EXPECT_FALSE(taken.last_tiny);
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, OfAClosedQueueBothTakeWhatIsLeft) {
  EXPECT_FALSE(queue.Submit(&second).woke);
  queue.Close();
  EXPECT_EQ(resting.wakes, 1);
  EXPECT_EQ(queue.Take(&resting, &next_check).job, &second);
  EXPECT_TRUE(queue.FinishAndTake(&resting, &next_check).leave);
  EXPECT_TRUE(queue.FinishAndTake(&busy, &next_check).leave);
}

TEST_F(OneIsEnoughTest, NotOfAWorkerThatWasGivenUp) {
  EXPECT_FALSE(queue.Submit(&second).woke);
  PoolWorker* lost = nullptr;
  EXPECT_EQ(queue.Abandon(&first, &lost), JobQueue::Given::kGiven);
  EXPECT_EQ(queue.Take(&resting, &next_check).job, &second);
  EXPECT_FALSE(queue.Finish(&resting));
}

}  // namespace
}  // namespace sloppy::workers

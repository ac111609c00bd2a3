// JobQueue for workers that have several jobs at a time.
#include <gtest/gtest.h>

#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

constexpr int64_t kPatience = JobQueue::kPatience;

class SharedQueueTest : public testing::Test {
 protected:
  void SetUp() override { queue.Join(&worker); }

  // Begins a job, which then awaits.
  void ParkJob(Job* job) {
    queue.Submit(job);
    ASSERT_EQ(queue.Take(&worker, &next_check).job, job);
    ASSERT_TRUE(queue.Park(&worker));
  }

  JobQueue queue{{.capacity = 8, .max_workers = 2, .shared = true}};
  FakeWorker worker;
  int64_t next_check = kNever;
  Job first, second;
};

TEST_F(SharedQueueTest, AParkedJobLeavesRoomForAnother) {
  ParkJob(&first);
  queue.Submit(&second);
  EXPECT_EQ(queue.Take(&worker, &next_check).job, &second);
  EXPECT_EQ(queue.GetCounts().running, 2u);
  EXPECT_FALSE(queue.FinishParked(&worker, &first));
  EXPECT_FALSE(queue.Finish(&worker));
  EXPECT_EQ(queue.GetCounts().running, 0u);
}

TEST_F(SharedQueueTest, ACancelledJobThatAwaitsIsLeftToItsWorker) {
  ParkJob(&first);
  queue.Cancel(&first, End::kCancelled, 1000, &next_check);
  EXPECT_EQ(first.cancelled, End::kCancelled);
  EXPECT_TRUE(first.overdue);
  EXPECT_EQ(worker.wakes, 1);
  EXPECT_EQ(next_check, 1000 + kPatience);
  EXPECT_EQ(worker.terminations, 0);
  EXPECT_FALSE(queue.FinishParked(&worker, &first));
}

TEST_F(SharedQueueTest, WhatWasOverdueBeginsAnewWhenItComesAgain) {
  for (const bool pinned : {false, true}) {
    ParkJob(&first);
    queue.Cancel(&first, End::kCancelled, 1000, &next_check);
    ASSERT_TRUE(first.overdue);
    queue.FinishParked(&worker, &first);
    if (pinned) {
      ASSERT_TRUE(queue.SubmitTo(&first, &worker, 1));
    } else {
      queue.Submit(&first);
    }
    EXPECT_FALSE(first.overdue);
    ASSERT_EQ(queue.Take(&worker, &next_check).job, &first);
    queue.Finish(&worker);
  }
  EXPECT_EQ(worker.terminations, 0);
}

TEST_F(SharedQueueTest, AWorkerThatComputesOnWithoutYieldingIsTerminated) {
  ParkJob(&first);
  queue.Cancel(&first, End::kCancelled, 1000, &next_check);
  // It got no CPU: not its fault.
  int64_t now = next_check;
  queue.CheckLimits(now);
  EXPECT_EQ(worker.terminations, 0);
  worker.cpu_time = kPatience;
  queue.CheckLimits(now += kPatience);
  EXPECT_EQ(worker.terminations, 1);
  EXPECT_TRUE(queue.FinishParked(&worker, &first));
}

TEST_F(SharedQueueTest, OneThatDoesNothingForLongIsTerminatedToo) {
  ParkJob(&first);
  queue.Cancel(&first, End::kCancelled, 1000, &next_check);
  for (int64_t now = next_check; now < JobQueue::kLongPatience;
       now += kPatience) {
    queue.CheckLimits(now);
  }
  EXPECT_EQ(worker.terminations, 0);
  queue.CheckLimits(1000 + JobQueue::kLongPatience + kPatience);
  EXPECT_EQ(worker.terminations, 1);
}

TEST_F(SharedQueueTest, NobodyIsTerminatedForWhatAnotherJobComputes) {
  ParkJob(&first);
  queue.Submit(&second);
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &second);
  queue.Cancel(&first, End::kCancelled, 1000, &next_check);
  int64_t now = 1000;
  for (int i = 0; i < 100; ++i) {
    worker.cpu_time += kPatience;
    queue.CheckLimits(now += kPatience);
  }
  EXPECT_EQ(worker.terminations, 0);
  // It may be the cancelled one from here on.
  ASSERT_TRUE(queue.Park(&worker));
  worker.cpu_time += kPatience;
  queue.CheckLimits(now += kPatience);
  EXPECT_EQ(worker.terminations, 1);
}

TEST_F(SharedQueueTest, WhatAnEndedJobGoesOnWithDoesNotKeepTheOthers) {
  constexpr int64_t kLimit = JobQueue::kLeftoversLimit;
  ParkJob(&first);
  worker.has_strays = true;
  worker.cpu_time = 10 * kLimit;  // The time before it was seen.
  queue.CheckLimits(1);
  worker.cpu_time += kLimit - 1;
  queue.CheckLimits(2);
  EXPECT_EQ(worker.terminations, 0);
  // It yields now and then.
  ++worker.turns;
  queue.CheckLimits(3);
  worker.cpu_time += kLimit - 1;
  queue.CheckLimits(4);
  EXPECT_EQ(worker.terminations, 0);
  // Another job's own computing is not counted.
  queue.Submit(&second);
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &second);
  worker.cpu_time += 10 * kLimit;
  queue.CheckLimits(5);
  ASSERT_TRUE(queue.Park(&worker));
  queue.CheckLimits(6);
  EXPECT_EQ(worker.terminations, 0);
  worker.cpu_time += kLimit;
  queue.CheckLimits(7);
  EXPECT_EQ(worker.terminations, 1);
}

TEST_F(SharedQueueTest, WithoutOneAJobThatAwaitedMayCompute) {
  ParkJob(&first);
  for (int64_t now = 1; now < 10; ++now) {
    worker.cpu_time += JobQueue::kLeftoversLimit;
    queue.CheckLimits(now);
  }
  EXPECT_EQ(worker.terminations, 0);
}

TEST_F(SharedQueueTest, TheGracePeriodComesFirst) {
  first.grace = 50;
  ParkJob(&first);
  queue.Cancel(&first, End::kCancelled, 1000, &next_check);
  EXPECT_EQ(next_check, 1050);
  EXPECT_FALSE(first.overdue);
  queue.CheckLimits(1050);
  EXPECT_TRUE(first.overdue);
  EXPECT_EQ(worker.terminations, 0);
}

TEST_F(SharedQueueTest, ADeadlineHoldsForAParkedJob) {
  first.deadline = MonotonicNow() + int64_t{3600} * 1'000'000'000;
  ParkJob(&first);
  queue.CheckLimits(first.deadline);
  EXPECT_EQ(first.cancelled, End::kTimedOut);
  EXPECT_TRUE(first.overdue);
}

TEST_F(SharedQueueTest, ATerminatedJobIsNotParked) {
  queue.Submit(&first);
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &first);
  queue.TerminateAll(End::kShutdown);
  EXPECT_FALSE(queue.Park(&worker));
  EXPECT_TRUE(queue.Finish(&worker));
}

TEST_F(SharedQueueTest, TerminateAllReachesParkedJobs) {
  ParkJob(&first);
  ParkJob(&second);
  EXPECT_EQ(queue.TerminateAll(End::kShutdown), 2u);
  EXPECT_TRUE(queue.FinishParked(&worker, &first));
  EXPECT_TRUE(queue.FinishParked(&worker, &second));
}

TEST_F(SharedQueueTest, AWorkerThatMustLeaveFirstEndsItsJobs) {
  ParkJob(&first);
  queue.Close();
  EXPECT_FALSE(queue.Take(&worker, &next_check).leave);
  // It waits for its own jobs, not for new ones.
  EXPECT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.GetCounts().idle, 0u);
  queue.FinishParked(&worker, &first);
  EXPECT_TRUE(queue.Take(&worker, &next_check).leave);
}

TEST_F(SharedQueueTest, AWorkerIsAbandonedForAJobThatWasTerminated) {
  ParkJob(&first);
  ParkJob(&second);
  PoolWorker* lost = nullptr;
  EXPECT_EQ(queue.Abandon(&first, &lost), JobQueue::AbandonResult::kLater);
  EXPECT_FALSE(queue.IsLost(&second));
  queue.TerminateAll(End::kShutdown);
  EXPECT_EQ(queue.Abandon(&first, &lost), JobQueue::AbandonResult::kAbandoned);
  EXPECT_EQ(lost, &worker);
  EXPECT_TRUE(queue.IsLost(&second));
  queue.FinishParked(&worker, &second);
  EXPECT_FALSE(queue.IsLost(&second));
}

}  // namespace
}  // namespace sloppy::workers

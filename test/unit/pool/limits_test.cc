// Limits at their ends: of workers that execute without a job, of jobs whose
// time is over before they begin, of numbers that no clock reaches.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/clock.h"
#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;

class LimitsTest : public testing::Test {
 protected:
  void SetUp() override { queue.Join(&worker); }

  JobQueue queue{{.capacity = 8, .max_workers = 2}};
  FakeWorker worker, other;
  int64_t next_check = kNever;
  Job first, second, third;
};

TEST_F(LimitsTest, AWorkerThatLeavesAlsoHasALimitForItsEnd) {
  queue.Join(&other);
  EXPECT_TRUE(queue.BeginIdle(&other));
  queue.Trim(0);
  ASSERT_TRUE(queue.Take(&other, &next_check).leave);
  const int64_t now = MonotonicNow();
  queue.BeginEnd(&other, now + 5);
  EXPECT_EQ(queue.CheckLimits(now + 4), now + 5);
  EXPECT_EQ(other.terminations, 0);
  queue.CheckLimits(now + 5);
  EXPECT_EQ(other.terminations, 1);
  queue.CheckLimits(now + 6);
  EXPECT_EQ(other.terminations, 1);
  queue.EndOwn(&other);
  queue.Leave(&other);
}

TEST_F(LimitsTest, NobodyIsEndedAfterItsEnd) {
  queue.Join(&other);
  EXPECT_TRUE(queue.BeginIdle(&other));
  queue.Trim(0);
  ASSERT_TRUE(queue.Take(&other, &next_check).leave);
  const int64_t now = MonotonicNow();
  queue.BeginEnd(&other, now + 5);
  queue.EndOwn(&other);
  queue.CheckLimits(now + 9);
  EXPECT_EQ(other.terminations, 0);
}

TEST_F(LimitsTest, NorAfterTheEndOfSomethingElseOfItsOwn) {
  const int64_t now = MonotonicNow();
  ASSERT_TRUE(queue.BeginOwn(&worker, now + 5));
  queue.EndOwn(&worker);
  queue.BeginEnd(&worker, now + 6);
  queue.EndOwn(&worker);
  queue.CheckLimits(now + 9);
  EXPECT_EQ(worker.terminations, 0);
}

TEST_F(LimitsTest, TheOwnerLimitsTheEndOfThoseThatLeaveAClosedQueue) {
  queue.Close();
  ASSERT_TRUE(queue.Take(&worker, &next_check).leave);
  const int64_t now = MonotonicNow();
  queue.BeginEnd(&worker, now + 5);
  queue.CheckLimits(now + kHour);
  EXPECT_EQ(worker.terminations, 0);
  queue.EndOwn(&worker);
}

TEST_F(LimitsTest, ARenewalHasItsLimitAlsoInASurplusWorker) {
  queue.Join(&other);
  queue.Submit(&first);
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &first);
  queue.SetMaxWorkers(1);
  queue.Finish(&worker);
  const int64_t now = MonotonicNow();
  queue.BeginEnd(&worker, now + 5);
  queue.CheckLimits(now + 5);
  EXPECT_EQ(worker.terminations, 1);
  queue.EndOwn(&worker);
}

TEST_F(LimitsTest, WhatGoesOnAfterItsTerminationIsReportedOnce) {
  const int64_t now = MonotonicNow();
  ASSERT_TRUE(queue.BeginOwn(&worker, now));
  queue.CheckLimits(now);
  EXPECT_EQ(worker.terminations, 1);
  queue.CheckLimits(now + JobQueue::kStuckAfter / 2);
  EXPECT_EQ(worker.stuck_in_init, 0);
  queue.CheckLimits(MonotonicNow() + 2 * JobQueue::kStuckAfter);
  queue.CheckLimits(MonotonicNow() + 4 * JobQueue::kStuckAfter);
  EXPECT_EQ(worker.stuck_in_init, 1);
  EXPECT_EQ(worker.terminations, 1);
  // The owner gives it up: it has no place in the pool any more.
  queue.GiveUp(&worker);
  EXPECT_EQ(queue.GetCounts().workers, 0u);
  queue.Join(&other);
  queue.BeginEnd(&other, now);
  queue.CheckLimits(now);
  queue.CheckLimits(MonotonicNow() + 2 * JobQueue::kStuckAfter);
  EXPECT_EQ(other.stuck_at_end, 1);
}

TEST_F(LimitsTest, NobodyLooksAtAWorkerThatWasGivenUpWhileItLeft) {
  queue.Join(&other);
  EXPECT_TRUE(queue.BeginIdle(&other));
  queue.Trim(0);
  ASSERT_TRUE(queue.Take(&other, &next_check).leave);
  queue.BeginEnd(&other, kHour);
  queue.GiveUp(&other);
  // A new one in its memory.
  queue.Join(&other);
  const int64_t now = MonotonicNow();
  ASSERT_TRUE(queue.BeginOwn(&worker, now + kHour));
  queue.CheckLimits(now);
  EXPECT_EQ(worker.looks, 1);
}

TEST_F(LimitsTest, AJobThatAStuckWorkerHasTakenIsLost) {
  queue.Submit(&first);
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &first);
  ASSERT_TRUE(queue.BeginOwn(&worker, MonotonicNow()));
  EXPECT_FALSE(queue.IsLost(&first));
  queue.GiveUp(&worker);
  EXPECT_TRUE(queue.IsLost(&first));
  // Should it come back nevertheless, it leaves.
  queue.EndOwn(&worker);
  EXPECT_FALSE(queue.Finish(&worker));
  EXPECT_TRUE(queue.Take(&worker, &next_check).leave);
}

TEST_F(LimitsTest, ASurplusWorkerLeavesInsteadOfPreparingItself) {
  queue.Join(&other);
  queue.SetMaxWorkers(1);
  EXPECT_FALSE(queue.BeginOwn(&worker, kNever));
  // The pool may grow again: it has left all the same, and takes no job.
  EXPECT_EQ(queue.GetCounts().workers, 1u);
  EXPECT_TRUE(queue.BeginOwn(&other, kNever));
}

TEST_F(LimitsTest, AWorkerWithAJobPreparesItselfForIt) {
  queue.Join(&other);
  queue.Submit(&first);
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &first);
  queue.SetMaxWorkers(1);
  EXPECT_TRUE(queue.BeginOwn(&worker, kNever));
  queue.EndOwn(&worker);
  queue.Finish(&worker);
  EXPECT_TRUE(queue.Take(&worker, &next_check).leave);
}

TEST_F(LimitsTest, AJobWhoseTimeIsOverDoesNotBegin) {
  first.deadline = second.deadline = MonotonicNow() - 1;
  queue.Submit(&first);
  queue.Submit(&second);
  queue.Submit(&third);
  const JobQueue::Taken taken = queue.Take(&worker, &next_check);
  EXPECT_EQ(taken.job, &third);
  EXPECT_EQ(taken.late, &second);
  EXPECT_EQ(second.next, &first);
  EXPECT_EQ(first.next, nullptr);
  for (Job* job : {&first, &second}) {
    EXPECT_EQ(job->cancelled, End::kTimedOut);
    // Its worker brings it back.
    EXPECT_EQ(queue.Cancel(job, End::kTimedOut, 0, &next_check),
              JobQueue::Removal::kGone);
  }
  EXPECT_EQ(worker.terminations, 0);
  EXPECT_EQ(queue.GetCounts().running, 1u);
  EXPECT_FALSE(queue.Finish(&worker));
}

TEST_F(LimitsTest, AlsoAfterATimeInWhichNobodyLooked) {
  first.deadline = MonotonicNow() + 10 * JobQueue::kLookEvery;
  queue.Submit(&first);
  while (MonotonicNow() < first.deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const JobQueue::Taken taken = queue.Take(&worker, &next_check);
  EXPECT_EQ(taken.job, nullptr);
  EXPECT_EQ(taken.late, &first);
}

TEST_F(LimitsTest, AlsoAfterALongJobAtWhichTheWatchdogLooked) {
  queue.Submit(&first);
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &first);
  second.deadline = MonotonicNow() + 3 * JobQueue::kLookEvery;
  queue.Submit(&second);
  while (MonotonicNow() < second.deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  queue.CheckLimits(MonotonicNow());
  const JobQueue::Taken taken = queue.FinishAndTake(&worker, &next_check);
  EXPECT_EQ(taken.job, nullptr);
  EXPECT_EQ(taken.late, &second);
}

TEST_F(LimitsTest, AlsoAfterTheEndOfAnotherJob) {
  queue.Submit(&first);
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &first);
  second.deadline = MonotonicNow();
  queue.Submit(&second);
  const JobQueue::Taken taken = queue.FinishAndTake(&worker, &next_check);
  EXPECT_EQ(taken.job, nullptr);
  EXPECT_EQ(taken.late, &second);
  EXPECT_FALSE(taken.terminated);
}

TEST_F(LimitsTest, AlsoAPinnedOne) {
  first.deadline = MonotonicNow();
  ASSERT_TRUE(queue.SubmitTo(&first, &worker, 0));
  EXPECT_EQ(queue.Take(&worker, &next_check).late, &first);
  EXPECT_EQ(first.worker, nullptr);
}

TEST_F(LimitsTest, ARunWithoutTimeDoesNotBegin) {
  first.run_limit = 0;
  queue.Submit(&first);
  EXPECT_EQ(queue.Take(&worker, &next_check).late, &first);
  EXPECT_EQ(first.cancelled, End::kRunTimedOut);
}

TEST_F(LimitsTest, AGracePeriodWithoutAnEndHasNone) {
  for (const int64_t grace : {kNever, kLatest, kNever - MonotonicNow()}) {
    Job job;
    job.grace = grace;
    job.deadline = MonotonicNow() + kHour;
    queue.Submit(&job);
    ASSERT_EQ(queue.Take(&worker, &next_check).job, &job);
    queue.Cancel(&job, End::kCancelled, MonotonicNow(), &next_check);
    queue.CheckLimits(MonotonicNow());
    queue.CheckLimits(job.deadline);
    queue.CheckLimits(job.deadline + kHour);
    EXPECT_EQ(worker.terminations, 0);
    EXPECT_FALSE(queue.Finish(&worker));
  }
}

TEST_F(LimitsTest, ADeadlineWithSuchAGracePeriodOnlySignals) {
  first.grace = kNever;
  first.deadline = MonotonicNow() + kHour;
  queue.Submit(&first);
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &first);
  queue.CheckLimits(first.deadline);
  EXPECT_EQ(first.cancelled, End::kTimedOut);
  queue.CheckLimits(first.deadline + kHour);
  EXPECT_EQ(worker.terminations, 0);
}

TEST(Later, IsNeverBeyondTheLatest) {
  EXPECT_EQ(Later(1, 2), 3);
  EXPECT_EQ(Later(-5, 2), -3);
  EXPECT_EQ(Later(kLatest - 1, 1), kLatest);
  EXPECT_EQ(Later(kLatest, 1), kLatest);
  EXPECT_EQ(Later(1, kNever), kLatest);
  EXPECT_EQ(Later(kNever, 0), kLatest);
}

}  // namespace
}  // namespace sloppy::workers

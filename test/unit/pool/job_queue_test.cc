#include "pool/job_queue.h"

#include <gtest/gtest.h>

#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

using Admission = JobQueue::Admission;
using Removal = JobQueue::Removal;
constexpr int64_t kLookEvery = JobQueue::kLookEvery;

class JobQueueTest : public testing::Test {
 protected:
  void SetUp() override { queue.Join(&worker); }

  Job* TakeJob() { return queue.Take(&worker, &next_check).job; }

  JobQueue queue{{.capacity = 2, .max_workers = 4}};
  FakeWorker worker;
  int64_t next_check = kNever;
  Job first, second, third;
};

TEST_F(JobQueueTest, RefusesOverCapacityAndTakesInOrder) {
  EXPECT_EQ(queue.Submit(&first).admission, Admission::kQueued);
  EXPECT_EQ(queue.Submit(&second).admission, Admission::kQueued);
  EXPECT_EQ(queue.Submit(&third).admission, Admission::kFull);
  EXPECT_EQ(TakeJob(), &first);
  // The place of a running job is free again.
  EXPECT_EQ(queue.Submit(&third).admission, Admission::kQueued);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, &second);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, &third);
  EXPECT_FALSE(queue.Finish(&worker));
  EXPECT_EQ(queue.GetCounts().running, 0u);
}

TEST_F(JobQueueTest, TakesTheMostUrgentPriorityFirst) {
  first.priority = 3;
  second.priority = 200;  // Beyond the last list: counts as the last.
  queue.Submit(&second);
  queue.Submit(&first);
  EXPECT_EQ(TakeJob(), &first);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, &second);
}

TEST_F(JobQueueTest, WakesAnIdleWorkerOrAsksForAnother) {
  // One that has not looked yet will.
  EXPECT_FALSE(queue.Submit(&first).wants_worker);
  EXPECT_EQ(worker.wakes, 0);
  EXPECT_EQ(TakeJob(), &first);
  EXPECT_TRUE(queue.Submit(&second).wants_worker);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, &second);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, nullptr);
  EXPECT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.GetCounts().idle, 1u);
  EXPECT_FALSE(queue.Submit(&third).wants_worker);
  EXPECT_EQ(worker.wakes, 1);
  EXPECT_EQ(queue.GetCounts().idle, 0u);
}

TEST_F(JobQueueTest, AWorkerThatLooksNeedsNoWaking) {
  FakeWorker idle;
  queue.Join(&idle);
  EXPECT_TRUE(queue.BeginIdle(&idle));
  EXPECT_EQ(TakeJob(), nullptr);
  EXPECT_FALSE(queue.HasWork());
  queue.Submit(&first);
  EXPECT_TRUE(queue.HasWork());
  EXPECT_EQ(worker.wakes + idle.wakes, 0);
  EXPECT_FALSE(queue.BeginIdle(&worker));
  // The second job is more than the one that looks can take.
  queue.Submit(&second);
  EXPECT_EQ(idle.wakes, 1);
}

TEST_F(JobQueueTest, WhoTakesAJobWakesTheNextForTheRest) {
  FakeWorker idle;
  queue.Join(&idle);
  EXPECT_EQ(TakeJob(), nullptr);
  queue.SetPaused(true);
  queue.Submit(&first);
  queue.Submit(&second);
  EXPECT_FALSE(queue.HasWork());
  EXPECT_TRUE(queue.BeginIdle(&idle));
  EXPECT_TRUE(queue.BeginIdle(&worker));
  queue.SetPaused(false);
  EXPECT_EQ(idle.wakes + worker.wakes, 2);
}

TEST_F(JobQueueTest, CancelGivesAQueuedJobBack) {
  queue.Submit(&first);
  queue.Submit(&second);
  EXPECT_EQ(queue.Cancel(&first, End::kCancelled, 0, &next_check),
            Removal::kRemoved);
  EXPECT_EQ(queue.Cancel(&first, End::kCancelled, 0, &next_check),
            Removal::kGone);
  EXPECT_EQ(TakeJob(), &second);
}

TEST_F(JobQueueTest, CancelTerminatesARunningJobOnceAndOnlyWhileItRuns) {
  queue.Submit(&first);
  ASSERT_EQ(TakeJob(), &first);
  EXPECT_EQ(queue.Cancel(&first, End::kCancelled, 0, &next_check),
            Removal::kRunning);
  EXPECT_EQ(queue.Cancel(&first, End::kShutdown, 0, &next_check),
            Removal::kRunning);
  EXPECT_EQ(worker.terminations, 1);
  EXPECT_TRUE(queue.FinishAndTake(&worker, &next_check).terminated);
  EXPECT_EQ(queue.Cancel(&first, End::kCancelled, 0, &next_check),
            Removal::kGone);
  EXPECT_EQ(worker.terminations, 1);
}

TEST_F(JobQueueTest, NoWorkerIsAbandonedForAJobThatDoesNotRun) {
  PoolWorker* lost = nullptr;
  queue.Submit(&first);
  EXPECT_EQ(queue.Abandon(&first, &lost), JobQueue::AbandonResult::kOver);
  ASSERT_EQ(TakeJob(), &first);
  EXPECT_FALSE(queue.Finish(&worker));
  EXPECT_EQ(queue.Abandon(&first, &lost), JobQueue::AbandonResult::kOver);
  EXPECT_EQ(lost, nullptr);
  EXPECT_EQ(queue.GetCounts().workers, 1u);
}

TEST_F(JobQueueTest, AGracePeriodComesBeforeTermination) {
  first.grace = 100;
  queue.Submit(&first);
  ASSERT_EQ(TakeJob(), &first);
  queue.Cancel(&first, End::kCancelled, 1000, &next_check);
  EXPECT_EQ(next_check, 1100);
  EXPECT_EQ(first.cancelled, End::kCancelled);
  EXPECT_EQ(queue.CheckLimits(1099), 1100);
  EXPECT_EQ(worker.terminations, 0);
  EXPECT_EQ(queue.CheckLimits(1100), 1100 + kLookEvery);
  EXPECT_EQ(worker.terminations, 1);
  EXPECT_TRUE(queue.Finish(&worker));
}

TEST_F(JobQueueTest, ADeadlineSignalsAndThenTerminates) {
  const int64_t deadline = MonotonicNow() + int64_t{3600} * 1'000'000'000;
  first.deadline = deadline;
  first.grace = 50;
  queue.Submit(&first);
  ASSERT_EQ(TakeJob(), &first);
  // Far away: the watchdog comes to look at the worker long before.
  EXPECT_LT(next_check, deadline);
  EXPECT_EQ(queue.CheckLimits(deadline - 10), deadline);
  EXPECT_EQ(first.cancelled, End::kNone);
  EXPECT_EQ(worker.wakes, 0);
  EXPECT_EQ(queue.CheckLimits(deadline), deadline + 50);
  // It may wait for something, and has its grace to say so.
  EXPECT_EQ(worker.wakes, 1);
  EXPECT_EQ(first.cancelled, End::kTimedOut);
  EXPECT_EQ(worker.terminations, 0);
  EXPECT_EQ(queue.CheckLimits(deadline + 50), deadline + 50 + kLookEvery);
  EXPECT_EQ(worker.terminations, 1);
}

TEST_F(JobQueueTest, TheLimitOfARunCountsFromItsStart) {
  const int64_t hour = int64_t{3600} * 1'000'000'000;
  first.run_limit = hour;
  ASSERT_EQ(queue.Submit(&first).admission, Admission::kQueued);
  EXPECT_EQ(queue.RunLeft(&first, MonotonicNow()), hour);
  EXPECT_EQ(first.deadline, kNever);
  const int64_t before = MonotonicNow();
  ASSERT_EQ(TakeJob(), &first);
  EXPECT_GE(first.deadline, before + hour);
  EXPECT_EQ(queue.RunLeft(&first, first.deadline - 7), 7);
  queue.CheckLimits(first.deadline - 1);
  EXPECT_EQ(first.cancelled.load(), End::kNone);
  queue.CheckLimits(first.deadline);
  EXPECT_EQ(first.cancelled.load(), End::kRunTimedOut);
}

TEST_F(JobQueueTest, AnEarlierDeadlineIsNotThatOfTheRun) {
  const int64_t deadline = MonotonicNow() + int64_t{60} * 1'000'000'000;
  first.deadline = deadline;
  first.run_limit = int64_t{3600} * 1'000'000'000;
  ASSERT_EQ(queue.Submit(&first).admission, Admission::kQueued);
  ASSERT_EQ(TakeJob(), &first);
  EXPECT_EQ(first.deadline, deadline);
  queue.CheckLimits(deadline);
  EXPECT_EQ(first.cancelled.load(), End::kTimedOut);
}

TEST_F(JobQueueTest, ACancellationIsNotOverwrittenByTheDeadline) {
  first.deadline = MonotonicNow() + int64_t{3600} * 1'000'000'000;
  first.grace = 50;
  queue.Submit(&first);
  ASSERT_EQ(TakeJob(), &first);
  queue.Cancel(&first, End::kCancelled, first.deadline - 10, &next_check);
  queue.CheckLimits(first.deadline);
  EXPECT_EQ(first.cancelled, End::kCancelled);
}

TEST_F(JobQueueTest, TheCpuLimitCountsOnlyThisJobsCpu) {
  worker.cpu_time = 5000;
  first.cpu_limit = 100;
  queue.Submit(&first);
  ASSERT_EQ(TakeJob(), &first);
  worker.cpu_time = 5040;
  EXPECT_EQ(queue.CheckLimits(10), 70);
  EXPECT_EQ(worker.terminations, 0);
  worker.cpu_time = 5100;
  EXPECT_EQ(queue.CheckLimits(80), 80 + kLookEvery);
  EXPECT_EQ(first.cancelled, End::kCpuLimit);
  EXPECT_EQ(worker.terminations, 1);
}

TEST_F(JobQueueTest, AWorkerIsLookedAtWhileItRunsAJob) {
  EXPECT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.CheckLimits(100), kNever);
  EXPECT_EQ(worker.looks, 0);
  queue.Submit(&first);
  ASSERT_EQ(TakeJob(), &first);
  EXPECT_NE(next_check, kNever);
  EXPECT_EQ(queue.CheckLimits(100), 100 + kLookEvery);
  EXPECT_EQ(queue.CheckLimits(200), 200 + kLookEvery);
  EXPECT_EQ(worker.looks, 2);
  queue.Finish(&worker);
  EXPECT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.CheckLimits(300), kNever);
  EXPECT_EQ(worker.looks, 2);
}

TEST_F(JobQueueTest, APausedQueueKeepsItsJobs) {
  EXPECT_TRUE(queue.BeginIdle(&worker));
  queue.SetPaused(true);
  EXPECT_EQ(queue.Submit(&first).admission, Admission::kQueued);
  EXPECT_EQ(worker.wakes, 0);
  // Nor does it want another worker, which could take none of them.
  EXPECT_FALSE(queue.Submit(&second).wants_worker);
  EXPECT_EQ(TakeJob(), nullptr);
  queue.SetPaused(false);
  EXPECT_EQ(worker.wakes, 1);
  EXPECT_EQ(TakeJob(), &first);
}

TEST_F(JobQueueTest, AClosedQueueRefusesAndDrains) {
  queue.Submit(&first);
  queue.Close();
  EXPECT_EQ(queue.Submit(&second).admission, Admission::kClosed);
  EXPECT_EQ(TakeJob(), &first);
  EXPECT_TRUE(queue.FinishAndTake(&worker, &next_check).leave);
  EXPECT_EQ(queue.GetCounts().workers, 0u);
}

TEST_F(JobQueueTest, DroppedJobsComeBackInOrder) {
  first.priority = 1;
  queue.Submit(&first);
  queue.Submit(&second);
  JobList dropped;
  queue.DropQueued(&dropped);
  EXPECT_EQ(dropped.PopFront(), &second);
  EXPECT_EQ(dropped.PopFront(), &first);
  EXPECT_EQ(queue.GetCounts().queued, 0u);
  EXPECT_EQ(queue.Cancel(&first, End::kCancelled, 0, &next_check),
            Removal::kGone);
}

TEST_F(JobQueueTest, TerminateAllReachesJobsAndWorkersWithoutOne) {
  FakeWorker other, idle;
  queue.Join(&other);
  queue.Join(&idle);
  queue.Submit(&first);
  queue.Submit(&second);
  TakeJob();
  queue.Take(&other, &next_check);
  EXPECT_FALSE(queue.IsTerminated(&worker));
  EXPECT_EQ(queue.TerminateAll(End::kShutdown), 2u);
  EXPECT_EQ(worker.terminations, 1);
  EXPECT_EQ(other.terminations, 1);
  EXPECT_EQ(idle.terminations, 1);
  EXPECT_EQ(first.cancelled, End::kShutdown);
  EXPECT_TRUE(queue.IsTerminated(&worker));
  EXPECT_FALSE(queue.IsTerminated(&idle));
  EXPECT_TRUE(queue.Finish(&worker));
}

TEST_F(JobQueueTest, MailReachesOnlyTheWorkerThatRunsTheJob) {
  FakeWorker other;
  queue.Join(&other);
  first.serial = 7;
  queue.Submit(&first);
  EXPECT_FALSE(queue.Deliver(&first, std::make_unique<Mail>()));
  ASSERT_EQ(queue.Take(&other, &next_check).job, &first);
  EXPECT_TRUE(queue.Deliver(&first, std::make_unique<Mail>()));
  queue.Finish(&other);
  EXPECT_FALSE(queue.Deliver(&first, std::make_unique<Mail>()));
  EXPECT_TRUE(worker.mail.empty());
  ASSERT_EQ(other.mail.size(), 1u);
  EXPECT_EQ(other.mail[0]->job_serial, 7u);
}

TEST_F(JobQueueTest, MailWithoutAJobGoesToTheOldestWorker) {
  FakeWorker younger;
  queue.Join(&younger);
  EXPECT_TRUE(queue.DeliverToWorker(std::make_unique<Mail>()));
  EXPECT_EQ(worker.mail.size(), 1u);
  queue.Leave(&worker);
  queue.Leave(&younger);
  EXPECT_FALSE(queue.DeliverToWorker(std::make_unique<Mail>()));
}

TEST_F(JobQueueTest, OnlySurplusWorkersLeave) {
  FakeWorker other;
  queue.Join(&other);
  queue.BeginIdle(&worker);
  queue.BeginIdle(&other);
  queue.SetMaxWorkers(1);
  EXPECT_EQ(worker.wakes + other.wakes, 2);
  EXPECT_TRUE(queue.Take(&worker, &next_check).leave);
  EXPECT_FALSE(queue.Take(&other, &next_check).leave);
  EXPECT_EQ(queue.GetCounts().workers, 1u);
  queue.Leave(&worker);
  EXPECT_EQ(queue.GetCounts().workers, 1u);
}

TEST_F(JobQueueTest, TrimSparesBusyWorkers) {
  FakeWorker other;
  queue.Join(&other);
  queue.Submit(&first);
  queue.Take(&other, &next_check);
  queue.BeginIdle(&worker);
  queue.Trim(0);
  EXPECT_EQ(worker.wakes, 1);
  EXPECT_EQ(other.wakes, 0);
  EXPECT_TRUE(queue.Take(&worker, &next_check).leave);
  EXPECT_FALSE(queue.FinishAndTake(&other, &next_check).leave);
}

TEST_F(JobQueueTest, TrimKeepsAsManyAsItWasTold) {
  FakeWorker second_worker, third_worker;
  queue.Join(&second_worker);
  queue.Join(&third_worker);
  for (FakeWorker* each : {&worker, &second_worker, &third_worker}) {
    ASSERT_TRUE(queue.BeginIdle(each));
  }
  queue.Trim(2);
  EXPECT_EQ(worker.wakes + second_worker.wakes + third_worker.wakes, 1);
  EXPECT_EQ(queue.GetCounts().idle, 2u);
  // The one that is about to leave is not one of those that are left.
  queue.Trim(2);
  EXPECT_EQ(queue.GetCounts().idle, 2u);
  queue.Trim(1);
  EXPECT_EQ(queue.GetCounts().idle, 1u);
}

TEST_F(JobQueueTest, RecycledWorkersLeaveAfterTheirJobsAndTakeNoOther) {
  FakeWorker other;
  queue.Join(&other);
  queue.Submit(&first);
  EXPECT_EQ(queue.Take(&other, &next_check).job, &first);
  queue.BeginIdle(&worker);
  queue.Recycle();
  EXPECT_EQ(worker.wakes, 1);
  EXPECT_EQ(other.wakes, 0);
  queue.Submit(&second);
  EXPECT_TRUE(queue.Take(&worker, &next_check).leave);
  const auto taken = queue.FinishAndTake(&other, &next_check);
  EXPECT_TRUE(taken.leave);
  EXPECT_EQ(taken.job, nullptr);
  queue.Leave(&worker);
  queue.Leave(&other);
  FakeWorker next;
  queue.Join(&next);
  EXPECT_EQ(queue.Take(&next, &next_check).job, &second);
}

}  // namespace
}  // namespace sloppy::workers

// Jobs for one given worker, and workers that wait for their owner.
#include <gtest/gtest.h>

#include <vector>

#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

class PinnedTest : public testing::Test {
 protected:
  void SetUp() override {
    queue.Join(&worker);
    queue.Join(&other);
  }

  Job* TakeFor(FakeWorker* who) { return queue.Take(who, &next_check).job; }
  std::vector<const Job*> PinnedTo(FakeWorker* who) {
    std::vector<const Job*> all;
    queue.ForEachPinned(who, [&all](const Job* job) { all.push_back(job); });
    return all;
  }

  JobQueue queue{{.capacity = 1, .max_workers = 2}};
  FakeWorker worker, other;
  int64_t next_check = kNever;
  Job first, second, third;
};

TEST_F(PinnedTest, GoesToItsWorkerAloneAndBeforeAllOthers) {
  EXPECT_EQ(queue.Submit(&first).admission, JobQueue::Admission::kQueued);
  // Beyond the capacity, and no reason for anybody else to look.
  EXPECT_TRUE(queue.SubmitTo(&second, &worker, 1));
  EXPECT_EQ(queue.GetCounts().queued, 1u);
  EXPECT_EQ(TakeFor(&other), &first);
  EXPECT_FALSE(queue.HasWork());
  EXPECT_FALSE(queue.Finish(&other));
  EXPECT_EQ(queue.Submit(&third).admission, JobQueue::Admission::kQueued);
  EXPECT_EQ(TakeFor(&worker), &second);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, &third);
}

TEST_F(PinnedTest, WakesItsWorkerWhereverItSleeps) {
  EXPECT_EQ(TakeFor(&worker), nullptr);
  EXPECT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(TakeFor(&other), nullptr);
  EXPECT_TRUE(queue.BeginIdle(&other));
  EXPECT_TRUE(queue.SubmitTo(&first, &worker, 1));
  EXPECT_EQ(worker.wakes, 1);
  EXPECT_EQ(other.wakes, 0);
  EXPECT_FALSE(queue.BeginIdle(&worker));
  EXPECT_TRUE(queue.IsWanted(&worker));
  EXPECT_FALSE(queue.IsWanted(&other));
}

TEST_F(PinnedTest, ComesInTheOrderOfItsNumber) {
  EXPECT_TRUE(queue.SubmitTo(&third, &worker, 3));
  EXPECT_TRUE(queue.SubmitTo(&first, &worker, 1));
  EXPECT_TRUE(queue.SubmitTo(&second, &worker, 2));
  EXPECT_EQ(TakeFor(&worker), &first);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, &second);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, &third);
}

TEST_F(PinnedTest, ComesInTheOrderOfItsArrivalAmongEqualNumbers) {
  EXPECT_TRUE(queue.SubmitTo(&first, &worker, 1));
  EXPECT_TRUE(queue.SubmitTo(&second, &worker, 1));
  EXPECT_EQ(TakeFor(&worker), &first);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, &second);
}

TEST_F(PinnedTest, WaitsWhileThePoolIsPaused) {
  queue.SetPaused(true);
  EXPECT_TRUE(queue.SubmitTo(&first, &worker, 1));
  EXPECT_EQ(TakeFor(&worker), nullptr);
  EXPECT_TRUE(queue.BeginIdle(&worker));
  const int before = worker.wakes;
  queue.SetPaused(false);
  EXPECT_GT(worker.wakes, before);
  EXPECT_EQ(TakeFor(&worker), &first);
}

TEST_F(PinnedTest, IsTheOwnersAgainWhenItsWorkerLeaves) {
  EXPECT_TRUE(queue.SubmitTo(&first, &worker, 1));
  EXPECT_TRUE(queue.SubmitTo(&second, &other, 1));
  queue.Leave(&worker);
  EXPECT_EQ(queue.Cancel(&first, End::kNone, 0, &next_check),
            JobQueue::Removal::kRemoved);
  EXPECT_EQ(queue.Cancel(&first, End::kNone, 0, &next_check),
            JobQueue::Removal::kGone);
  EXPECT_FALSE(queue.SubmitTo(&first, &worker, 1));
  JobList dropped;
  queue.DropQueued(&dropped);
  EXPECT_EQ(dropped.PopFront(), &second);
}

TEST_F(PinnedTest, IsDroppedWithAllOthersAlsoWhenItsWorkerHasLeft) {
  EXPECT_TRUE(queue.SubmitTo(&first, &worker, 1));
  queue.Leave(&worker);
  JobList dropped;
  queue.DropQueued(&dropped);
  EXPECT_EQ(dropped.PopFront(), &first);
  EXPECT_EQ(dropped.PopFront(), nullptr);
}

TEST_F(PinnedTest, AFreshWorkerTakesNothingUntilItIsLetIn) {
  Job* taken = nullptr;
  EXPECT_FALSE(queue.BeginFresh(&worker, &taken));
  queue.SetGreets(true);
  EXPECT_TRUE(queue.BeginFresh(&worker, &taken));
  queue.Submit(&first);
  queue.SubmitTo(&second, &worker, 1);
  EXPECT_EQ(PinnedTo(&worker), std::vector<const Job*>{&second});
  EXPECT_TRUE(worker.waits_for_owner());
  EXPECT_EQ(TakeFor(&worker), nullptr);
  EXPECT_TRUE(queue.BeginIdle(&worker));
  // It counts neither as looking nor as idle: others take the job.
  EXPECT_EQ(queue.GetCounts().idle, 0u);
  EXPECT_EQ(TakeFor(&other), &first);
  const int before = worker.wakes;
  queue.LetIn(&worker);
  EXPECT_GT(worker.wakes, before);
  EXPECT_FALSE(queue.BeginIdle(&worker));
  EXPECT_EQ(TakeFor(&worker), &second);
}

TEST_F(PinnedTest, AFreshWorkerAsksAlsoWhileItWouldHaveToLeave) {
  queue.SetGreets(true);
  queue.SetMaxWorkers(1);
  Job* taken = nullptr;
  EXPECT_TRUE(queue.BeginFresh(&worker, &taken));
  queue.SetMaxWorkers(2);
  queue.Submit(&first);
  EXPECT_EQ(TakeFor(&worker), nullptr);
  queue.LetIn(&worker);
  EXPECT_EQ(TakeFor(&worker), &first);
}

TEST_F(PinnedTest, GivesBackWhatItTookBeforeItsRealmWasNew) {
  queue.SetGreets(true);
  queue.Submit(&first);
  Job* taken = TakeFor(&worker);
  EXPECT_TRUE(queue.BeginFresh(&worker, &taken));
  EXPECT_EQ(taken, nullptr);
  EXPECT_EQ(queue.GetCounts().running, 0u);
  EXPECT_EQ(TakeFor(&other), &first);

  queue.LetIn(&worker);
  queue.SubmitTo(&second, &worker, 2);
  taken = TakeFor(&worker);
  EXPECT_EQ(taken, &second);
  EXPECT_TRUE(queue.BeginFresh(&worker, &taken));
  queue.SubmitTo(&third, &worker, 1);
  queue.LetIn(&worker);
  EXPECT_EQ(TakeFor(&worker), &third);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, &second);
}

TEST_F(PinnedTest, TheRunOfAJobThatIsPutBackBeginsAnew) {
  queue.SetGreets(true);
  first.run_limit = int64_t{3600} * 1'000'000'000;
  queue.Submit(&first);
  Job* taken = TakeFor(&worker);
  ASSERT_EQ(taken, &first);
  ASSERT_NE(first.deadline, kNever);
  ASSERT_TRUE(queue.BeginFresh(&worker, &taken));
  EXPECT_EQ(first.deadline, kNever);
  EXPECT_EQ(queue.RunLeft(&first, MonotonicNow()), first.run_limit);
}

TEST_F(PinnedTest, KeepsATakenJobThatWasCancelled) {
  queue.SetGreets(true);
  first.grace = 1'000;
  queue.Submit(&first);
  Job* taken = TakeFor(&worker);
  queue.Cancel(&first, End::kCancelled, 0, &next_check);
  EXPECT_TRUE(queue.BeginFresh(&worker, &taken));
  EXPECT_EQ(taken, &first);
}

TEST_F(PinnedTest, AWaitingWorkerIsNotAstrayAndLeavesWhenThePoolCloses) {
  queue.SetGreets(true);
  Job* taken = nullptr;
  EXPECT_TRUE(queue.BeginFresh(&worker, &taken));
  EXPECT_TRUE(queue.BeginIdle(&worker));
  EXPECT_TRUE(queue.BeginIdle(&other));
  queue.Submit(&first);
  queue.CheckLimits(1);
  queue.CheckLimits(2 + JobQueue::kLeftoversLimit);
  EXPECT_EQ(worker.terminations, 0);
  EXPECT_EQ(TakeFor(&other), &first);
  const int before = worker.wakes;
  queue.Close();
  EXPECT_GT(worker.wakes, before);
  EXPECT_TRUE(queue.Take(&worker, &next_check).leave);
}

}  // namespace
}  // namespace sloppy::workers

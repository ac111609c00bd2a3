// Jobs of one home go to the worker that had the last one while it is free, and
// to any other otherwise: an offer delays and reorders nothing.
#include <gtest/gtest.h>

#include <memory>

#include "base/clock.h"
#include "pool/job_queue.h"
#include "test/unit/pool/homes_fixture.h"
#include "test/unit/pool/ring_writer.h"

namespace sloppy::workers {
namespace {

TEST_F(HomesTest, ItsWorkerIsWokenAndNobodyElse) {
  HadLast(&one);
  EXPECT_TRUE(queue.Submit(&first).woke);
  EXPECT_EQ(one.wakes, 1);
  EXPECT_EQ(two.wakes + three.wakes, 0);
  EXPECT_EQ(queue.GetCounts().queued, 1u);
  EXPECT_EQ(Take(&one), &first);
  EXPECT_EQ(queue.GetCounts().queued, 0u);
}

TEST_F(HomesTest, AWorkerThatLooksLeavesTheJobAndMaySleep) {
  HadLast(&one);
  Look(&two);
  (void)queue.Submit(&first);
  EXPECT_EQ(one.wakes, 1);
  EXPECT_FALSE(queue.HasWork());
  EXPECT_FALSE(queue.IsWanted(&two));
  EXPECT_TRUE(queue.IsWanted(&one));
  Look(&two);
  EXPECT_TRUE(queue.BeginIdle(&two));
  EXPECT_EQ(two.wakes, 0);
  // The worker does not go back to sleep.
  EXPECT_FALSE(queue.BeginIdle(&one));
  EXPECT_EQ(Take(&one), &first);
}

TEST_F(HomesTest, ItsWorkerLooksItself) {
  HadLast(&one);
  Look(&one);
  Look(&two);
  (void)queue.Submit(&first);
  EXPECT_EQ(one.wakes, 1);
  Look(&two);
  EXPECT_EQ(Take(&one), &first);
}

TEST_F(HomesTest, ABusyWorkerDelaysNothingAndLosesTheHome) {
  HadLast(&one);
  (void)queue.Submit(&plain);
  ASSERT_EQ(Take(&one), &plain);
  (void)queue.Submit(&first);
  EXPECT_TRUE(queue.HasWork());
  EXPECT_EQ(Take(&two), &first);
  EXPECT_FALSE(queue.Finish(&two));
  EXPECT_FALSE(queue.Finish(&one));
  ASSERT_TRUE(queue.BeginIdle(&one));
  ASSERT_TRUE(queue.BeginIdle(&two));
  one.wakes = two.wakes = 0;
  (void)queue.Submit(&second);
  EXPECT_EQ(two.wakes, 1);
  EXPECT_EQ(one.wakes, 0);
}

TEST_F(HomesTest, AMoreUrgentJobGoesFirstAndAnotherWorkerIsWoken) {
  HadLast(&one);
  first.priority = 4;
  (void)queue.Submit(&first);
  plain.priority = 0;
  (void)queue.Submit(&plain);
  EXPECT_EQ(one.wakes + two.wakes + three.wakes, 2);
  EXPECT_EQ(Take(&one), &plain);
  // Anybody's from now on: the one that was woken comes.
  EXPECT_TRUE(queue.HasWork());
  FakeWorker* other = two.wakes > 0 ? &two : &three;
  EXPECT_EQ(Take(other), &first);
}

TEST_F(HomesTest, AnotherIsWokenIfItsWorkerHasTakenSomethingElse) {
  HadLast(&one);
  Look(&two);
  // The job is for `two`, which looks.
  (void)queue.Submit(&plain);
  (void)queue.Submit(&first);
  EXPECT_EQ(one.wakes, 1);
  EXPECT_EQ(Take(&one), &plain);
  EXPECT_EQ(Take(&two), &first);
}

TEST_F(HomesTest, TheNextJobOfTheHomeDoesNotOvertake) {
  HadLast(&one);
  Look(&two);
  (void)queue.Submit(&first);
  (void)queue.Submit(&second);
  // Two free workers, two jobs: any of them may take any, in order.
  EXPECT_EQ(Take(&two), &first);
  EXPECT_EQ(Take(&one), &second);
}

TEST_F(HomesTest, NoOfferWhileEarlierJobsNeedAllWorkers) {
  HadLast(&one);
  Job other, another;
  for (Job* each : {&plain, &other, &another}) (void)queue.Submit(each);
  (void)queue.Submit(&first);
  EXPECT_EQ(Take(&one), &plain);
  EXPECT_EQ(Take(&two), &other);
  EXPECT_EQ(Take(&three), &another);
  EXPECT_EQ(queue.FinishAndTake(&two, &next_check).job, &first);
}

TEST_F(HomesTest, TheJobHasItsPlaceAgainWhenItsWorkerDoesSomethingElse) {
  const auto offer = [this] {
    HadLast(&one);
    (void)queue.Submit(&first);
    (void)queue.Submit(&plain);
    ASSERT_EQ(one.wakes, 1);
  };
  const auto expect_both = [this] {
    EXPECT_EQ(Take(&two), &first);
    EXPECT_EQ(Take(&three), &plain);
    EXPECT_GE(two.wakes, 1);
    EXPECT_GE(three.wakes, 1);
    EXPECT_FALSE(queue.Finish(&two));
    EXPECT_FALSE(queue.Finish(&three));
  };
  offer();
  EXPECT_TRUE(queue.BeginOwn(&one, kNever));
  expect_both();
  queue.EndOwn(&one);

  offer();
  queue.EndIdle(&one);
  expect_both();

  // It executes what an earlier job has left.
  offer();
  const int64_t now = MonotonicNow();
  (void)queue.CheckLimits(now);
  (void)queue.CheckLimits(now + JobQueue::kLookEvery);
  expect_both();

  offer();
  queue.SetGreets(true);
  Job* taken = nullptr;
  EXPECT_TRUE(queue.BeginFresh(&one, &taken));
  expect_both();
  queue.LetIn(&one);

  offer();
  Job pinned;
  EXPECT_TRUE(queue.SubmitTo(&pinned, &one, 1));
  EXPECT_EQ(Take(&one), &pinned);
  expect_both();
  EXPECT_FALSE(queue.Finish(&one));

  offer();
  queue.Leave(&one);
  expect_both();
}

TEST_F(HomesTest, ACancelledJobFreesItsWorker) {
  HadLast(&one);
  (void)queue.Submit(&first);
  EXPECT_EQ(queue.Cancel(&first, End::kCancelled, 0, &next_check),
            JobQueue::Removal::kRemoved);
  EXPECT_EQ(queue.Cancel(&first, End::kCancelled, 0, &next_check),
            JobQueue::Removal::kGone);
  EXPECT_EQ(queue.GetCounts().queued, 0u);
  // The worker is still the one to ask.
  (void)queue.Submit(&second);
  EXPECT_EQ(one.wakes, 2);
  EXPECT_EQ(two.wakes + three.wakes, 0);
  EXPECT_EQ(Take(&one), &second);
}

TEST_F(HomesTest, DroppedWithAllOthersInOrder) {
  HadLast(&one);
  (void)queue.Submit(&first);
  (void)queue.Submit(&plain);
  JobList dropped;
  queue.DropQueued(&dropped);
  EXPECT_EQ(dropped.PopFront(), &first);
  EXPECT_EQ(dropped.PopFront(), &plain);
  EXPECT_EQ(dropped.PopFront(), nullptr);
  Look(&one);
  EXPECT_EQ(queue.GetCounts().queued, 0u);
}

TEST_F(HomesTest, NobodySleepsWhenThePoolCloses) {
  HadLast(&one);
  (void)queue.Submit(&first);
  queue.Close();
  // Each runs the job or waits for its end.
  EXPECT_FALSE(queue.BeginIdle(&two));
  EXPECT_EQ(Take(&two), &first);
  EXPECT_FALSE(queue.BeginIdle(&one));
  EXPECT_TRUE(queue.Take(&one, &next_check).leave);
  EXPECT_TRUE(queue.Take(&three, &next_check).leave);
}

TEST_F(HomesTest, WaitsWhileThePoolIsPaused) {
  HadLast(&one);
  (void)queue.Submit(&first);
  queue.SetPaused(true);
  Look(&one);
  EXPECT_TRUE(queue.BeginIdle(&one));
  EXPECT_TRUE(queue.BeginIdle(&two));
  const int before = one.wakes + two.wakes + three.wakes;
  queue.SetPaused(false);
  EXPECT_EQ(one.wakes + two.wakes + three.wakes, before + 1);
}

TEST_F(HomesTest, ASurplusWorkerLeavesWithoutTheJob) {
  HadLast(&one);
  (void)queue.Submit(&first);
  queue.SetMaxWorkers(2);
  EXPECT_TRUE(queue.Take(&one, &next_check).leave);
  EXPECT_EQ(Take(&two), &first);
}

TEST_F(HomesTest, AnOfferedJobOfTheRingsPoolWaitsForNoRow) {
  JobTable jobs;
  RingWriter writer;
  JobQueue ringed{
      {.capacity = 8, .max_workers = 2},
      &jobs,
      std::make_unique<SubmitRing>(nullptr, writer.block(), 0, kNever)};
  FakeWorker a, b;
  ringed.Join(&a);
  ringed.Join(&b);
  (void)ringed.Submit(&first);
  ASSERT_EQ(ringed.Take(&a, &next_check).job, &first);
  ASSERT_FALSE(ringed.Finish(&a));
  ASSERT_TRUE(ringed.BeginIdle(&a));
  ASSERT_EQ(ringed.Take(&b, &next_check).job, nullptr);
  (void)ringed.Submit(&first);
  jobs.At(3);
  writer.Write({.slot = 3});
  EXPECT_EQ(ringed.Take(&b, &next_check).job, jobs.Find(3));
  // A job that came through the ring has no home.
  EXPECT_EQ(jobs.Find(3)->home, 0u);
  EXPECT_EQ(ringed.Take(&a, &next_check).job, &first);
}

class QuickHomesTest : public HomesTest {
 protected:
  static constexpr int64_t kTiny = 20'000'000;
  QuickHomesTest()
      : HomesTest({.capacity = 64, .max_workers = 3, .tiny = kTiny}) {}
};

TEST_F(QuickHomesTest, WhileOneWorkerIsEnoughItTakesAll) {
  HadLast(&one);
  Look(&two);
  for (uint32_t i = 0; i < 3 * TrustPolicy::kRow; ++i) {
    (void)queue.Submit(&plain);
    ASSERT_EQ(Take(&two), &plain);
    if (queue.IsOneEnough()) break;
    ASSERT_EQ(queue.FinishAndTake(&two, &next_check).job, nullptr);
  }
  ASSERT_TRUE(queue.IsOneEnough());
  ASSERT_EQ(one.wakes + three.wakes, 0);
  (void)queue.Submit(&first);
  EXPECT_EQ(one.wakes, 0);
  EXPECT_EQ(queue.FinishAndTake(&two, &next_check).job, &first);
  EXPECT_EQ(queue.FinishAndTake(&two, &next_check).job, nullptr);
  // A home's worker is the one that is enough when no job is there.
  first.home = 9;
  (void)queue.Submit(&first);
  ASSERT_EQ(Take(&one), &first);
  EXPECT_EQ(queue.FinishAndTake(&one, &next_check).job, nullptr);
  ASSERT_TRUE(queue.BeginIdle(&one));
  one.wakes = 0;
  (void)queue.Submit(&first);
  EXPECT_EQ(one.wakes, 1);
  Look(&two);
  EXPECT_EQ(Take(&one), &first);
}

class RankedHomesTest : public HomesTest {
 protected:
  RankedHomesTest()
      : HomesTest({.capacity = 64,
                   .max_workers = 3,
                   .order = {.deadline_first = true}}) {}
};

TEST_F(RankedHomesTest, HasItsPlaceByRankAgain) {
  HadLast(&one);
  Look(&two);
  const int64_t now = MonotonicNow();
  first.deadline = now + 2'000'000'000'000;
  second.home = third.home = 0;
  second.deadline = now + 1'000'000'000'000;
  third.deadline = now + 3'000'000'000'000;
  (void)queue.Submit(&first);
  (void)queue.Submit(&second);
  (void)queue.Submit(&third);
  EXPECT_EQ(one.wakes, 1);
  queue.EndIdle(&one);
  EXPECT_EQ(Take(&two), &second);
  EXPECT_EQ(queue.FinishAndTake(&two, &next_check).job, &first);
  EXPECT_EQ(queue.FinishAndTake(&two, &next_check).job, &third);
}

class SharedHomesTest : public HomesTest {
 protected:
  SharedHomesTest()
      : HomesTest({.capacity = 64, .max_workers = 3, .shared = true}) {}
};

TEST_F(SharedHomesTest, AWorkerWithJobsThatAwaitIsFree) {
  HadLast(&one);
  (void)queue.Submit(&first);
  ASSERT_EQ(Take(&one), &first);
  ASSERT_TRUE(queue.Park(&one));
  Look(&one);
  ASSERT_TRUE(queue.BeginIdle(&one));
  one.wakes = 0;
  (void)queue.Submit(&second);
  EXPECT_EQ(one.wakes, 1);
  EXPECT_EQ(Take(&one), &second);
}

}  // namespace
}  // namespace sloppy::workers

// Pools whose jobs are so short that one worker keeps up.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <utility>

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
    for (uint32_t i = 0; i < 3 * TrustPolicy::kRow; ++i) {
      (void)queue.Submit(&first);
      ASSERT_EQ(queue.Take(&busy, &next_check).job, &first);
      if (queue.IsOneEnough()) break;
      ASSERT_FALSE(queue.Finish(&busy));
    }
    ASSERT_TRUE(queue.IsOneEnough());
    EXPECT_TRUE(queue.BeginIdle(&resting));
  }

  // Long after any time that the queue reads by itself.
  static int64_t Later() { return MonotonicNow() + 3'600'000'000'000; }

  // Whole rows, of `first`, which `busy` has, and `third`.
  void RunRows(uint32_t rows) {
    for (uint32_t i = 0; i < rows * TrustPolicy::kRow; ++i) RunOne();
  }

  void RunSlowRow() {
    for (uint32_t i = 0; i < TrustPolicy::kRow; ++i) {
      if (i == 1) {
        std::this_thread::sleep_for(
            std::chrono::nanoseconds(kTiny * (TrustPolicy::kRow + 1)));
      }
      RunOne();
    }
  }

  void RunOne() {
    std::swap(runs, waits);
    ASSERT_FALSE(queue.Submit(runs).woke);
    ASSERT_EQ(queue.FinishAndTake(&busy, &next_check).job, runs);
  }

  // Jobs of this test are tiny on a slow machine as well.
  static constexpr int64_t kTiny = 20'000'000;
  JobQueue queue{{.capacity = 8, .max_workers = 2, .tiny = kTiny}};
  FakeWorker busy, resting;
  int64_t next_check = kNever;
  Job first, second, third;
  Job* runs = &first;
  Job* waits = &third;
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
  int64_t at = queue.CheckLimits(Later());
  EXPECT_EQ(queue.CheckLimits(at), at + TrustPolicy::kTrust);
  EXPECT_EQ(resting.wakes, 0);
  busy.cpu_time += TrustPolicy::kTrust;
  at += TrustPolicy::kTrust;
  // It is too early to tell.
  EXPECT_EQ(queue.CheckLimits(at - 1), at);
  EXPECT_EQ(resting.wakes, 0);
  (void)queue.CheckLimits(at);
  EXPECT_EQ(resting.wakes, 1);
  EXPECT_EQ(queue.Take(&resting, &next_check).job, &second);
  EXPECT_FALSE(queue.Finish(&resting));
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, AWorkerThatHasNoCoreIsTrustedForLonger) {
  EXPECT_FALSE(queue.Submit(&second).woke);
  const int64_t earned = Later();
  int64_t at = queue.CheckLimits(earned);
  const int64_t until = earned + TrustPolicy::kLongTrust;
  while (at < until) {
    EXPECT_EQ(queue.CheckLimits(at), at + TrustPolicy::kTrust);
    EXPECT_EQ(resting.wakes, 0);
    at += TrustPolicy::kTrust;
    busy.cpu_time += TrustPolicy::kTrust / 4;
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
  const int64_t at = queue.CheckLimits(Later());
  (void)queue.CheckLimits(queue.CheckLimits(at));
  EXPECT_EQ(resting.wakes, 1);
  EXPECT_EQ(queue.Take(&resting, &next_check).job, &second);
  EXPECT_FALSE(queue.Finish(&resting));
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, IsLookedAtLessOftenWhileManyRowsAreQuick) {
  int64_t at = queue.CheckLimits(Later());
  for (int64_t apart : {2, 4, 8, 16, 16}) {
    RunRows(TrustPolicy::kManyRows);
    const int64_t next = queue.CheckLimits(at);
    EXPECT_EQ(next, at + apart * TrustPolicy::kTrust);
    at = next;
  }
  RunRows(1);
  EXPECT_EQ(queue.CheckLimits(at), at + TrustPolicy::kTrust);
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, IsTrustedBetweenTwoJobsAndNotLookedAtAfterTheLast) {
  const int64_t at = queue.CheckLimits(Later());
  RunRows(TrustPolicy::kManyRows);
  EXPECT_EQ(queue.FinishAndTake(&busy, &next_check).job, nullptr);
  EXPECT_TRUE(queue.BeginIdle(&busy));
  EXPECT_EQ(queue.CheckLimits(at), at + 2 * TrustPolicy::kTrust);
  EXPECT_EQ(queue.CheckLimits(at + 2 * TrustPolicy::kTrust), kNever);
}

TEST_F(OneIsEnoughTest, IsLookedAtSoonOnceItsOwnerSleeps) {
  int64_t at = queue.CheckLimits(Later());
  EXPECT_EQ(queue.Doubt(at), kNever);
  RunRows(TrustPolicy::kManyRows);
  ASSERT_EQ(queue.CheckLimits(at), at + 2 * TrustPolicy::kTrust);
  RunRows(TrustPolicy::kManyRows);
  EXPECT_FALSE(queue.Submit(&second).woke);
  at += TrustPolicy::kTrust / 2;
  EXPECT_EQ(queue.Doubt(at), at + TrustPolicy::kTrust);
  // The look comes once: it is not put off each time that the worker sleeps.
  EXPECT_EQ(queue.Doubt(at + 1), kNever);
  busy.cpu_time += TrustPolicy::kTrust;
  (void)queue.CheckLimits(at + TrustPolicy::kTrust);
  EXPECT_EQ(resting.wakes, 1);
  EXPECT_EQ(queue.Take(&resting, &next_check).job, &second);
  EXPECT_FALSE(queue.Finish(&resting));
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, IsTrustedAsBeforeOnceADoubtIsOver) {
  int64_t at = queue.CheckLimits(Later());
  for (int64_t apart : {2, 4}) {
    RunRows(TrustPolicy::kManyRows);
    ASSERT_EQ(queue.CheckLimits(at), at + apart * TrustPolicy::kTrust);
    at += apart * TrustPolicy::kTrust;
  }
  at = queue.Doubt(at);
  for (int64_t apart : {4, 8}) {
    RunRows(TrustPolicy::kManyRows);
    EXPECT_EQ(queue.CheckLimits(at), at + apart * TrustPolicy::kTrust);
    at += apart * TrustPolicy::kTrust;
  }
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, IsTrustedAnewOnceADoubtWasRight) {
  int64_t at = queue.CheckLimits(Later());
  for (int64_t apart : {2, 4}) {
    RunRows(TrustPolicy::kManyRows);
    ASSERT_EQ(queue.CheckLimits(at), at + apart * TrustPolicy::kTrust);
    at += apart * TrustPolicy::kTrust;
  }
  at = queue.Doubt(at);
  RunSlowRow();
  ASSERT_EQ(queue.CheckLimits(at), at + TrustPolicy::kTrust);
  at += TrustPolicy::kTrust;
  RunRows(TrustPolicy::kManyRows);
  EXPECT_EQ(queue.CheckLimits(at), at + 2 * TrustPolicy::kTrust);
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, TheNextJobIsLookedAtSoonIfItsOwnerSleptBefore) {
  const int64_t at = queue.CheckLimits(Later());
  RunRows(TrustPolicy::kManyRows);
  ASSERT_EQ(queue.CheckLimits(at), at + 2 * TrustPolicy::kTrust);
  EXPECT_EQ(queue.FinishAndTake(&busy, &next_check).job, nullptr);
  EXPECT_EQ(queue.Doubt(at), kNever);
  EXPECT_FALSE(queue.Submit(&second).woke);
  next_check = kNever;
  EXPECT_EQ(queue.Take(&busy, &next_check).job, &second);
  EXPECT_EQ(next_check, at + TrustPolicy::kTrust);
  EXPECT_FALSE(queue.Finish(&busy));
}

// Its last look may have fallen between two jobs.
TEST_F(OneIsEnoughTest, IsLookedAtSoonAlsoBeforeTheJobIsTaken) {
  int64_t at = queue.CheckLimits(Later());
  RunRows(TrustPolicy::kManyRows);
  ASSERT_EQ(queue.CheckLimits(at), at + 2 * TrustPolicy::kTrust);
  RunRows(TrustPolicy::kManyRows);
  EXPECT_EQ(queue.FinishAndTake(&busy, &next_check).job, nullptr);
  EXPECT_FALSE(queue.IsOneEnough());
  EXPECT_TRUE(queue.Trusts());
  at += TrustPolicy::kTrust / 2;
  EXPECT_FALSE(queue.Submit(&second).woke);
  EXPECT_EQ(queue.Doubt(at), at + TrustPolicy::kTrust);
  EXPECT_EQ(queue.Take(&busy, &next_check).job, &second);
  EXPECT_FALSE(queue.Submit(&third).woke);
  busy.cpu_time += TrustPolicy::kTrust;
  at = queue.CheckLimits(at + TrustPolicy::kTrust);
  busy.cpu_time += TrustPolicy::kTrust;
  (void)queue.CheckLimits(at);
  EXPECT_EQ(resting.wakes, 1);
  EXPECT_FALSE(queue.Trusts());
  EXPECT_EQ(queue.Take(&resting, &next_check).job, &third);
  EXPECT_FALSE(queue.Finish(&resting));
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, ASlowRowAmongQuickOnesWakesNobody) {
  int64_t at = queue.CheckLimits(Later());
  RunSlowRow();
  RunRows(5);
  EXPECT_FALSE(queue.Submit(&second).woke);
  at = queue.CheckLimits(at);
  EXPECT_TRUE(queue.IsOneEnough());
  EXPECT_EQ(resting.wakes, 0);
  busy.cpu_time += 2 * TrustPolicy::kLongTrust;
  EXPECT_EQ(queue.FinishAndTake(&busy, &next_check).job, &second);
  EXPECT_FALSE(queue.Finish(&busy));
}

TEST_F(OneIsEnoughTest, IsWokenWhenMoreRowsAreSlowThanQuick) {
  const int64_t at = queue.CheckLimits(Later());
  RunSlowRow();
  EXPECT_FALSE(queue.Submit(&second).woke);
  EXPECT_EQ(resting.wakes, 0);
  busy.cpu_time += 2 * TrustPolicy::kLongTrust;
  (void)queue.CheckLimits(at);
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
  EXPECT_EQ(queue.Abandon(&first, &lost), JobQueue::AbandonResult::kAbandoned);
  EXPECT_EQ(queue.Take(&resting, &next_check).job, &second);
  EXPECT_FALSE(queue.Finish(&resting));
}

}  // namespace
}  // namespace sloppy::workers

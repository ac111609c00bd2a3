// A job that is queued never waits for a worker that is away while another one
// sleeps: whatever changes, Publish() wakes.
#include <gtest/gtest.h>

#include <memory>

#include "base/clock.h"
#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"
#include "test/unit/pool/ring_writer.h"

namespace sloppy::workers {
namespace {

// `busy` runs `first`, and is trusted with what comes; `other` sleeps.
class WakeTest : public testing::Test {
 protected:
  void SetUp() override {
    queue.Join(&busy);
    queue.Join(&other);
    for (uint32_t i = 0; i < 3 * TrustPolicy::kRow; ++i) {
      (void)queue.Submit(&first);
      ASSERT_EQ(queue.Take(&busy, &next_check).job, &first);
      if (queue.IsOneEnough()) break;
      ASSERT_FALSE(queue.Finish(&busy));
    }
    ASSERT_TRUE(queue.IsOneEnough());
    ASSERT_TRUE(queue.BeginIdle(&other));
    ASSERT_FALSE(queue.Submit(&second).woke);
    ASSERT_EQ(other.wakes, 0);
  }

  void ExpectTheOtherTakesIt() {
    EXPECT_EQ(other.wakes, 1);
    EXPECT_EQ(queue.Take(&other, &next_check).job, &second);
    EXPECT_FALSE(queue.Finish(&other));
  }

  static constexpr int64_t kTiny = 20'000'000;
  JobQueue queue{{.capacity = 8, .max_workers = 2, .tiny = kTiny}};
  FakeWorker busy, other;
  int64_t next_check = kNever;
  Job first, second;
};

TEST_F(WakeTest, WhenAWorkerRenewsItselfAfterItsJob) {
  EXPECT_FALSE(queue.Finish(&busy));
  ExpectTheOtherTakesIt();
}

TEST_F(WakeTest, WhenAJobWasTerminated) {
  EXPECT_EQ(queue.Cancel(&first, End::kCancelled, MonotonicNow(), &next_check),
            JobQueue::Removal::kRunning);
  EXPECT_TRUE(queue.FinishAndTake(&busy, &next_check).terminated);
  ExpectTheOtherTakesIt();
}

TEST_F(WakeTest, WhenAWorkerIsAbandoned) {
  PoolWorker* lost = nullptr;
  EXPECT_EQ(queue.Abandon(&first, &lost), JobQueue::AbandonResult::kAbandoned);
  ExpectTheOtherTakesIt();
}

class AwayTest : public testing::Test {
 protected:
  void SetUp() override {
    queue.Join(&away);
    queue.Join(&other);
    EXPECT_EQ(queue.Take(&other, &next_check).job, nullptr);
    EXPECT_TRUE(queue.BeginIdle(&other));
    EXPECT_EQ(queue.Take(&away, &next_check).job, nullptr);
  }

  JobQueue queue{{.capacity = 8, .max_workers = 2}};
  FakeWorker away, other;
  int64_t next_check = kNever;
  Job job;
};

TEST_F(AwayTest, WhenAWorkerThatLooksBeginsSomethingOfItsOwn) {
  (void)queue.Submit(&job);
  ASSERT_EQ(other.wakes, 0);
  EXPECT_TRUE(queue.BeginOwn(&away, kNever));
  EXPECT_EQ(other.wakes, 1);
  EXPECT_EQ(queue.Take(&other, &next_check).job, &job);
}

TEST_F(AwayTest, WhenASleeperIsAwakeForSomethingOfItsOwn) {
  for (const bool ends : {false, true}) {
    EXPECT_TRUE(queue.BeginIdle(&away));
    if (ends) {
      queue.BeginEnd(&away, kNever);
    } else {
      EXPECT_TRUE(queue.BeginOwn(&away, kNever));
    }
    EXPECT_EQ(queue.GetCounts().idle, 1u);
    const int before = other.wakes;
    EXPECT_TRUE(queue.Submit(&job).woke);
    EXPECT_EQ(away.wakes, 0);
    EXPECT_EQ(other.wakes, before + 1);
    EXPECT_EQ(queue.Take(&other, &next_check).job, &job);
    EXPECT_EQ(queue.FinishAndTake(&other, &next_check).job, nullptr);
    EXPECT_TRUE(queue.BeginIdle(&other));
    queue.EndOwn(&away);
  }
}

TEST_F(AwayTest, WhenAWorkerThatLooksRestsInstead) {
  (void)queue.Submit(&job);
  ASSERT_EQ(other.wakes, 0);
  queue.EndIdle(&away);
  EXPECT_EQ(other.wakes, 1);
}

TEST_F(AwayTest, WhenAWorkerThatLooksExecutesWhatJobsHaveLeft) {
  (void)queue.Submit(&job);
  const int64_t now = MonotonicNow();
  ASSERT_EQ(queue.CheckLimits(now), now + JobQueue::kLookEvery);
  ASSERT_EQ(other.wakes, 0);
  const int64_t later = now + JobQueue::kLookEvery;
  EXPECT_EQ(queue.CheckLimits(later), later + JobQueue::kLookEvery);
  EXPECT_EQ(other.wakes, 1);
  EXPECT_EQ(queue.Take(&other, &next_check).job, &job);
}

TEST_F(AwayTest, WhenTheWorkerThatWasWokenDoesNotCome) {
  EXPECT_TRUE(queue.BeginIdle(&away));
  EXPECT_TRUE(queue.Submit(&job).woke);
  EXPECT_EQ(away.wakes + other.wakes, 1);
  const int64_t now = MonotonicNow();
  const int64_t later = queue.CheckLimits(now);
  EXPECT_EQ(later, now + JobQueue::kLookEvery);
  (void)queue.CheckLimits(later);
  EXPECT_EQ(away.wakes, 1);
  EXPECT_EQ(other.wakes, 1);
}

TEST_F(AwayTest, OneForOneJob) {
  Job second;
  EXPECT_TRUE(queue.BeginIdle(&away));
  EXPECT_TRUE(queue.Submit(&job).woke);
  (void)queue.CheckLimits(MonotonicNow());
  EXPECT_EQ(away.wakes + other.wakes, 1);
  EXPECT_TRUE(queue.Submit(&second).woke);
  EXPECT_EQ(away.wakes + other.wakes, 2);
}

// The owner saw a worker that looks, and did not call.
TEST(WakeByRing, WhenTheWorkerThatLookedTakesAnotherJob) {
  JobTable jobs;
  RingWriter writer;
  JobQueue queue{
      {.capacity = 8, .max_workers = 2},
      &jobs,
      std::make_unique<SubmitRing>(nullptr, writer.block(), 0, kNever)};
  FakeWorker looks, other;
  int64_t next_check = kNever;
  Job urgent;
  urgent.priority = 0;
  queue.Join(&looks);
  queue.Join(&other);
  EXPECT_TRUE(queue.BeginIdle(&other));
  EXPECT_EQ(queue.Take(&looks, &next_check).job, nullptr);
  ASSERT_FALSE(writer.attend());
  (void)queue.Submit(&urgent);
  jobs.At(3);
  writer.Write({.slot = 3});
  ASSERT_EQ(other.wakes, 0);
  // It does not look into the ring for this one.
  EXPECT_EQ(queue.Take(&looks, &next_check).job, &urgent);
  EXPECT_EQ(other.wakes, 1);
  EXPECT_EQ(queue.Take(&other, &next_check).job, jobs.Find(3));
}

}  // namespace
}  // namespace sloppy::workers

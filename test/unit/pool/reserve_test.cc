// Workers in reserve: they renew themselves while others run jobs.
#include <gtest/gtest.h>

#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

class ReserveTest : public testing::Test {
 protected:
  void SetUp() override {
    queue.Join(&one);
    queue.Join(&other);
  }

  Job* Take(FakeWorker* worker) { return queue.Take(worker, &next_check).job; }

  JobQueue queue{{.capacity = 9, .max_workers = 1, .reserve = 1}};
  FakeWorker one;
  FakeWorker other;
  int64_t next_check = kNever;
  Job first, second, third;
};

TEST_F(ReserveTest, RunsNoMoreJobsAtATimeThanWithout) {
  queue.Submit(&first);
  queue.Submit(&second);
  EXPECT_EQ(Take(&one), &first);
  EXPECT_FALSE(queue.HasWork());
  EXPECT_EQ(Take(&other), nullptr);
  EXPECT_TRUE(queue.BeginIdle(&other));
  EXPECT_EQ(queue.GetCounts().running, 1u);
}

TEST_F(ReserveTest, TheEndOfAJobWakesTheOtherWorker) {
  EXPECT_TRUE(queue.BeginIdle(&other));
  queue.Submit(&first);
  EXPECT_EQ(other.wakes, 1);
  EXPECT_EQ(Take(&one), &first);
  EXPECT_EQ(Take(&other), nullptr);
  EXPECT_TRUE(queue.BeginIdle(&other));
  EXPECT_FALSE(queue.Submit(&second).woke);
  EXPECT_FALSE(queue.Finish(&one));
  EXPECT_EQ(other.wakes, 2);
  EXPECT_TRUE(queue.HasWork());
  EXPECT_EQ(Take(&other), &second);
}

TEST_F(ReserveTest, IsStartedWithTheFirstJobs) {
  JobQueue fresh{{.capacity = 9, .max_workers = 1, .reserve = 1}};
  EXPECT_TRUE(fresh.Submit(&first).wants_worker);
  fresh.Join(&one);
  EXPECT_TRUE(fresh.Submit(&second).wants_worker);
  fresh.Join(&other);
  EXPECT_FALSE(fresh.Submit(&third).wants_worker);
}

TEST_F(ReserveTest, StaysWhenThePoolIsMadeSmaller) {
  queue.SetMaxWorkers(1);
  EXPECT_FALSE(queue.Take(&one, &next_check).leave);
  FakeWorker surplus;
  queue.SetMaxWorkers(2);
  queue.Join(&surplus);
  queue.SetMaxWorkers(1);
  EXPECT_TRUE(queue.Take(&surplus, &next_check).leave);
  EXPECT_FALSE(queue.Take(&other, &next_check).leave);
}

TEST_F(ReserveTest, AJobThatIsLostGivesItsPlaceAway) {
  queue.Submit(&first);
  queue.Submit(&second);
  EXPECT_EQ(Take(&one), &first);
  PoolWorker* lost = nullptr;
  EXPECT_EQ(queue.Abandon(&first, &lost), JobQueue::AbandonResult::kAbandoned);
  EXPECT_EQ(lost, &one);
  EXPECT_EQ(Take(&other), &second);
  // It ends after all.
  EXPECT_FALSE(queue.Finish(&one));
  queue.Submit(&third);
  FakeWorker next;
  queue.Join(&next);
  EXPECT_EQ(Take(&next), nullptr);
  EXPECT_FALSE(queue.Finish(&other));
  EXPECT_EQ(Take(&next), &third);
}

TEST_F(ReserveTest, NoneOfThemIsEverEnoughAlone) {
  JobQueue quick{
      {.capacity = 9, .max_workers = 1, .reserve = 1, .tiny = 20'000'000}};
  quick.Join(&one);
  quick.Join(&other);
  for (uint32_t i = 0; i < 3 * TrustPolicy::kRow; ++i) {
    quick.Submit(&first);
    ASSERT_EQ(quick.Take(&one, &next_check).job, &first);
    ASSERT_FALSE(quick.IsOneEnough());
    ASSERT_FALSE(quick.Finish(&one));
  }
}

// A renewal is over when its worker asks for a job, sleeps or leaves.
class RenewalTest : public ReserveTest {
 protected:
  void SetUp() override {
    ReserveTest::SetUp();
    ASSERT_TRUE(queue.BeginRenewal(&one));
    ASSERT_FALSE(queue.BeginRenewal(&other));
  }
};

TEST_F(RenewalTest, IsThatOfOneAtATimeWhateverTheOtherDoes) {
  EXPECT_EQ(Take(&other), nullptr);
  EXPECT_TRUE(queue.BeginIdle(&other));
  EXPECT_FALSE(queue.BeginRenewal(&other));
  queue.Leave(&other);
  queue.Join(&other);
  EXPECT_FALSE(queue.BeginRenewal(&other));
  EXPECT_TRUE(queue.BeginRenewal(&one));
}

TEST_F(RenewalTest, IsOverWhenItsWorkerTakesAJob) {
  queue.Submit(&first);
  EXPECT_EQ(Take(&one), &first);
  EXPECT_TRUE(queue.BeginRenewal(&other));
}

TEST_F(RenewalTest, IsOverWhenItsWorkerSleeps) {
  EXPECT_TRUE(queue.BeginIdle(&one));
  EXPECT_TRUE(queue.BeginRenewal(&other));
}

TEST_F(RenewalTest, IsOverWhenItsWorkerLeaves) {
  queue.Leave(&one);
  EXPECT_TRUE(queue.BeginRenewal(&other));
}

}  // namespace
}  // namespace sloppy::workers

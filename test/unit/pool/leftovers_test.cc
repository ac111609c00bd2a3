// Leftovers of earlier jobs keep a worker from the next one for so long.
#include <gtest/gtest.h>

#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

class LeftoversTest : public testing::Test {
 protected:
  void SetUp() override { queue.Join(&worker); }

  static constexpr int64_t kLookEvery = JobQueue::kLookEvery;
  JobQueue queue{{.capacity = 2, .max_workers = 4}};
  FakeWorker worker;
  int64_t next_check = kNever;
  Job first, second;
};

TEST_F(LeftoversTest, EndsWhatKeepsAWokenWorkerFromItsJob) {
  EXPECT_EQ(queue.Take(&worker, &next_check).job, nullptr);
  EXPECT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.CheckLimits(0), kNever);
  EXPECT_TRUE(queue.Submit(&first).woke);
  constexpr int64_t kSeen = 1'000;
  EXPECT_EQ(queue.CheckLimits(kSeen), kSeen + kLookEvery);
  constexpr int64_t kLater = kSeen + JobQueue::kLeftoversLimit;
  queue.CheckLimits(kLater - 1);
  EXPECT_EQ(worker.terminations, 0);
  queue.CheckLimits(kLater);
  EXPECT_EQ(worker.terminations, 1);
  EXPECT_EQ(queue.Take(&worker, &next_check).job, &first);
  EXPECT_FALSE(queue.Finish(&worker));
}

TEST_F(LeftoversTest, WhatKeepsAWorkerCountsFromItsLastJob) {
  constexpr int64_t kSeen = 1'000;
  constexpr int64_t kLimit = JobQueue::kLeftoversLimit;
  EXPECT_EQ(queue.Take(&worker, &next_check).job, nullptr);
  queue.CheckLimits(kSeen);
  queue.Submit(&first);
  EXPECT_EQ(queue.Take(&worker, &next_check).job, &first);
  EXPECT_FALSE(queue.Finish(&worker));
  queue.Submit(&second);
  queue.CheckLimits(kSeen + kLimit);
  EXPECT_EQ(worker.terminations, 0);
  queue.CheckLimits(kSeen + 2 * kLimit);
  EXPECT_EQ(worker.terminations, 1);
}

TEST_F(LeftoversTest, LeavesLeftoversAloneWhileNobodyWaits) {
  EXPECT_EQ(queue.Take(&worker, &next_check).job,
            nullptr);  // It looks for jobs, and does not rest.
  EXPECT_EQ(queue.CheckLimits(1), 1 + kLookEvery);
  queue.CheckLimits(1 + 2 * JobQueue::kLeftoversLimit);
  EXPECT_EQ(worker.terminations, 0);
}

}  // namespace
}  // namespace sloppy::workers

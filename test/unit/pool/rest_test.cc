// Workers without a job for some time give memory back.
#include <gtest/gtest.h>

#include "base/clock.h"
#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

class RestTest : public testing::Test {
 protected:
  void SetUp() override {
    queue.Join(&worker);
    worker.wants_rest = true;
  }
  void RunOne() {
    (void)queue.Submit(&job);
    ASSERT_EQ(queue.Take(&worker, &next_check).job, &job);
    ASSERT_FALSE(queue.Finish(&worker));
  }

  static constexpr int64_t kAt = 100;
  static constexpr int64_t kThen = kAt + JobQueue::kReleaseAfter;
  JobQueue queue{{.capacity = 8, .max_workers = 1}};
  FakeWorker worker;
  int64_t next_check = kNever;
  Job job;
};

TEST_F(RestTest, OnceWhenTheTimeIsOver) {
  RunOne();
  ASSERT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.CheckLimits(kAt), kThen);
  EXPECT_EQ(queue.CheckLimits(kThen - 1), kThen);
  EXPECT_EQ(worker.rests, 0);
  EXPECT_EQ(queue.CheckLimits(kThen), kNever);
  EXPECT_EQ(worker.rests, 1);
  ASSERT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.CheckLimits(2 * kThen), kNever);
  EXPECT_EQ(worker.rests, 1);
}

TEST_F(RestTest, AgainAfterAnotherJob) {
  for (int rests = 1; rests <= 2; ++rests) {
    RunOne();
    ASSERT_TRUE(queue.BeginIdle(&worker));
    const int64_t then = queue.CheckLimits(rests * 2 * kThen);
    EXPECT_EQ(queue.CheckLimits(then), kNever);
    EXPECT_EQ(worker.rests, rests);
  }
}

TEST_F(RestTest, LaterTheMoreItHasComputed) {
  constexpr int64_t kCpu = 3 * JobQueue::kReleaseAfter / 20;
  const auto rest_after = [&](int64_t cpu) {
    worker.cpu_time = cpu;
    RunOne();
    EXPECT_TRUE(queue.BeginIdle(&worker));
    const int64_t rest = queue.CheckLimits(kAt) - kAt;
    EXPECT_EQ(queue.CheckLimits(kAt + rest), kNever);
    return rest;
  };
  EXPECT_EQ(rest_after(-1), JobQueue::kReleaseAfter);
  EXPECT_EQ(rest_after(1), JobQueue::kReleaseAfter);
  EXPECT_EQ(rest_after(kCpu), 3 * JobQueue::kReleaseAfter);
  EXPECT_EQ(rest_after(kNever), JobQueue::kReleaseAtMost);
  EXPECT_EQ(worker.rests, 4);
}

TEST_F(RestTest, AJobMeanwhilePutsItOff) {
  RunOne();
  ASSERT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.CheckLimits(kAt), kThen);
  RunOne();
  ASSERT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.CheckLimits(kThen), kThen + JobQueue::kReleaseAfter);
  EXPECT_EQ(worker.rests, 0);
}

TEST_F(RestTest, NotWithoutNeed) {
  worker.wants_rest = false;
  RunOne();
  ASSERT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.CheckLimits(kAt), kNever);
  EXPECT_EQ(queue.CheckLimits(2 * kThen), kNever);
  EXPECT_EQ(worker.rests, 0);
}

// It has timers, say, that earlier jobs left.
TEST_F(RestTest, NotWhileItIsNotIdle) {
  RunOne();
  EXPECT_EQ(queue.CheckLimits(kAt), kAt + JobQueue::kLookEvery);
  EXPECT_EQ(queue.CheckLimits(kThen), kThen + JobQueue::kLookEvery);
  EXPECT_EQ(worker.rests, 0);
  ASSERT_TRUE(queue.BeginIdle(&worker));
  EXPECT_EQ(queue.CheckLimits(kThen + 1), kNever);
  EXPECT_EQ(worker.rests, 1);
}

}  // namespace
}  // namespace sloppy::workers

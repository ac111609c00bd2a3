// Every time here is an argument: the policy reads no clock.
#include "pool/trust_policy.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace sloppy::workers {
namespace {

constexpr int64_t kTrust = TrustPolicy::kTrust;
constexpr TrustPolicy::Load kBusy{
    .may_trust = true, .has_runner = true, .is_empty = false};
constexpr TrustPolicy::Load kEmpty{
    .may_trust = true, .has_runner = false, .is_empty = true};

class TrustPolicyTest : public testing::Test {
 protected:
  void SetUp() override { Take(1); }

  void Take(int64_t takes) {
    now += takes;
    if (policy.Count(&row)) policy.Measure(&row, now);
  }

  void RunRows(uint32_t rows, int64_t takes) {
    for (uint32_t i = 0; i < rows * TrustPolicy::kRow; ++i) Take(takes);
  }

  // A look at the end of the interval, at which the workers have spent `cpu`.
  int64_t LookAt(int64_t at, int64_t spent) {
    now = at;
    cpu += spent;
    return policy.Check(at, cpu);
  }

  static constexpr int64_t kQuick = TrustPolicy::kTiny / 2;
  static constexpr int64_t kSlow = 2 * TrustPolicy::kTiny;
  TrustPolicy policy{TrustPolicy::kTiny};
  TrustPolicy::Row row;
  int64_t now = 1'000'000'000;
  int64_t cpu = 0;
};

TEST_F(TrustPolicyTest, JobsAreTinyFromTheFirstQuickRowOn) {
  // The first row has no beginning, because no job was there before it.
  RunRows(1, kQuick);
  EXPECT_FALSE(policy.tiny());
  RunRows(1, kQuick);
  EXPECT_TRUE(policy.tiny());
}

TEST_F(TrustPolicyTest, JobsAtTheLimitAreNotTiny) {
  RunRows(4, TrustPolicy::kTiny);
  EXPECT_FALSE(policy.tiny());
  RunRows(1, TrustPolicy::kTiny - 1);
  EXPECT_TRUE(policy.tiny());
}

TEST_F(TrustPolicyTest, AsksForTheTimeOnceInARow) {
  int readings = 0;
  for (uint32_t i = 0; i < 10 * TrustPolicy::kRow; ++i) {
    if (!policy.Count(&row)) continue;
    policy.Measure(&row, now += kQuick);
    ++readings;
  }
  EXPECT_EQ(readings, 10);
}

TEST_F(TrustPolicyTest, ThePauseOfAWorkerIsNoTimeOfItsJobs) {
  RunRows(1, kQuick);
  row.Pause(now);
  EXPECT_TRUE(row.is_paused());
  now += 1'000 * TrustPolicy::kRow * TrustPolicy::kTiny;
  ASSERT_TRUE(policy.Count(&row));
  policy.Measure(&row, now);
  EXPECT_FALSE(row.is_paused());
  RunRows(1, kQuick);
  EXPECT_TRUE(policy.tiny());
}

TEST_F(TrustPolicyTest, IsCheckedWhileAWorkerRunsAndOnceAfterTheLastJob) {
  EXPECT_TRUE(policy.MustCheck(kBusy));
  EXPECT_TRUE(policy.MustCheck(kEmpty));
  (void)policy.Check(now, cpu);
  EXPECT_TRUE(policy.MustCheck(kBusy));
  EXPECT_FALSE(policy.MustCheck(kEmpty));
  EXPECT_FALSE(policy.MustCheck(
      {.may_trust = false, .has_runner = true, .is_empty = false}));
  EXPECT_FALSE(policy.MustCheck(
      {.may_trust = true, .has_runner = false, .is_empty = false}));
}

TEST_F(TrustPolicyTest, TheIntervalDoublesUpToABoundWhileManyRowsAreQuick) {
  for (const int64_t times : {2, 4, 8, 16, 16}) {
    RunRows(TrustPolicy::kManyRows + 1, kQuick);
    EXPECT_EQ(LookAt(now, 0), now + times * kTrust);
  }
  RunRows(TrustPolicy::kManyRows - 1, kQuick);
  EXPECT_EQ(LookAt(now, 0), now + kTrust);
}

TEST_F(TrustPolicyTest, IsOverWhenAWorkerSpendsTheIntervalOnOneJob) {
  RunRows(4, kQuick);
  const int64_t at = LookAt(now, 0);
  EXPECT_EQ(at, now + kTrust);
  EXPECT_EQ(LookAt(at, kTrust), kNever);
  EXPECT_FALSE(policy.tiny());
}

TEST_F(TrustPolicyTest, IsOverWhenMoreRowsAreSlowThanQuick) {
  RunRows(4, kQuick);
  (void)LookAt(now, 0);
  RunRows(1, kQuick);
  RunRows(2, kSlow);
  EXPECT_EQ(LookAt(now, kTrust), kNever);
  EXPECT_FALSE(policy.tiny());
}

TEST_F(TrustPolicyTest, AWorkerWithoutACoreKeepsWhatItEarnedForAWhile) {
  RunRows(4, kQuick);
  const int64_t earned = now;
  int64_t at = LookAt(earned, 0);
  int looks = 0;
  while (at < earned + TrustPolicy::kLongTrust) {
    const int64_t next = LookAt(at, kTrust / 4);
    ASSERT_EQ(next, at + kTrust);
    at = next;
    ++looks;
  }
  EXPECT_EQ(looks, 7);
  EXPECT_EQ(LookAt(at, 0), kNever);
  EXPECT_FALSE(policy.tiny());
}

TEST_F(TrustPolicyTest, AWorkerHadACoreIfItSpentHalfOfTheTime) {
  RunRows(4, kQuick);
  const int64_t at = LookAt(now, 0);
  EXPECT_EQ(LookAt(at, kTrust / 2 - 1), at + kTrust);
  EXPECT_EQ(LookAt(at, kTrust / 2), kNever);
}

TEST_F(TrustPolicyTest, OrHalfOfTheFirstIntervalWhereTheLookCameLate) {
  RunRows(4, kQuick);
  const int64_t at = LookAt(now, 0);
  EXPECT_EQ(LookAt(at + 4 * kTrust, kTrust / 2), kNever);
  EXPECT_FALSE(policy.tiny());
}

TEST_F(TrustPolicyTest, IsOverWhereTheCpuTimeIsUnknown) {
  RunRows(4, kQuick);
  const int64_t at = LookAt(now, 0);
  EXPECT_EQ(policy.Check(at, -1), kNever);
}

TEST_F(TrustPolicyTest, ADoubtThatWasWrongGivesTheIntervalBack) {
  EXPECT_FALSE(policy.CanDoubt());
  for (int i = 0; i < 3; ++i) {
    RunRows(TrustPolicy::kManyRows + 1, kQuick);
    (void)LookAt(now, 0);
  }
  ASSERT_TRUE(policy.CanDoubt());
  EXPECT_EQ(policy.Doubt(now, cpu), now + kTrust);
  EXPECT_FALSE(policy.CanDoubt());
  RunRows(TrustPolicy::kManyRows + 1, kQuick);
  EXPECT_EQ(LookAt(now, 0), now + 8 * kTrust);
}

TEST_F(TrustPolicyTest, ADoubtThatWasRightGivesNothingBack) {
  for (int i = 0; i < 3; ++i) {
    RunRows(TrustPolicy::kManyRows + 1, kQuick);
    (void)LookAt(now, 0);
  }
  const int64_t due = policy.Doubt(now, cpu);
  EXPECT_EQ(LookAt(due, kTrust), kNever);
  RunRows(TrustPolicy::kManyRows + 1, kQuick);
  EXPECT_TRUE(policy.tiny());
  EXPECT_EQ(LookAt(now, 0), now + 2 * kTrust);
}

TEST_F(TrustPolicyTest, TheNextLookComesSoonerOnceRowsAreSlow) {
  for (int i = 0; i < 4; ++i) {
    RunRows(TrustPolicy::kManyRows + 1, kQuick);
    (void)LookAt(now, 0);
  }
  const int64_t due = policy.due_at();
  ASSERT_EQ(due, now + 16 * kTrust);
  RunRows(1, kSlow);
  EXPECT_EQ(policy.due_at(), now + kTrust);
  EXPECT_FALSE(policy.IsDue(now));
  EXPECT_TRUE(policy.IsDue(now + kTrust));
}

TEST_F(TrustPolicyTest, AfterALongTimeWithoutALookTheIntervalIsShortAgain) {
  for (int i = 0; i < 4; ++i) {
    RunRows(TrustPolicy::kManyRows + 1, kQuick);
    (void)LookAt(now, 0);
  }
  now = policy.due_at();
  EXPECT_EQ(policy.DueAfter(now), now + 16 * kTrust);
  now = policy.due_at() + TrustPolicy::kLongTrust + 1;
  EXPECT_EQ(policy.DueAfter(now), now + kTrust);
}

TEST_F(TrustPolicyTest, WhatItForgetsItLearnsAnew) {
  RunRows(2, kQuick);
  policy.Forget();
  EXPECT_FALSE(policy.tiny());
  RunRows(1, kQuick);
  EXPECT_TRUE(policy.tiny());
}

}  // namespace
}  // namespace sloppy::workers

#include "base/yield_policy.h"

#include <gtest/gtest.h>

namespace sloppy::workers {
namespace {

using Policy = YieldPolicy;

TEST(YieldPolicyTest, YieldsToItsOwnThreadsAsOftenAsTheyWant) {
  Policy policy;
  for (int64_t now = 0; now < 100; ++now) {
    EXPECT_TRUE(policy.MayYield(now));
    policy.Yielded(now, now + Policy::kStranger - 1);
  }
}

TEST(YieldPolicyTest, AfterAStrangerItWaitsLongerEachTimeUpToABound) {
  Policy policy;
  int64_t now = 0;
  int64_t pause = Policy::kPause;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(policy.MayYield(now));
    policy.Yielded(now, now + Policy::kStranger);
    now += Policy::kStranger;
    EXPECT_FALSE(policy.MayYield(now + pause - 1));
    now += pause;
    pause = std::min(2 * pause, Policy::kLongestPause);
  }
  EXPECT_EQ(pause, Policy::kLongestPause);
}

TEST(YieldPolicyTest, OnceTheStrangerIsGonePausesBeginSmallAgain) {
  Policy policy;
  policy.Yielded(0, Policy::kStranger);
  policy.Yielded(0, Policy::kStranger);
  policy.Yielded(0, 1);
  policy.Yielded(0, Policy::kStranger);
  EXPECT_TRUE(policy.MayYield(Policy::kStranger + Policy::kPause));
}

}  // namespace
}  // namespace sloppy::workers

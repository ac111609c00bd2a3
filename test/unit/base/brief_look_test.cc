#include "base/brief_look.h"

#include <gtest/gtest.h>

namespace sloppy::workers {
namespace {

TEST(BriefLookTest, GoesOnWhileItPays) {
  BriefLook look;
  int asked = 0;
  for (int i = 1; i <= 100; ++i) {
    EXPECT_TRUE(look.For([&] { return ++asked > 0; }));
    EXPECT_EQ(asked, i);
  }
}

TEST(BriefLookTest, LeavesOutMoreAndMoreChancesWhileItDoesNot) {
  BriefLook look;
  int asked = 0;
  const auto never = [&] {
    ++asked;
    return false;
  };
  for (const int left_out : {1, 3, 7, 15, 31, 63, 63}) {
    asked = 0;
    EXPECT_FALSE(look.For(never));
    EXPECT_GT(asked, 0);
    asked = 0;
    for (int i = 0; i < left_out; ++i) EXPECT_FALSE(look.For(never));
    EXPECT_EQ(asked, 0);
  }
}

TEST(BriefLookTest, ForgetsItsFailuresOnceItHasPaid) {
  BriefLook look;
  EXPECT_FALSE(look.For([] { return false; }));
  EXPECT_FALSE(look.For([] { return true; }));  // Left out.
  EXPECT_TRUE(look.For([] { return true; }));
  EXPECT_FALSE(look.For([] { return false; }));
  EXPECT_FALSE(look.For([] { return true; }));  // One again, and not three.
  EXPECT_TRUE(look.For([] { return true; }));
}

}  // namespace
}  // namespace sloppy::workers

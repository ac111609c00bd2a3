#include "base/payoff.h"

#include <gtest/gtest.h>

namespace sloppy::workers {
namespace {

int LeftOut(Payoff* payoff) {
  int chances = 0;
  while (!payoff->MayTry()) ++chances;
  return chances;
}

TEST(PayoffTest, LeavesNothingOutWhileItPays) {
  Payoff payoff;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(LeftOut(&payoff), 0);
    payoff.Paid();
  }
}

TEST(PayoffTest, LeavesOutMoreAndMoreChancesAndAtMost63) {
  Payoff payoff;
  for (const int left_out : {1, 3, 7, 15, 31, 63, 63, 63}) {
    payoff.Failed();
    EXPECT_EQ(LeftOut(&payoff), left_out);
  }
}

TEST(PayoffTest, ForgetsItsFailuresOnceItHasPaid) {
  Payoff payoff;
  for (int i = 0; i < 3; ++i) payoff.Failed();
  EXPECT_EQ(LeftOut(&payoff), 7);
  payoff.Paid();
  payoff.Failed();
  EXPECT_EQ(LeftOut(&payoff), 1);
}

TEST(PayoffTest, TriesAgainAtOnceWhenItPaidWithoutAsking) {
  Payoff payoff;
  payoff.Failed();
  payoff.Paid();
  EXPECT_EQ(LeftOut(&payoff), 0);
}

}  // namespace
}  // namespace sloppy::workers

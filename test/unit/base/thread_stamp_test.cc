#include "base/thread_stamp.h"

#include <gtest/gtest.h>

#include <thread>

namespace sloppy::workers {
namespace {

TEST(ThreadStamp, KnowsTheThreadThatMadeIt) {
  const ThreadStamp stamp;
  EXPECT_TRUE(stamp.IsCurrent());
  stamp.Check("V8 engine");
  bool elsewhere = true;
  std::thread([&] { elsewhere = stamp.IsCurrent(); }).join();
  EXPECT_FALSE(elsewhere);
}

TEST(ThreadStampDeathTest, EndsTheProcessOnAWrongThread) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        const ThreadStamp stamp;
        std::thread([&] { stamp.Check("V8 engine"); }).join();
      },
      "V8 engine entered from a non-owner thread");
}

}  // namespace
}  // namespace sloppy::workers

#include "base/thread_usage.h"

#include <gtest/gtest.h>

#include <thread>

namespace sloppy::workers {
namespace {

int64_t SumOf(const ThreadUsage& usage) {
  return usage.user_micros + usage.system_micros;
}

// It would hang where the clock stands still.
TEST(ThreadUsage, GrowsWithTheThreadsOwnWork) {
  const int64_t before = SumOf(CurrentThreadUsage());
  while (SumOf(CurrentThreadUsage()) <= before) {
  }
}

TEST(ThreadUsage, IsOfOneThreadAlone) {
  constexpr int64_t kEnough = 20'000;
  while (SumOf(CurrentThreadUsage()) < kEnough) {
  }
  int64_t fresh = kEnough;
  std::thread([&] { fresh = SumOf(CurrentThreadUsage()); }).join();
  EXPECT_LT(fresh, kEnough);
}

}  // namespace
}  // namespace sloppy::workers

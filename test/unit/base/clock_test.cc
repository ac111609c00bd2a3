#include "base/clock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/cpu.h"

namespace sloppy::workers {
namespace {

void WorkUntilGrows(const ThreadCpuClock& clock) {
  const int64_t before = clock.Read();
  while (clock.Read() <= before) CpuRelax();
}

TEST(MonotonicNow, GrowsAndIsInNanoseconds) {
  const int64_t before = MonotonicNow();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const int64_t after = MonotonicNow();
  EXPECT_GE(after - before, 15'000'000);
}

TEST(ThreadCpuClock, KnowsNothingBeforeItIsBound) {
  EXPECT_EQ(ThreadCpuClock().Read(), -1);
}

// It would hang where the clock stands still.
TEST(ThreadCpuClock, GrowsWhileItsThreadWorks) {
  ThreadCpuClock clock;
  clock.BindToCurrentThread();
  ASSERT_GE(clock.Read(), 0);
  WorkUntilGrows(clock);
}

TEST(ThreadCpuClock, IsThatOfItsThreadWhoeverReadsIt) {
  ThreadCpuClock own, other;
  own.BindToCurrentThread();
  std::atomic<bool> bound{false}, done{false};
  std::thread thread([&] {
    other.BindToCurrentThread();
    bound = true;
    while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  while (!bound) std::this_thread::yield();
  const int64_t before = other.Read();
  EXPECT_GE(before, 0);
  for (int i = 0; i < 5; ++i) WorkUntilGrows(own);
  const int64_t asleep = other.Read();
  EXPECT_GE(asleep, before);
  done = true;
  thread.join();
}

TEST(Cpu, SaysOfItsCoreWhatItKnows) { EXPECT_GE(CurrentCore(), -1); }

#if defined(_WIN32)
// The code for Windows is what is compiled here, and no fallback.
TEST(Cpu, OfWindowsHasACoreAndALightFence) {
  EXPECT_GE(CurrentCore(), 0);
  EXPECT_TRUE(HasLightFence());
}
#endif

}  // namespace
}  // namespace sloppy::workers

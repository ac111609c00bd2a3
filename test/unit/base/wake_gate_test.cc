#include "base/wake_gate.h"

#include <gtest/gtest.h>

#include <thread>

namespace sloppy::workers {
namespace {

TEST(WakeGate, AWakeBeforeTheSleepIsNotLost) {
  WakeGate gate;
  gate.Wake();
  gate.Wake();
  gate.Sleep();
  SUCCEED();
}

// Each side waits for the other: a lost wake would hang here.
TEST(WakeGate, TwoThreadsTakeTurns) {
  const auto never = [] { return false; };
  for (const int64_t spin_ns : {0, 20'000}) {
    constexpr int kTurns = 2000;
    WakeGate ping, pong;
    int shared = 0;
    std::thread other([&] {
      for (int i = 0; i < kTurns; ++i) {
        if (!ping.Spin(spin_ns, never)) ping.Sleep();
        ++shared;
        pong.Wake();
      }
    });
    for (int i = 0; i < kTurns; ++i) {
      ++shared;
      ping.Wake();
      if (!pong.Spin(spin_ns, never)) pong.Sleep();
    }
    other.join();
    EXPECT_EQ(shared, 2 * kTurns);
  }
}

TEST(WakeGate, SpinningEndsByAWakeOrByWhatIsReadyOrInVain) {
  WakeGate gate;
  const auto never = [] { return false; };
  EXPECT_FALSE(gate.Spin(1000, never));
  EXPECT_TRUE(gate.Spin(kNever / 2, [] { return true; }));
  gate.Wake();
  EXPECT_TRUE(gate.Spin(kNever / 2, never));
  EXPECT_FALSE(gate.Spin(1000, never));
}

TEST(ThreadCpuClock, IsUnknownUntilBoundAndThenGrows) {
  ThreadCpuClock clock;
  EXPECT_EQ(clock.Read(), -1);
  clock.BindToCurrentThread();
  const int64_t before = clock.Read();
  if (before < 0) GTEST_SKIP() << "no CPU clock on this platform";
  while (clock.Read() == before) CpuRelax();
  EXPECT_GT(clock.Read(), before);
}

}  // namespace
}  // namespace sloppy::workers

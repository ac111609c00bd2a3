#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "base/cpu.h"

namespace sloppy::workers {
namespace {

// Spinning alone would take a time slice for each round on one core.
template <typename Ready>
void WaitFor(Ready ready) {
  for (int n = 1; !ready(); ++n) {
    if (n % 64 == 0) std::this_thread::yield();
  }
}

// Both write, then read what the other writes: one of them must see it. The
// rounds go on until the writer without a barrier has had its share, so the
// change from one way to the other is in them where there is one.
TEST(LightFence, TwoThreadsCannotBothMissTheOthersWrite) {
  constexpr int kLightRounds = 100'000;
  constexpr int kMaxRounds = 1'000'000;
  std::atomic<int> one{0}, other{0}, round{0}, done{0};
  std::atomic<bool> ends{false};
  int seen_by_heavy = 0;
  std::thread heavy([&] {
    for (int n = 1; !ends.load(); ++n) {
      WaitFor([&] { return round.load() == n || ends.load(); });
      other.store(n);
      HeavyFence();
      seen_by_heavy = one.load();
      done.store(n);
    }
  });
  PrepareLightFence();
  int both_missed = 0;
  int light = 0;
  int n = 0;
  while (n < kMaxRounds && light < kLightRounds) {
    ++n;
    round.store(n);
    // The other learns of the round later: they meet at some of these.
    for (int i = n % 256; i > 0; --i) {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    int seen;
    if (HasLightFence()) {
      ++light;
      one.store(n, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
      seen = other.load(std::memory_order_relaxed);
    } else {
      one.store(n);
      seen = other.load();
    }
    WaitFor([&] { return done.load() == n; });
    if (seen != n && seen_by_heavy != n) ++both_missed;
  }
  ends.store(true);
  heavy.join();
  EXPECT_EQ(both_missed, 0);
}

}  // namespace
}  // namespace sloppy::workers

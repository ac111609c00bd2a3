#include "base/wake_gate.h"

#include <gtest/gtest.h>

#include <string>

#include "test/unit/model/weak_memory.h"

namespace sloppy::workers::model {
namespace {

constexpr int kRuns = 1500;
constexpr int kState = 0;  // The gate's state; the only location.

// Two wake it, each with something to say; it sleeps until it has heard both.
std::string WakersAndASleeper(World& world) {
  BasicWakeGate<WeakMemory> gate;
  WeakMemory::Atomic<int> said[2];
  for (int i : {0, 1}) {
    world.Go([&, i] {
      said[i].store(1, std::memory_order_relaxed);
      gate.Wake();
    });
  }
  world.Go([&] {
    for (int heard = 0; heard < 2;) {
      gate.Sleep();
      heard = said[0].load(std::memory_order_relaxed) +
              said[1].load(std::memory_order_relaxed);
    }
  });
  return world.Run();
}

// A value that one wrote before it woke the other is seen after Sleep().
std::string OneWakesOne(World& world) {
  BasicWakeGate<WeakMemory> gate;
  Plain<int> said = 0;
  world.Go([&] {
    said = 7;
    gate.Wake();
  });
  world.Go([&] {
    gate.Sleep();
    world.Require(said == 7, "woken without what was said");
  });
  return world.Run();
}

TEST(WakeGateModel, NobodySleepsForEver) {
  EXPECT_EQ(Explore(kRuns, WakersAndASleeper), "");
}

TEST(WakeGateModel, WhatWasSaidIsSeen) {
  EXPECT_EQ(Explore(kRuns, OneWakesOne), "");
}

TEST(WakeGateModel, AnExchangeWithoutAnOrderIsFound) {
  EXPECT_NE(Explore(kRuns, OneWakesOne, {kState, Op::kExchange}), "");
}

// The checker's own: a flag instead of a gate loses a wake.
TEST(WakeGateModel, AFlagThatIsLookedAtBeforeSleepingIsFound) {
  const auto broken = [](World& world) {
    WeakMemory::Atomic<int> asleep;
    WeakMemory::Atomic<int> said;
    world.Go([&] {
      said.store(1);
      if (asleep.load() == 1) asleep.notify_one();
    });
    world.Go([&] {
      if (said.load() == 1) return;
      asleep.store(1);
      asleep.wait(1, std::memory_order_acquire);
    });
    return world.Run();
  };
  EXPECT_EQ(Explore(kRuns, broken), "asleep for ever");
}

}  // namespace
}  // namespace sloppy::workers::model

// The clock and the processor of the simulated world, in place of
// src/base/clock.cc and src/base/cpu.cc.
#include "base/clock.h"
#include "base/cpu.h"
#include "test/sim/world.h"

namespace sloppy::workers {

int64_t MonotonicNow() {
  const sim::World* world = sim::World::Current();
  return world == nullptr ? 0 : world->now();
}

void ThreadCpuClock::BindToCurrentThread() {}
int64_t ThreadCpuClock::Read() const { return -1; }

int CurrentCore() { return -1; }
bool HasLightFence() { return true; }
void PrepareLightFence() {}
// Memory is in order; the other thread may come in between.
void HeavyFence() {
  sim::World* world = sim::World::Current();
  if (world != nullptr) world->Point();
}

}  // namespace sloppy::workers

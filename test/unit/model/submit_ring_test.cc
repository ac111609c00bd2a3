#include "pool/submit_ring.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/wake_gate.h"
#include "test/unit/model/weak_memory.h"

namespace sloppy::workers::model {
namespace {

constexpr int kRuns = 1500;
constexpr uint32_t kRows = 2;
constexpr uint32_t kJobs = 4;
using Ring = BasicSubmitRing<kRows, WeakMemory>;
// The locations, in the order of the block's members.
constexpr int kWritten = 0, kHead = kRows, kAttend = kRows + 1;

enum class Fence : uint8_t { kNone, kLight, kMissing };

// Submits a tiny job as lib/executors/isolate/submit-ring.js does: whether the
// owner has to call kick().
bool Push(World& world, Ring::Block* block, uint32_t number, Fence fence) {
  while (number - block->head.load(std::memory_order_acquire) >= kRows) {
    world.Pause();
  }
  Ring::Row& row = block->rows[number % kRows];
  row.number = number + 0.5;
  row.what = number | uint32_t(PayloadKind::kNumber) << Ring::kKindAt;
  // A light fence: processors that have one keep the order of stores.
  const bool light = fence != Fence::kNone;
  row.written.store(
      Ring::LapOf(number) | (number + 7) << Ring::kEntryAt,
      light ? std::memory_order_release : std::memory_order_seq_cst);
  return block->attend.load(light ? std::memory_order_relaxed
                                  : std::memory_order_seq_cst) != 0;
}

// The owner has more jobs than there are rows; the worker takes what is there,
// and sleeps as JobQueue does it: attend, fence, look.
template <Fence fence>
std::string OwnerAndWorker(World& world) {
  auto block = std::make_unique<Ring::Block>();
  Ring ring(nullptr, block.get(), 0, 0);
  JobTable jobs;
  for (uint32_t slot = 0; slot < kJobs; ++slot) jobs.At(slot);
  BasicWakeGate<WeakMemory> gate;
  world.Go([&] {
    for (uint32_t number = 0; number < kJobs; ++number) {
      if (Push(world, block.get(), number, fence)) gate.Wake();
    }
  });
  world.Go([&] {
    for (uint32_t taken = 0; taken < kJobs;) {
      if (Job* job = ring.Pop(jobs)) {
        world.Require(job->slot == taken, "out of order");
        world.Require(job->payload.number == taken + 0.5, "another's number");
        world.Require(job->entry == taken + 7, "another's entry");
        ++taken;
        continue;
      }
      ring.SetAttend(true);
      if (fence == Fence::kLight) world.HeavyFence();
      if (ring.empty()) gate.Sleep();
      ring.SetAttend(false);
    }
  });
  return world.Run();
}

TEST(SubmitRingModel, EveryJobIsTakenWhole) {
  EXPECT_EQ(Explore(kRuns, OwnerAndWorker<Fence::kNone>), "");
}

TEST(SubmitRingModel, EveryJobIsTakenWholeWithTheLightFence) {
  EXPECT_EQ(Explore(kRuns, OwnerAndWorker<Fence::kLight>), "");
}

TEST(SubmitRingModel, ALightSideWithoutAHeavyOneIsFound) {
  EXPECT_EQ(Explore(kRuns, OwnerAndWorker<Fence::kMissing>), "asleep for ever");
}

TEST(SubmitRingModel, AWeakerOrderIsFound) {
  const Mistake mistakes[] = {{kWritten, Op::kStore},
                              {kWritten, Op::kLoad},
                              {kHead, Op::kStore},
                              {kAttend, Op::kStore, std::memory_order_release},
                              {kAttend, Op::kLoad, std::memory_order_acquire}};
  for (const Mistake& mistake : mistakes) {
    EXPECT_NE(Explore(kRuns, OwnerAndWorker<Fence::kNone>, mistake), "")
        << "location " << mistake.location << ", operation "
        << static_cast<int>(mistake.op);
  }
}

}  // namespace
}  // namespace sloppy::workers::model

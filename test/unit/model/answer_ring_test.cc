#include "job/answer_ring.h"

#include <gtest/gtest.h>

#include <string>

#include "test/unit/model/weak_memory.h"

namespace sloppy::workers::model {
namespace {

constexpr int kRuns = 1500;
constexpr uint32_t kRows = 2;
constexpr int kEach = 2;
// The locations, in the order of the ring's members.
constexpr int kTail = 0, kHead = 1, kEnd = 2;

using Ring = BasicAnswerRing<kRows, WeakMemory>;

void WriteAll(World& world, Ring* ring, Job* jobs, int first) {
  for (int n = first; n < first + kEach; ++n) {
    while (ring->Write(&jobs[n]) == 0) world.Pause();
  }
}

// Two workers with two answers each, through a ring of two rows: each row is
// written twice. Every other answer is a job and not a number.
std::string TwoWorkersAndAnOwner(World& world) {
  Ring ring;
  Job jobs[2 * kEach];
  for (int n = 0; n < 2 * kEach; ++n) {
    jobs[n].slot = static_cast<uint32_t>(n);
    jobs[n].payload.kind = PayloadKind::kNumber;
    jobs[n].payload.number = n + 0.5;
    if (n % 2 == 1) jobs[n].status = Diagnostic::kJobFailed;
  }
  world.Go([&] { WriteAll(world, &ring, jobs, 0); });
  world.Go([&] { WriteAll(world, &ring, jobs, kEach); });
  world.Go([&] {
    uint32_t seen = 0;
    for (int read = 0; read < 2 * kEach; ++read) {
      while (!ring.Has()) world.Pause();
      const Answer answer = ring.Read();
      const uint32_t slot = answer.job ? answer.job->slot : answer.slot;
      world.Require(slot < 2 * kEach, "no such slot");
      world.Require((seen >> slot & 1) == 0, "an answer came twice");
      seen |= 1u << slot;
      world.Require((answer.job != nullptr) == (slot % 2 == 1), "of a kind");
      if (!answer.job) {
        world.Require(answer.number == slot + 0.5, "another's number");
      }
      ring.GiveBack();
    }
  });
  return world.Run();
}

TEST(AnswerRingModel, EveryAnswerComesOnceAndWhole) {
  EXPECT_EQ(Explore(kRuns, TwoWorkersAndAnOwner), "");
}

TEST(AnswerRingModel, AWeakerOrderIsFound) {
  const Mistake mistakes[] = {{kEnd, Op::kStore},
                              {kEnd, Op::kLoad},
                              {kHead, Op::kStore},
                              {kHead, Op::kLoad}};
  for (const Mistake& mistake : mistakes) {
    EXPECT_NE(Explore(kRuns, TwoWorkersAndAnOwner, mistake), "")
        << "location " << mistake.location << ", operation "
        << static_cast<int>(mistake.op);
  }
}

// There is a row for each answer, whichever of them the owner has given back.
std::string NeverMoreThanItsRows(World& world) {
  BasicAnswerRing<2 * kEach, WeakMemory> ring;
  Job jobs[2];
  WeakMemory::Atomic<uint32_t> first{0}, second{0};
  WeakMemory::Atomic<uint32_t>* const read[2] = {&first, &second};
  for (uint32_t n = 0; n < 2; ++n) {
    jobs[n].slot = n;
    jobs[n].payload.kind = PayloadKind::kNumber;
    world.Go([&, n] {
      for (uint32_t round = 1; round <= kEach; ++round) {
        world.Require(ring.Write(&jobs[n]) != 0, "said to be full");
        while (read[n]->load(std::memory_order_acquire) < round) world.Pause();
      }
    });
  }
  world.Go([&] {
    uint32_t rounds[2] = {0, 0};
    for (int i = 0; i < 2 * kEach; ++i) {
      while (!ring.Has()) world.Pause();
      const uint32_t slot = ring.Read().slot;
      ring.GiveBack();
      read[slot]->store(++rounds[slot], std::memory_order_release);
    }
  });
  return world.Run();
}

TEST(AnswerRingModel, IsFullOnlyIfNoRowIsLeft) {
  EXPECT_EQ(Explore(kRuns, NeverMoreThanItsRows), "");
}

// It gives rows out, and carries nothing: no order is too weak for it.
TEST(AnswerRingModel, TheTailNeedsNoOrder) {
  EXPECT_EQ(Explore(kRuns, TwoWorkersAndAnOwner, {kTail, Op::kExchange}), "");
}

}  // namespace
}  // namespace sloppy::workers::model

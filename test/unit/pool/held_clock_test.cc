// Limits stand still while a debugger holds a worker of the process: all of
// them are on LimitsClock, and none on the clock that goes on.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/clock.h"
#include "base/limits_clock.h"
#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

// Time cannot be given back, and other tests read it: each of these has a
// process of its own.
class Held {
 public:
  static void Run(void (Held::*test)()) {
    Held held;
    (held.*test)();
    std::exit(testing::Test::HasFailure() ? 1 : 0);
  }

  void AJobThatIsNotLateByThatClockBegins();
  void TheLimitOfARunCountsOnIt();
  void WhatAWorkerDoesOfItsOwnHasItsTimeOnIt();
  void NobodyIsAstrayMeanwhile();
  void NorDoesCodeThatAnEndedJobLeftBehindComputeTooLong();

 private:
  static constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
  static constexpr int64_t kStuckAfter = JobQueue::kStuckAfter;

  Held() {
    queue.Join(&worker);
    LimitsClock::Hold();
    stood = LimitsClock::Now();
    // The other clock is ahead of it from here on.
    const int64_t until = MonotonicNow() + 2'000'000;
    while (MonotonicNow() < until) continue;
  }

  static void Release() { LimitsClock::Release(); }

  JobQueue queue{{.capacity = 8, .max_workers = 2}};
  FakeWorker worker;
  int64_t next_check = kNever;
  int64_t stood = 0;  // The time of limits.
  Job first, second;
};

void Held::AJobThatIsNotLateByThatClockBegins() {
  first.deadline = stood + 1;
  queue.Submit(&first);
  const JobQueue::Taken taken = queue.Take(&worker, &next_check);
  EXPECT_EQ(taken.job, &first);
  EXPECT_EQ(taken.late, nullptr);
  queue.CheckLimits(MonotonicNow() + kHour);
  EXPECT_EQ(first.cancelled, End::kNone);
  Release();
  queue.CheckLimits(MonotonicNow() + kHour);
  EXPECT_EQ(first.cancelled, End::kTimedOut);
}

void Held::TheLimitOfARunCountsOnIt() {
  first.run_limit = kHour;
  queue.Submit(&first);
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &first);
  EXPECT_EQ(first.deadline, stood + kHour);
  EXPECT_EQ(queue.RunLeft(&first, LimitsClock::Now()), kHour);
}

void Held::WhatAWorkerDoesOfItsOwnHasItsTimeOnIt() {
  ASSERT_TRUE(queue.BeginOwn(&worker, stood + 1));
  queue.CheckLimits(MonotonicNow() + kHour);
  EXPECT_EQ(worker.terminations, 0);
  queue.EndOwn(&worker);
  ASSERT_TRUE(queue.BeginOwn(&worker, stood));
  queue.CheckLimits(MonotonicNow());
  EXPECT_EQ(worker.terminations, 1);
  // That it goes on counts from there, on the same clock.
  queue.CheckLimits(MonotonicNow() + 2 * kStuckAfter);
  EXPECT_EQ(worker.stuck_in_init, 0);
  Release();
  queue.CheckLimits(MonotonicNow() + kStuckAfter);
  EXPECT_EQ(worker.stuck_in_init, 1);
}

void Held::NobodyIsAstrayMeanwhile() {
  constexpr int64_t kLimit = JobQueue::kLeftoversLimit;
  EXPECT_EQ(queue.Take(&worker, &next_check).job, nullptr);
  EXPECT_TRUE(queue.BeginIdle(&worker));
  queue.Submit(&first);
  const int64_t now = MonotonicNow();
  EXPECT_EQ(queue.CheckLimits(now), now + JobQueue::kLookEvery);
  queue.CheckLimits(now + kHour);
  EXPECT_EQ(worker.terminations, 0);
  Release();
  const int64_t later = MonotonicNow();
  queue.CheckLimits(later);
  queue.CheckLimits(later + kLimit - 1);
  EXPECT_EQ(worker.terminations, 0);
  queue.CheckLimits(later + kLimit);
  EXPECT_EQ(worker.terminations, 1);
}

void Held::NorDoesCodeThatAnEndedJobLeftBehindComputeTooLong() {
  JobQueue shared{{.capacity = 8, .max_workers = 2, .shared = true}};
  FakeWorker busy;
  shared.Join(&busy);
  shared.Submit(&first);
  ASSERT_EQ(shared.Take(&busy, &next_check).job, &first);
  ASSERT_TRUE(shared.Park(&busy));
  busy.has_strays = true;
  for (int64_t now = 1; now < 4; ++now) {
    shared.CheckLimits(now);
    busy.cpu_time += JobQueue::kLeftoversLimit;
  }
  EXPECT_EQ(busy.terminations, 0);
  Release();
  shared.CheckLimits(5);
  busy.cpu_time += JobQueue::kLeftoversLimit;
  shared.CheckLimits(6);
  EXPECT_EQ(busy.terminations, 1);
}

TEST(HeldClockDeathTest, AJobThatIsNotLateByThatClockBegins) {
  EXPECT_EXIT(Held::Run(&Held::AJobThatIsNotLateByThatClockBegins),
              testing::ExitedWithCode(0), "");
}

TEST(HeldClockDeathTest, TheLimitOfARunCountsOnIt) {
  EXPECT_EXIT(Held::Run(&Held::TheLimitOfARunCountsOnIt),
              testing::ExitedWithCode(0), "");
}

TEST(HeldClockDeathTest, WhatAWorkerDoesOfItsOwnHasItsTimeOnIt) {
  EXPECT_EXIT(Held::Run(&Held::WhatAWorkerDoesOfItsOwnHasItsTimeOnIt),
              testing::ExitedWithCode(0), "");
}

TEST(HeldClockDeathTest, NobodyIsAstrayMeanwhile) {
  EXPECT_EXIT(Held::Run(&Held::NobodyIsAstrayMeanwhile),
              testing::ExitedWithCode(0), "");
}

TEST(HeldClockDeathTest, NorDoesCodeThatAnEndedJobLeftBehindComputeTooLong) {
  EXPECT_EXIT(
      Held::Run(&Held::NorDoesCodeThatAnEndedJobLeftBehindComputeTooLong),
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sloppy::workers

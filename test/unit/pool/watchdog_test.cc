// The watchdog's thread: when there is one, and for which queues it wakes.
#include "pool/watchdog.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "base/clock.h"
#include "test/unit/pool/fake_worker.h"
#include "test/unit/pool/real_threads.h"

namespace sloppy::workers {
namespace {

struct Starts {
  int asked = 0;
  int joined = 0;
  bool may = false;
};

// Runs nothing.
class CountedThread : public Watchdog::Thread {
 public:
  explicit CountedThread(Starts* starts) : starts_(starts) {}
  bool Start(void (*)(void*), void*) override {
    ++starts_->asked;
    return starts_->may;
  }
  void Join() override { ++starts_->joined; }

 private:
  Starts* const starts_;
};

TEST(WatchdogThread, StartsOnceWithTheFirstMoment) {
  Starts starts{.may = true};
  {
    Watchdog watchdog(std::make_unique<CountedThread>(&starts));
    EXPECT_EQ(starts.asked, 0);
    watchdog.Arm(kNever);
    EXPECT_EQ(starts.asked, 0);
    watchdog.Arm(10);
    watchdog.Arm(5);
    EXPECT_EQ(starts.asked, 1);
  }
  EXPECT_EQ(starts.joined, 1);
}

TEST(WatchdogThread, IsAskedForAgainIfThereWasNone) {
  Starts starts;
  {
    Watchdog watchdog(std::make_unique<CountedThread>(&starts));
    watchdog.Arm(5);
    watchdog.Arm(5);
    EXPECT_EQ(starts.asked, 2);
    starts.may = true;
    watchdog.Arm(7);
    watchdog.Arm(7);
    EXPECT_EQ(starts.asked, 3);
  }
  EXPECT_EQ(starts.joined, 1);
}

TEST(WatchdogThread, IsNotJoinedWithoutAStart) {
  Starts starts;
  { Watchdog watchdog(std::make_unique<CountedThread>(&starts)); }
  EXPECT_EQ(starts.joined, 0);
}

class EndsInTime : public FakeWorker {
 public:
  void Terminate() override { ended.Wake(); }
  WakeGate ended;
};

// Each returns only when the watchdog terminates.
class TwoQueues : public testing::TestWithParam<bool> {
 protected:
  TwoQueues() {
    watchdog.Add(&first);
    watchdog.Add(&second);
    busy().Join(&worker);
  }
  ~TwoQueues() override {
    watchdog.Remove(&first);
    watchdog.Remove(&second);
  }
  JobQueue& busy() { return GetParam() ? first : second; }

  Watchdog watchdog{std::make_unique<StdThread>()};
  JobQueue first{{.capacity = 4, .max_workers = 2}};
  JobQueue second{{.capacity = 4, .max_workers = 2}};
  EndsInTime worker;
  Job job;
  int64_t next_check = kNever;
};

TEST_P(TwoQueues, TheLimitsOfBothHold) {
  job.deadline = MonotonicNow() + 3 * JobQueue::kLookEvery;
  busy().Submit(&job);
  ASSERT_EQ(busy().Take(&worker, &next_check).job, &job);
  ASSERT_NE(next_check, kNever);
  watchdog.Arm(next_check);
  worker.ended.Sleep();
  EXPECT_EQ(job.cancelled, End::kTimedOut);
  EXPECT_TRUE(busy().Finish(&worker));
}

TEST_P(TwoQueues, AnEarlierMomentComesBeforeALaterOne) {
  watchdog.Arm(MonotonicNow() + int64_t{3600} * 1'000'000'000);
  job.grace = 1;
  busy().Submit(&job);
  ASSERT_EQ(busy().Take(&worker, &next_check).job, &job);
  int64_t grace_ends = kNever;
  busy().Cancel(&job, End::kCancelled, MonotonicNow(), &grace_ends);
  watchdog.Arm(grace_ends);
  worker.ended.Sleep();
  EXPECT_TRUE(busy().Finish(&worker));
}

// A job that nobody has told the watchdog of, after quick ones for which the
// looks became rare. A look ends a job whose CPU time is up, so it can be seen
// however late it comes.
TEST(WatchdogOwner, ItsSleepBringsALook) {
  constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
  Watchdog watchdog(std::make_unique<StdThread>());
  JobQueue queue({.capacity = 4, .max_workers = 2, .tiny = kHour});
  EndsInTime worker;
  Job quick;
  Job first;
  Job second;
  int64_t unused = kNever;
  watchdog.Add(&queue);
  queue.Join(&worker);
  const auto take = [&](Job* job) {
    queue.Submit(job);
    return queue.Take(&worker, &unused).job == job;
  };
  for (uint32_t i = 0; i < 20 * TrustPolicy::kRow; ++i) {
    ASSERT_TRUE(take(&quick));
    queue.Finish(&worker);
  }
  first.cpu_limit = second.cpu_limit = 1;
  ASSERT_TRUE(take(&first));
  // Looks are due an hour later, so none of the watchdog's says anything about
  // the jobs before it.
  queue.CheckLimits(MonotonicNow() + kHour);
  worker.cpu_time += first.cpu_limit;
  watchdog.Arm(MonotonicNow());
  worker.ended.Sleep();
  queue.Finish(&worker);
  ASSERT_TRUE(queue.BeginIdle(&worker));
  // That look is over once the watchdog answers, and the last one at that job
  // comes soon.
  watchdog.Remove(&queue);
  watchdog.Add(&queue);
  std::this_thread::sleep_for(
      std::chrono::nanoseconds(2 * JobQueue::kLookEvery));
  ASSERT_TRUE(take(&second));
  worker.cpu_time += second.cpu_limit;
  watchdog.OwnerSleeps(MonotonicNow());
  worker.ended.Sleep();
  EXPECT_TRUE(queue.Finish(&worker));
  watchdog.Remove(&queue);
}

INSTANTIATE_TEST_SUITE_P(Watchdog, TwoQueues, testing::Bool());

}  // namespace
}  // namespace sloppy::workers

#include "worker/loop_timers.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <vector>

namespace sloppy::workers {
namespace {

class LoopTimersTest : public testing::Test {
 protected:
  void SetUp() override { uv_loop_init(&loop); }
  void TearDown() override {
    timers.StopAll();
    // A timer that is closing has to go before the loop may.
    EXPECT_EQ(uv_run(&loop, UV_RUN_DEFAULT), 0);
    EXPECT_EQ(uv_loop_close(&loop), 0);
  }
  static void OnTimer(void* self, double id) {
    auto* test = static_cast<LoopTimersTest*>(self);
    test->fired.push_back(id);
    if (test->then) test->then(id);
  }

  uv_loop_t loop;
  LoopTimers timers{&loop, OnTimer, this};
  std::vector<double> fired;
  std::function<void(double)> then;
};

TEST_F(LoopTimersTest, FiresInTheOrderOfTime) {
  // Their order is by when they are due, because this thread may be held up.
  std::multimap<uint64_t, double> due;
  const auto start = [&](double id, uint64_t ms) {
    timers.Start(id, ms);
    due.emplace(uv_now(&loop) + ms, id);
  };
  start(1, 20);
  start(2, 5);
  start(3, 5);
  uv_run(&loop, UV_RUN_DEFAULT);
  std::vector<double> order;
  for (const auto& [time, id] : due) order.push_back(id);
  EXPECT_EQ(fired, order);
  EXPECT_EQ(uv_loop_alive(&loop), 0);
}

TEST_F(LoopTimersTest, AnIntervalStartsAgainInItsCallback) {
  then = [this](double id) {
    if (fired.size() < 3) timers.Start(id, 1);
  };
  timers.Start(1, 1);
  uv_run(&loop, UV_RUN_DEFAULT);
  EXPECT_EQ(fired.size(), 3u);
}

TEST_F(LoopTimersTest, AStoppedOneDoesNotFire) {
  timers.Start(1, 1);
  timers.Start(2, 1);
  timers.Stop(1);
  timers.Stop(99);
  uv_run(&loop, UV_RUN_DEFAULT);
  EXPECT_EQ(fired, std::vector<double>{2});
}

TEST_F(LoopTimersTest, StopAllInACallbackEndsThemAll) {
  then = [this](double) { timers.StopAll(); };
  for (double id : {1.0, 2.0, 3.0}) timers.Start(id, 1);
  uv_run(&loop, UV_RUN_DEFAULT);
  EXPECT_EQ(fired.size(), 1u);
}

TEST_F(LoopTimersTest, OneMadeInACallbackWaitsForTheNextTurn) {
  then = [this](double id) {
    if (id < 5) timers.Start(id + 1, 0);
  };
  timers.Start(1, 0);
  uv_run(&loop, UV_RUN_NOWAIT);
  EXPECT_LE(fired.size(), 1u);
  uv_run(&loop, UV_RUN_DEFAULT);
  EXPECT_EQ(fired, (std::vector<double>{1, 2, 3, 4, 5}));
}

TEST_F(LoopTimersTest, OneOfTheNextTurnEndsWithTheOthersAndComesAgain) {
  timers.Start(1, 0);
  timers.StopAll();
  uv_run(&loop, UV_RUN_DEFAULT);
  EXPECT_TRUE(fired.empty());
  timers.Start(2, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  EXPECT_EQ(uv_loop_alive(&loop), 0);
  timers.Start(3, 0);
  uv_run(&loop, UV_RUN_DEFAULT);
  EXPECT_EQ(fired, (std::vector<double>{2, 3}));
}

TEST_F(LoopTimersTest, AnUnreferencedOneDoesNotKeepTheLoop) {
  timers.Start(1, 3'600'000);
  EXPECT_NE(uv_loop_alive(&loop), 0);
  timers.SetRef(1, false);
  EXPECT_EQ(uv_loop_alive(&loop), 0);
  timers.SetRef(1, true);
  EXPECT_NE(uv_loop_alive(&loop), 0);
}

}  // namespace
}  // namespace sloppy::workers

#include "isolate/task_runner.h"

#include <memory>
#include <vector>

#include "test/native/support.h"

namespace sloppy::workers {
namespace {

class Noting final : public v8::Task {
 public:
  Noting(std::vector<int>* to, int what, int* dropped)
      : to_(to), what_(what), dropped_(dropped) {}
  ~Noting() override {
    if (!ran_) ++*dropped_;
  }
  void Run() override {
    ran_ = true;
    to_->push_back(what_);
  }

 private:
  std::vector<int>* const to_;
  const int what_;
  int* const dropped_;
  bool ran_ = false;
};

class TaskRunnerTest : public testing::Test {
 protected:
  std::unique_ptr<v8::Task> Note(int what) {
    return std::make_unique<Noting>(&ran, what, &dropped);
  }
  // PostTask is public in the interface, whatever it calls in this V8.
  v8::TaskRunner& runner() { return tasks; }
  bool RunDue() {
    return tasks.RunDue([] { return true; });
  }

  std::vector<int> ran;
  int dropped = 0;
  CountingLoopWaker waker;
  TaskRunner tasks{&waker};
};

TEST_F(TaskRunnerTest, RunsInOrderAndWakesForEach) {
  runner().PostTask(Note(1));
  runner().PostNonNestableTask(Note(2));
  EXPECT_EQ(waker.wakes, 2);
  EXPECT_EQ(tasks.NextDelayMs(), 0);
  EXPECT_TRUE(RunDue());
  EXPECT_EQ(ran, (std::vector<int>{1, 2}));
  EXPECT_FALSE(RunDue());
  EXPECT_EQ(tasks.NextDelayMs(), -1);
}

TEST_F(TaskRunnerTest, ADelayedTaskWaits) {
  runner().PostDelayedTask(Note(1), 3600);
  runner().PostDelayedTask(Note(2), 0);
  EXPECT_TRUE(RunDue());
  EXPECT_EQ(ran, std::vector<int>{2});
  EXPECT_GT(tasks.NextDelayMs(), 3'000'000);
  EXPECT_FALSE(RunDue());
}

TEST_F(TaskRunnerTest, WhatComesAfterAnEndIsDropped) {
  for (int i = 1; i <= 3; ++i) runner().PostTask(Note(i));
  EXPECT_TRUE(tasks.RunDue([this] { return ran.size() < 2; }));
  EXPECT_EQ(ran, (std::vector<int>{1, 2}));
  EXPECT_EQ(dropped, 1);
  EXPECT_FALSE(RunDue());
}

TEST_F(TaskRunnerTest, AfterCloseEverythingIsDroppedUnrun) {
  runner().PostTask(Note(1));
  runner().PostDelayedTask(Note(2), 3600);
  tasks.Close();
  EXPECT_EQ(dropped, 2);
  const int before = waker.wakes;
  runner().PostTask(Note(3));
  EXPECT_EQ(dropped, 3);
  EXPECT_EQ(waker.wakes, before);
  EXPECT_FALSE(RunDue());
  EXPECT_TRUE(ran.empty());
}

}  // namespace
}  // namespace sloppy::workers

#include "job/completion_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "base/wake_gate.h"
#include "job/job_list.h"
#include "test/unit/job/read_all.h"

namespace sloppy::workers {
namespace {

class SilentWaker : public OwnerWaker {
 public:
  void WakeOwner() override {}
};

// Knows at each wake whether there was something to find.
class RecordingWaker : public OwnerWaker {
 public:
  void WakeOwner() override { found.push_back(queue->MaybePending()); }
  const CompletionQueue* queue = nullptr;
  std::vector<bool> found;
};

TEST(CompletionQueue, TellsTheOwnerOnceTheResultShows) {
  auto waker = std::make_shared<RecordingWaker>();
  CompletionQueue queue(waker);
  waker->queue = &queue;
  EXPECT_FALSE(queue.MaybePending());
  std::vector<Job> jobs(3);
  for (uint32_t i = 0; i < 3; ++i) {
    jobs[i].slot = i;
    EXPECT_EQ(queue.Post(&jobs[i]), i + 1);
  }
  queue.PostEvent(std::make_unique<WorkerEvent>());
  EXPECT_EQ(waker->found, std::vector<bool>(4, true));
  EXPECT_TRUE(queue.JobsPending());

  const Arrivals arrivals = ReadOnce(&queue);
  EXPECT_EQ(arrivals.answers.size(), 3u);
  EXPECT_EQ(arrivals.events.size(), 1u);
  EXPECT_FALSE(queue.MaybePending());
  EXPECT_FALSE(queue.JobsPending());

  EXPECT_EQ(queue.Post(&jobs[0]), 1u);
  EXPECT_EQ(waker->found, std::vector<bool>(5, true));
  EXPECT_EQ(ReadSlots(&queue), std::vector<uint32_t>({0}));
}

TEST(CompletionQueue, OfASmallSuccessNothingElseIsRead) {
  CompletionQueue queue(std::make_shared<SilentWaker>());
  Job number, text, failed, timed;
  number.slot = 5;
  number.payload.kind = PayloadKind::kNumber;
  number.payload.number = -1.5;
  queue.Post(&number);
  number.payload.kind = PayloadKind::kTrue;
  number.slot = UINT32_MAX;
  queue.Post(&number);
  text.payload.kind = PayloadKind::kString;
  queue.Post(&text);
  failed.Fail(End::kCancelled);
  queue.Post(&failed);
  timed.mode = Job::kTimed;
  queue.Post(&timed);

  const std::vector<Answer> answers = ReadOnce(&queue).answers;
  ASSERT_EQ(answers.size(), 5u);
  EXPECT_EQ(answers[0].job, nullptr);
  EXPECT_EQ(answers[0].slot, 5u);
  EXPECT_EQ(answers[0].kind, PayloadKind::kNumber);
  EXPECT_EQ(answers[0].number, -1.5);
  EXPECT_EQ(answers[1].job, nullptr);
  EXPECT_EQ(answers[1].slot, UINT32_MAX);
  EXPECT_EQ(answers[1].kind, PayloadKind::kTrue);
  EXPECT_EQ(answers[2].job, &text);
  EXPECT_EQ(answers[3].job, &failed);
  EXPECT_EQ(answers[4].job, &timed);
}

// The ring is full, and the list is taken while it is not empty.
TEST(CompletionQueue, WhatNoRowIsLeftForComesAfterTheRows) {
  auto waker = std::make_shared<RecordingWaker>();
  CompletionQueue queue(waker);
  waker->queue = &queue;
  constexpr uint32_t kJobs = AnswerRing::kRows + 3;
  std::vector<Job> jobs(kJobs + 2);
  std::vector<uint32_t> slots(kJobs + 2);
  for (uint32_t i = 0; i < jobs.size(); ++i) slots[i] = jobs[i].slot = i;
  for (uint32_t i = 0; i < kJobs; ++i) EXPECT_EQ(queue.Post(&jobs[i]), i + 1);
  EXPECT_EQ(waker->found, std::vector<bool>(AnswerRing::kRows + 1, true))
      << "the second of the list finds another there";
  std::vector<uint32_t> read;
  const auto look = [&] {
    for (const Answer& answer : ReadOnce(&queue).answers) {
      read.push_back(answer.job == nullptr ? answer.slot : answer.job->slot);
    }
  };
  look();
  // There is room, but not for those that would overtake the list's.
  queue.Post(&jobs[kJobs]);
  while (read.size() < AnswerRing::kRows) look();
  EXPECT_TRUE(queue.MaybePending());
  look();
  EXPECT_EQ(read.size(), kJobs + 1);
  queue.Post(&jobs[kJobs + 1]);
  look();
  EXPECT_EQ(read, slots);
  EXPECT_FALSE(queue.MaybePending());
}

// OwnerLoop is the same: it is woken only while it says that it sleeps.
class SleepingWaker : public OwnerWaker {
 public:
  void WakeOwner() override {
    if (sleeps.load() && sleeps.exchange(false)) gate.Wake();
  }
  void Sleep(const CompletionQueue& queue) {
    sleeps.store(true);
    if (!queue.MaybePending()) gate.Sleep();
    sleeps.store(false);
  }
  std::atomic<bool> sleeps{false};
  WakeGate gate;
};

// Run this under TSan. A wake-up that is lost is a test that does not end. With
// a lazy owner the ring is full now and then.
class CompletionOrder : public testing::TestWithParam<bool> {};

TEST_P(CompletionOrder, EachWorkersJobsComeInOrderAfterWhatTheySent) {
  constexpr int kWorkers = 3;
  constexpr int kJobs = 3000;
  constexpr int kEvery = 7;
  const bool lazy = GetParam();
  auto waker = std::make_shared<SleepingWaker>();
  CompletionQueue queue(waker);
  std::array<std::vector<Job>, kWorkers> jobs;
  std::vector<std::thread> threads;
  for (uint32_t w = 0; w < kWorkers; ++w) {
    jobs[w] = std::vector<Job>(kJobs);
    threads.emplace_back([&queue, &own = jobs[w], w] {
      for (int i = 0; i < kJobs; ++i) {
        if (i % kEvery == 0) {
          auto event = std::make_unique<WorkerEvent>();
          event->pool = w;
          event->target = i;
          queue.PostEvent(std::move(event));
        }
        own[i].slot = w;
        own[i].payload.kind =
            i % 5 == 0 ? PayloadKind::kString : PayloadKind::kNumber;
        own[i].payload.number = i;
        queue.Post(&own[i]);
        if (i % 64 == 0) std::this_thread::yield();
      }
    });
  }
  std::array<double, kWorkers> next{};
  std::array<double, kWorkers> sent{};
  for (int left = kWorkers * kJobs; left > 0;) {
    const Arrivals arrivals = ReadOnce(&queue);
    if (arrivals.answers.empty() && arrivals.events.empty()) {
      waker->Sleep(queue);
    }
    for (const auto& event : arrivals.events) sent[event->pool] = event->target;
    for (const Answer& answer : arrivals.answers) {
      const bool small = answer.job == nullptr;
      const uint32_t worker = small ? answer.slot : answer.job->slot;
      const double number = small ? answer.number : answer.job->payload.number;
      EXPECT_EQ(number, next[worker]++);
      EXPECT_GT(sent[worker] + kEvery, number);
      --left;
    }
    if (lazy && left % 3 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(queue.MaybePending());
}

INSTANTIATE_TEST_SUITE_P(Owners, CompletionOrder, testing::Bool());

TEST(JobList, RemovesFromAnyPlace) {
  JobList list;
  Job a, b, c;
  for (Job* job : {&a, &b, &c}) list.PushBack(job);
  list.Remove(&b);
  EXPECT_EQ(list.size(), 2u);
  list.Remove(&c);
  list.PushBack(&b);
  EXPECT_EQ(list.PopFront(), &a);
  EXPECT_EQ(list.PopFront(), &b);
  EXPECT_EQ(list.PopFront(), nullptr);
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace sloppy::workers

#include "job/completion_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "base/wake_gate.h"
#include "job/job_list.h"

namespace sloppy::workers {
namespace {

// Knows at each wake whether there was something to find.
class RecordingWaker : public OwnerWaker {
 public:
  void WakeOwner() override { found.push_back(queue->MaybePending()); }
  const CompletionQueue* queue = nullptr;
  std::vector<bool> found;
};

using Events = std::vector<std::unique_ptr<WorkerEvent>>;

TEST(CompletionQueue, TellsTheOwnerOnceTheResultShows) {
  auto waker = std::make_shared<RecordingWaker>();
  CompletionQueue queue(waker);
  waker->queue = &queue;
  Job first, second, third, fourth;
  EXPECT_FALSE(queue.MaybePending());
  EXPECT_EQ(queue.Post(&first), 1u);
  EXPECT_EQ(waker->found, std::vector<bool>({true}));
  // The first of those that do not come alone.
  EXPECT_EQ(queue.Post(&second), 2u);
  EXPECT_EQ(waker->found, std::vector<bool>({true, true}));
  // Those have woken it.
  EXPECT_EQ(queue.Post(&third), 3u);
  EXPECT_EQ(waker->found.size(), 2u);
  queue.PostEvent(std::make_unique<WorkerEvent>());

  std::vector<Job*> jobs;
  Events events;
  queue.TakeAll(&jobs, &events);
  EXPECT_EQ(jobs, std::vector<Job*>({&first, &second, &third}));
  EXPECT_EQ(events.size(), 1u);
  EXPECT_FALSE(queue.MaybePending());

  EXPECT_EQ(queue.Post(&fourth), 1u);
  EXPECT_EQ(waker->found, std::vector<bool>({true, true, true, true}));
  jobs.clear();
  queue.TakeAll(&jobs, &events);
  EXPECT_EQ(jobs, std::vector<Job*>({&fourth}));
  EXPECT_EQ(events.size(), 1u);
}

// As OwnerLoop: it is woken only while it says that it sleeps.
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

// Run this under TSan. A wake-up that is lost is a test that does not end.
TEST(CompletionQueue, EachWorkersJobsComeInOrderAfterWhatTheySent) {
  constexpr int kWorkers = 3;
  constexpr int kJobs = 3000;
  constexpr int kEvery = 7;
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
        own[i].payload.number = i;
        queue.Post(&own[i]);
        if (i % 64 == 0) std::this_thread::yield();
      }
    });
  }
  std::array<double, kWorkers> next{};
  std::array<double, kWorkers> sent{};
  std::vector<Job*> taken;
  Events events;
  for (int left = kWorkers * kJobs; left > 0;) {
    taken.clear();
    events.clear();
    queue.TakeAll(&taken, &events);
    if (taken.empty() && events.empty()) waker->Sleep(queue);
    for (const auto& event : events) sent[event->pool] = event->target;
    for (const Job* job : taken) {
      EXPECT_EQ(job->payload.number, next[job->slot]++);
      EXPECT_GT(sent[job->slot] + kEvery, job->payload.number);
      --left;
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(queue.MaybePending());
}

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

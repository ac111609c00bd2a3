#include "job/completion_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

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
  Job first, second, third;
  EXPECT_FALSE(queue.MaybePending());
  EXPECT_EQ(queue.Post(&first), 1u);
  EXPECT_EQ(waker->found, std::vector<bool>({true}));
  // The first has woken it.
  EXPECT_EQ(queue.Post(&second), 2u);
  EXPECT_EQ(waker->found.size(), 1u);
  queue.PostEvent(std::make_unique<WorkerEvent>());

  std::vector<Job*> jobs;
  Events events;
  queue.TakeAll(&jobs, &events);
  EXPECT_EQ(jobs, std::vector<Job*>({&first, &second}));
  EXPECT_EQ(events.size(), 1u);
  EXPECT_FALSE(queue.MaybePending());

  EXPECT_EQ(queue.Post(&third), 1u);
  EXPECT_EQ(waker->found, std::vector<bool>({true, true, true}));
  jobs.clear();
  queue.TakeAll(&jobs, &events);
  EXPECT_EQ(jobs, std::vector<Job*>({&third}));
  EXPECT_EQ(events.size(), 1u);
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

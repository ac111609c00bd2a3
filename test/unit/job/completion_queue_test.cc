#include "job/completion_queue.h"

#include <gtest/gtest.h>

namespace sloppy::workers {
namespace {

class CountingWaker : public OwnerWaker {
 public:
  void WakeOwner() override { ++wakes; }
  int wakes = 0;
};

using Events = std::vector<std::unique_ptr<WorkerEvent>>;

TEST(CompletionQueue, WakesTheOwnerOnceABatch) {
  CountingWaker waker;
  CompletionQueue queue(&waker);
  Job first, second, third;
  queue.Post(&first);
  queue.Post(&second);
  queue.PostEvent(std::make_unique<WorkerEvent>());
  EXPECT_EQ(waker.wakes, 1);
  EXPECT_TRUE(queue.MaybePending());

  JobList jobs;
  Events events;
  queue.TakeAll(&jobs, &events);
  EXPECT_EQ(jobs.size(), 2u);
  EXPECT_EQ(events.size(), 1u);
  EXPECT_FALSE(queue.MaybePending());

  queue.Post(&third);
  EXPECT_EQ(waker.wakes, 2);
  queue.TakeAll(&jobs, &events);
  EXPECT_EQ(jobs.PopFront(), &first);
  EXPECT_EQ(jobs.PopFront(), &second);
  EXPECT_EQ(jobs.PopFront(), &third);
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

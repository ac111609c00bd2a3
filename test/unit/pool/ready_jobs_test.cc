#include "pool/ready_jobs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

constexpr int64_t kAnHour = 3'600'000'000'000;

std::vector<uint64_t> Drain(ReadyJobs* ready) {
  std::vector<uint64_t> order;
  while (Job* job = ready->front()) {
    ready->Remove(job);
    order.push_back(job->arrival);
  }
  return order;
}

// Jobs that arrive in this order, with numbers from 1.
std::deque<Job> JobsOf(std::initializer_list<uint8_t> priorities) {
  std::deque<Job> jobs;
  for (const uint8_t priority : priorities) {
    Job& job = jobs.emplace_back();
    job.priority = priority;
    job.arrival = jobs.size();
  }
  return jobs;
}

TEST(ReadyJobsTest, TakesByPriorityAndThenByArrival) {
  ReadyJobs ready({});
  auto jobs = JobsOf({4, 7, 0, 4, 200, 0});
  for (Job& job : jobs) ready.Push(&job);
  EXPECT_EQ(Drain(&ready), (std::vector<uint64_t>{3, 6, 1, 4, 2, 5}));
}

TEST(ReadyJobsTest, EachPriorityIsOneOfItsOwn) {
  for (const int64_t aging : {kNever, kAnHour}) {
    ReadyJobs ready({.aging = aging});
    auto jobs = JobsOf({7, 6, 5, 4, 3, 2, 1, 0});
    for (Job& job : jobs) ready.Push(&job);
    EXPECT_EQ(Drain(&ready), (std::vector<uint64_t>{8, 7, 6, 5, 4, 3, 2, 1}));
  }
}

TEST(ReadyJobsTest, WithSlowAgingPrioritiesStillCount) {
  ReadyJobs ready({.aging = kAnHour});
  auto jobs = JobsOf({4, 7, 0, 4, 200, 0});
  for (Job& job : jobs) ready.Push(&job);
  EXPECT_EQ(Drain(&ready), (std::vector<uint64_t>{3, 6, 1, 4, 2, 5}));
}

TEST(ReadyJobsTest, WithFastAgingTheOldestJobIsFirst) {
  ReadyJobs ready({.aging = 1});
  auto jobs = JobsOf({7, 4, 0});
  for (Job& job : jobs) {
    ready.Push(&job);
    // More nanoseconds than there are priorities.
    const int64_t until = MonotonicNow() + 100;
    while (MonotonicNow() < until) continue;
  }
  EXPECT_EQ(Drain(&ready), (std::vector<uint64_t>{1, 2, 3}));
}

TEST(ReadyJobsTest, AnAgingThatCannotBeCountedIsNone) {
  ReadyJobs ready({.aging = kNever - 1});
  auto jobs = JobsOf({7, 0});
  for (Job& job : jobs) ready.Push(&job);
  EXPECT_EQ(Drain(&ready), (std::vector<uint64_t>{2, 1}));
}

TEST(ReadyJobsTest, TakesTheEarliestDeadlineFirst) {
  ReadyJobs ready({.deadline_first = true});
  auto jobs = JobsOf({0, 4, 4, 7, 3, 4});
  jobs[1].deadline = jobs[3].deadline = 10;
  jobs[2].deadline = 5;
  for (Job& job : jobs) ready.Push(&job);
  // Those without a deadline by priority.
  EXPECT_EQ(Drain(&ready), (std::vector<uint64_t>{3, 2, 4, 1, 5, 6}));
}

TEST(ReadyJobsTest, FindsJobsThatArrivedBefore) {
  for (const bool deadline_first : {false, true}) {
    ReadyJobs ready({.deadline_first = deadline_first});
    auto jobs = JobsOf({4, 4, 0, 1});
    for (Job& job : jobs) job.deadline = 10 - static_cast<int64_t>(job.arrival);
    for (Job& job : jobs) ready.Push(&job);
    for (int left = 2; left > 0; --left) {
      Job* job = ready.FindArrived(2);
      ASSERT_NE(job, nullptr);
      EXPECT_LE(job->arrival, 2u);
      ready.Remove(job);
    }
    EXPECT_EQ(ready.FindArrived(2), nullptr);
    EXPECT_EQ(Drain(&ready), deadline_first ? (std::vector<uint64_t>{4, 3})
                                            : (std::vector<uint64_t>{3, 4}));
  }
}

// Many jobs come, go and come back, compared with a sorted list.
TEST(ReadyJobsTest, HeapAgreesWithASortedList) {
  std::mt19937 random(7);
  ReadyJobs ready({.deadline_first = true});
  std::deque<Job> jobs(500);
  std::vector<Job*> in;
  std::vector<Job*> out;
  for (Job& job : jobs) out.push_back(&job);
  uint64_t arrived = 0;
  const auto is_before = [](const Job* a, const Job* b) {
    if (a->deadline != b->deadline) return a->deadline < b->deadline;
    if (a->priority != b->priority) return a->priority < b->priority;
    return a->arrival < b->arrival;
  };
  const auto move = [](std::vector<Job*>* from, size_t at,
                       std::vector<Job*>* to) {
    Job* job = (*from)[at];
    from->erase(from->begin() + static_cast<std::ptrdiff_t>(at));
    to->push_back(job);
    return job;
  };
  for (int i = 0; i < 20'000; ++i) {
    const auto what = random() % 8;
    if (what < 4 && !out.empty()) {
      Job* job = move(&out, random() % out.size(), &in);
      job->deadline = static_cast<int64_t>(random() % 50);
      job->priority = static_cast<uint8_t>(random() % 8);
      job->arrival = ++arrived;
      ready.Push(job);
    } else if (what < 6 && !in.empty()) {
      ready.Remove(move(&in, random() % in.size(), &out));
    } else if (!in.empty()) {
      Job* first = *std::min_element(in.begin(), in.end(), is_before);
      ASSERT_EQ(ready.front(), first);
      ready.Remove(first);
      if (what == 6) {
        ready.PutBack(first);
      } else {
        in.erase(std::find(in.begin(), in.end(), first));
        out.push_back(first);
      }
    }
    const uint64_t until = arrived - std::min<uint64_t>(arrived, 100);
    const bool has_old = std::any_of(in.begin(), in.end(), [&](const Job* job) {
      return job->arrival <= until;
    });
    const Job* found = ready.FindArrived(until);
    ASSERT_EQ(found != nullptr, has_old);
    if (found != nullptr) {
      ASSERT_LE(found->arrival, until);
    }
  }
  std::sort(in.begin(), in.end(), is_before);
  std::vector<uint64_t> order;
  for (const Job* job : in) order.push_back(job->arrival);
  EXPECT_EQ(Drain(&ready), order);
}

TEST(ReadyJobsTest, QueueTakesAJobThatWasPutBackAgain) {
  JobQueue queue(
      {.capacity = 8, .max_workers = 1, .order = {.deadline_first = true}});
  FakeWorker worker;
  queue.Join(&worker);
  auto jobs = JobsOf({4, 4, 4});
  const int64_t later = MonotonicNow() + kAnHour;
  jobs[1].deadline = later;
  jobs[2].deadline = later - 1;
  for (Job& job : jobs) queue.Submit(&job);
  int64_t next_check = kNever;
  Job* taken = queue.Take(&worker, &next_check).job;
  ASSERT_EQ(taken, &jobs[2]);
  queue.SetGreets(true);
  EXPECT_TRUE(queue.BeginFresh(&worker, &taken));
  EXPECT_EQ(queue.Take(&worker, &next_check).job, nullptr);
  queue.LetIn(&worker);
  EXPECT_EQ(queue.Take(&worker, &next_check).job, &jobs[2]);
  // Removed from the middle.
  EXPECT_EQ(queue.Cancel(&jobs[1], End::kShutdown, 0, &next_check),
            JobQueue::Removal::kRemoved);
  EXPECT_EQ(queue.FinishAndTake(&worker, &next_check).job, &jobs[0]);
  queue.Submit(&jobs[1]);
  JobList dropped;
  queue.DropQueued(&dropped);
  EXPECT_EQ(dropped.size(), 1u);
  queue.Finish(&worker);
  queue.Leave(&worker);
}

}  // namespace
}  // namespace sloppy::workers

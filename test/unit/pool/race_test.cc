// The whole way of a job below V8, with real threads: run these under TSan.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "job/completion_queue.h"
#include "pool/job_queue.h"
#include "pool/watchdog.h"
#include "test/unit/job/read_all.h"
#include "test/unit/pool/fake_worker.h"
#include "test/unit/pool/real_threads.h"

namespace sloppy::workers {
namespace {

constexpr int kRacingJobs = 4000;
constexpr int kRacingWorkers = 3;

void RunWorker(FakeWorker* worker, JobQueue* queue, CompletionQueue* done,
               Watchdog* watchdog) {
  queue->Join(worker);
  int64_t next_check = kNever;
  JobQueue::Taken taken = queue->Take(worker, &next_check);
  while (!taken.leave) {
    if (next_check != kNever) watchdog->Arm(next_check);
    next_check = kNever;
    PostLate(taken, done);
    if (taken.job == nullptr) {
      if (queue->BeginIdle(worker)) worker->gate.Sleep();
      taken = queue->Take(worker, &next_check);
      continue;
    }
    Job* job = taken.job;
    job->payload.number += 1;
    taken = queue->FinishAndTake(worker, &next_check);
    const bool terminated = taken.terminated;
    if (terminated) job->status = Diagnostic::kJobTimeout;
    done->Post(job);
    if (terminated) taken = queue->Take(worker, &next_check);
  }
  PostLate(taken, done);
  queue->Leave(worker);
}

// The owner's work with finished jobs: it counts them, once each.
class Settlements {
 public:
  explicit Settlements(const std::vector<Job>* jobs)
      : jobs_(*jobs), settled_(jobs->size()) {}
  void Take(CompletionQueue* done) {
    for (const uint32_t slot : ReadSlots(done)) Settle(slot);
  }
  void Settle(uint32_t slot) {
    EXPECT_EQ(jobs_[slot].state, Job::State::kIdle);
    EXPECT_FALSE(settled_[slot]) << "settled twice";
    settled_[slot] = true;
    ++count;
  }
  int count = 0;

 private:
  const std::vector<Job>& jobs_;
  std::vector<bool> settled_;
};

TEST(PoolRace, EveryJobSettlesExactlyOnceWhoeverEndsIt) {
  auto waker = std::make_shared<GateWaker>();
  CompletionQueue done(waker);
  Watchdog watchdog(std::make_unique<StdThread>());
  JobQueue queue({64, kRacingWorkers});
  watchdog.Add(&queue);
  std::vector<std::unique_ptr<FakeWorker>> workers;
  std::vector<std::thread> threads;
  for (int i = 0; i < kRacingWorkers; ++i) {
    workers.push_back(std::make_unique<FakeWorker>());
    threads.emplace_back(RunWorker, workers.back().get(), &queue, &done,
                         &watchdog);
  }

  std::vector<Job> jobs(kRacingJobs);
  Settlements settled(&jobs);
  for (int i = 0; i < kRacingJobs; ++i) {
    Job* job = &jobs[static_cast<size_t>(i)];
    job->slot = static_cast<uint32_t>(i);
    if (i % 3 == 0) job->deadline = MonotonicNow() + 1000;
    if (i % 2 == 0) job->home = static_cast<uint32_t>(1 + i % 5);
    while (queue.Submit(job).admission == JobQueue::Admission::kFull) {
      waker->gate.Sleep();
      settled.Take(&done);
    }
    int64_t next_check = kNever;
    Job* victim = &jobs[static_cast<size_t>(i / 2)];
    if (i % 5 == 0 && queue.Cancel(victim, End::kCancelled, 0, &next_check) ==
                          JobQueue::Removal::kRemoved) {
      settled.Settle(victim->slot);
    }
  }
  queue.Close();
  for (std::thread& thread : threads) thread.join();
  settled.Take(&done);
  watchdog.Remove(&queue);

  EXPECT_EQ(settled.count, kRacingJobs);
  EXPECT_FALSE(done.MaybePending());
  const JobQueue::Counts counts = queue.GetCounts();
  EXPECT_EQ(counts.queued + counts.running + counts.workers, 0u);
}

// The owner waits for each few jobs: one that no worker is woken for would
// stay.
TEST(PoolRace, AJobWithAHomeFindsAWorkerWhateverThatOneDoes) {
  auto waker = std::make_shared<GateWaker>();
  CompletionQueue done(waker);
  Watchdog watchdog(std::make_unique<StdThread>());
  JobQueue queue({.capacity = 64, .max_workers = kRacingWorkers});
  std::vector<std::unique_ptr<FakeWorker>> workers;
  std::vector<std::thread> threads;
  for (int i = 0; i < kRacingWorkers; ++i) {
    workers.push_back(std::make_unique<FakeWorker>());
    threads.emplace_back(RunWorker, workers.back().get(), &queue, &done,
                         &watchdog);
  }
  std::vector<Job> jobs(kRacingJobs);
  Settlements settled(&jobs);
  int submitted = 0;
  for (int i = 0; submitted < kRacingJobs; ++i) {
    for (int n = i % 4; n >= 0 && submitted < kRacingJobs; --n) {
      Job* job = &jobs[static_cast<size_t>(submitted)];
      job->slot = static_cast<uint32_t>(submitted);
      job->home = static_cast<uint32_t>(submitted % 5);
      job->priority = submitted % 7 == 0 ? 0 : 4;
      (void)queue.Submit(job);
      ++submitted;
      // The wake has another reason than a job.
      FakeWorker* any = workers[static_cast<size_t>(i % kRacingWorkers)].get();
      if (i % 3 == 0) any->Wake();
    }
    while (settled.count < submitted) {
      waker->gate.Sleep();
      settled.Take(&done);
    }
  }
  queue.Close();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(settled.count, kRacingJobs);
}

TEST(PoolRace, TheWatchdogEndsAJobWhileTheOwnerIsBusy) {
  Watchdog watchdog(std::make_unique<StdThread>());
  JobQueue queue({1, 1});
  watchdog.Add(&queue);

  class Stuck : public FakeWorker {
   public:
    void Terminate() override { ended.Wake(); }
    WakeGate ended;
  } worker;
  Job job;
  job.deadline = MonotonicNow() + JobQueue::kLookEvery;
  queue.Join(&worker);
  queue.Submit(&job);
  int64_t next_check = kNever;
  job.grace = 1'000'000;
  ASSERT_EQ(queue.Take(&worker, &next_check).job, &job);
  ASSERT_NE(next_check, kNever);
  watchdog.Arm(next_check);
  worker.ended.Sleep();  // Returns only when the watchdog terminates.
  EXPECT_TRUE(queue.Finish(&worker));
  EXPECT_EQ(job.cancelled, End::kTimedOut);
  watchdog.Remove(&queue);
}

}  // namespace
}  // namespace sloppy::workers

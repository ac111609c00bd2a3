// Random mixes of all that owner, workers and watchdog may do to a queue, each
// on a thread of its own: run this under TSan. Every job comes back once.
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "job/completion_queue.h"
#include "pool/job_queue.h"
#include "pool/watchdog.h"
#include "test/unit/pool/fake_worker.h"
#include "test/unit/pool/real_threads.h"

namespace sloppy::workers {
namespace {

constexpr size_t kWorkers = 3;
constexpr uint32_t kJobs = 64;
constexpr size_t kCapacity = 32;
constexpr int kSteps = 4000;
constexpr int kRounds = 6;
constexpr size_t kParked = 4;

using Random = std::mt19937;

// A worker that ends, parks and forgets its jobs as it likes.
class Actor {
 public:
  Actor(JobQueue* queue, CompletionQueue* done, Watchdog* watchdog, bool shared,
        uint32_t seed)
      : queue_(queue),
        done_(done),
        watchdog_(watchdog),
        shared_(shared),
        random_(seed) {}

  void Run() {
    queue_->Join(&worker_);
    while (Step()) {
    }
    queue_->Leave(&worker_);
  }

 private:
  bool Step() {
    if (!parked_.empty() && (parked_.size() == kParked || random_() % 2 == 0)) {
      Job* job = parked_.back();
      parked_.pop_back();
      queue_->FinishParked(&worker_, job);
      done_->Post(job);
    }
    int64_t next_check = kNever;
    return Accept(queue_->Take(&worker_, &next_check), next_check);
  }

  bool Accept(JobQueue::Taken taken, int64_t next_check) {
    for (;;) {
      if (next_check != kNever) watchdog_->Arm(next_check);
      if (taken.leave) return false;
      Job* job = taken.job;
      if (job == nullptr) {
        if (parked_.empty() && queue_->BeginIdle(&worker_)) {
          worker_.gate.Sleep();
        }
        return true;
      }
      job->payload.number += 1;
      if (shared_ && random_() % 2 == 0 && queue_->Park(&worker_)) {
        parked_.push_back(job);
        return true;
      }
      if (random_() % 4 == 0) {
        queue_->Finish(&worker_);
        done_->Post(job);
        return true;
      }
      next_check = kNever;
      taken = queue_->FinishAndTake(&worker_, &next_check);
      done_->Post(job);
      if (taken.terminated) return true;
    }
  }

  JobQueue* const queue_;
  CompletionQueue* const done_;
  Watchdog* const watchdog_;
  const bool shared_;
  Random random_;
  FakeWorker worker_;
  std::vector<Job*> parked_;
};

class Owner {
 public:
  Owner(JobQueue* queue, CompletionQueue* done, JobTable* jobs, uint32_t seed)
      : queue_(queue), done_(done), jobs_(jobs), random_(seed) {
    for (uint32_t i = 0; i < kJobs; ++i) {
      jobs_->At(i);
      free_.push_back(i);
    }
  }

  void Play(double* rows) {
    for (int i = 0; i < kSteps; ++i) Step(rows);
    queue_->SetPaused(false);
    queue_->SetMaxWorkers(kWorkers);
    queue_->Close();
    if (random_() % 2 == 0) queue_->TerminateAll(Job::kShutdown);
  }

  void Settle() {
    std::vector<Job*> jobs;
    std::vector<std::unique_ptr<WorkerEvent>> events;
    done_->TakeAll(&jobs, &events);
    for (Job* job : jobs) Free(job);
  }
  size_t free() const { return free_.size(); }

 private:
  void Free(Job* job) {
    EXPECT_EQ(job->state, Job::State::kIdle);
    free_.push_back(job->slot);
    ASSERT_LE(free_.size(), kJobs) << "one came back twice";
  }

  void Step(double* rows) {
    Settle();
    Job* any = jobs_->At(static_cast<uint32_t>(random_() % kJobs));
    int64_t next_check = kNever;
    switch (random_() % 16) {
      case 0:
        if (queue_->Cancel(any, Job::kCancelled, MonotonicNow(), &next_check) ==
            JobQueue::Removal::kRemoved) {
          Free(any);
        }
        break;
      case 1:
        queue_->SetPaused(random_() % 2 == 0);
        break;
      case 2:
        queue_->Trim(kWorkers);
        break;
      case 3:
        queue_->TerminateAll(Job::kShutdown);
        break;
      case 4:
        queue_->Deliver(any, std::make_unique<Mail>());
        break;
      case 5:
        queue_->GetCounts();
        break;
      default:
        Submit(rows);
    }
  }

  void Submit(double* rows) {
    // Cancelled jobs of the ring may be unread: the owner knows its bound.
    if (free_.size() <= kJobs - kCapacity) return;
    Job* job = jobs_->At(free_.back());
    free_.pop_back();
    if (random_() % 2 == 0) {
      WriteRing(rows, *job);
      return;
    }
    job->Renew();
    job->priority = static_cast<uint8_t>(random_() % JobQueue::kPriorities);
    if (random_() % 4 == 0) job->deadline = MonotonicNow() + 1000;
    const auto submitted = queue_->Submit(job);
    ASSERT_NE(submitted.admission, JobQueue::Admission::kClosed);
    if (submitted.admission == JobQueue::Admission::kFull) {
      free_.push_back(job->slot);
    }
  }

  void WriteRing(double* rows, const Job& job) {
    double* head = rows + (tail_ % SubmitRing::kRows) * SubmitRing::kHead;
    head[0] = job.slot;
    head[1] = head[3] = head[5] = head[6] = 0;
    head[2] = static_cast<double>(PayloadKind::kNull);
    head[4] = SubmitRing::kMostUrgent;
    head[7] = std::numeric_limits<double>::infinity();
    auto* words = reinterpret_cast<char*>(rows) + SubmitRing::kRowBytes;
    reinterpret_cast<std::atomic<uint32_t>*>(words)->store(++tail_);
    const auto* attend =
        reinterpret_cast<std::atomic<uint32_t>*>(words + 2 * kCacheLine);
    if (attend->load() != 0) queue_->Kick();
  }

  JobQueue* const queue_;
  CompletionQueue* const done_;
  JobTable* const jobs_;
  Random random_;
  std::vector<uint32_t> free_;
  uint32_t tail_ = 0;
};

void PlayRound(uint32_t seed) {
  SCOPED_TRACE(seed);
  const bool shared = seed % 2 == 0;
  auto waker = std::make_shared<GateWaker>();
  CompletionQueue done(waker);
  Watchdog watchdog(std::make_unique<StdThread>());
  std::vector<double> memory(SubmitRing::kBytes / sizeof(double));
  JobTable jobs;
  const size_t reserve = seed % 4 == 1 ? 1 : 0;
  JobQueue queue(
      {kCapacity, kWorkers - reserve, reserve, shared}, &jobs,
      std::make_unique<SubmitRing>(nullptr, memory.data(), 0, kNever));
  watchdog.Add(&queue);
  Owner owner(&queue, &done, &jobs, seed);
  std::vector<std::unique_ptr<Actor>> actors;
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kWorkers; ++i) {
    actors.push_back(std::make_unique<Actor>(&queue, &done, &watchdog, shared,
                                             seed + 100 * i));
    threads.emplace_back([actor = actors.back().get()] { actor->Run(); });
  }
  owner.Play(memory.data());
  for (std::thread& thread : threads) thread.join();
  watchdog.Remove(&queue);
  owner.Settle();
  EXPECT_EQ(owner.free(), size_t{kJobs});
  const JobQueue::Counts counts = queue.GetCounts();
  EXPECT_EQ(counts.queued + counts.running + counts.workers + counts.idle, 0u);
}

TEST(PoolChaos, EveryJobComesBackOnceWhateverHappens) {
  for (uint32_t seed = 1; seed <= kRounds; ++seed) PlayRound(seed);
}

}  // namespace
}  // namespace sloppy::workers

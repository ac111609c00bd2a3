// Random mixes of all that owner, workers and watchdog may do to a queue, each
// on a thread of its own: run this under TSan. Every job comes back once.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "job/completion_queue.h"
#include "pool/job_queue.h"
#include "pool/watchdog.h"
#include "test/unit/job/read_all.h"
#include "test/unit/pool/fake_worker.h"
#include "test/unit/pool/real_threads.h"
#include "test/unit/pool/ring_writer.h"

namespace sloppy::workers {
namespace {

constexpr size_t kWorkers = 3;
constexpr uint32_t kJobs = 64;
constexpr size_t kCapacity = 32;
constexpr int kSteps = 4000;
constexpr int kRounds = 6;
constexpr size_t kParked = 4;
constexpr uint32_t kHomes = 5;

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
      PostLate(taken, done_);
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
  Owner(JobQueue* queue, RingWriter* ring, CompletionQueue* done,
        JobTable* jobs, uint32_t seed)
      : queue_(queue), ring_(ring), done_(done), jobs_(jobs), random_(seed) {
    for (uint32_t i = 0; i < kJobs; ++i) {
      jobs_->At(i);
      free_.push_back(i);
    }
  }

  void Play() {
    for (int i = 0; i < kSteps; ++i) Step();
    queue_->SetPaused(false);
    queue_->SetMaxWorkers(kWorkers);
    queue_->Close();
    if (random_() % 2 == 0) queue_->TerminateAll(End::kShutdown);
  }

  void Settle() {
    for (const uint32_t slot : ReadSlots(done_)) Free(jobs_->Find(slot));
  }
  size_t free() const { return free_.size(); }

 private:
  void Free(Job* job) {
    EXPECT_EQ(job->state, Job::State::kIdle);
    free_.push_back(job->slot);
    ASSERT_LE(free_.size(), kJobs) << "one came back twice";
  }

  void Step() {
    Settle();
    Job* any = jobs_->At(static_cast<uint32_t>(random_() % kJobs));
    int64_t next_check = kNever;
    switch (random_() % 16) {
      case 0:
        if (queue_->Cancel(any, End::kCancelled, MonotonicNow(), &next_check) ==
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
        queue_->TerminateAll(End::kShutdown);
        break;
      case 4:
        queue_->Deliver(any, std::make_unique<Mail>());
        break;
      case 5:
        queue_->GetCounts();
        break;
      default:
        Submit();
    }
  }

  void Submit() {
    // Cancelled jobs of the ring may be unread: the owner knows its bound.
    if (free_.size() <= kJobs - kCapacity) return;
    Job* job = jobs_->At(free_.back());
    free_.pop_back();
    if (random_() % 2 == 0) {
      ring_->Write({.slot = job->slot, .kind = PayloadKind::kNull});
      if (ring_->attend()) queue_->Kick();
      return;
    }
    job->Renew();
    job->priority = static_cast<uint8_t>(random_() % JobQueue::kPriorities);
    if (random_() % 4 == 0) job->deadline = MonotonicNow() + 1000;
    if (random_() % 2 == 0) job->home = 1 + random_() % kHomes;
    const auto submitted = queue_->Submit(job);
    ASSERT_NE(submitted.admission, JobQueue::Admission::kClosed);
    if (submitted.admission == JobQueue::Admission::kFull) {
      free_.push_back(job->slot);
    }
  }

  JobQueue* const queue_;
  RingWriter* const ring_;
  CompletionQueue* const done_;
  JobTable* const jobs_;
  Random random_;
  std::vector<uint32_t> free_;
};

void PlayRound(uint32_t seed) {
  SCOPED_TRACE(seed);
  const bool shared = seed % 2 == 0;
  auto waker = std::make_shared<GateWaker>();
  CompletionQueue done(waker);
  Watchdog watchdog(std::make_unique<StdThread>());
  RingWriter ring;
  JobTable jobs;
  const size_t reserve = seed % 4 == 1 ? 1 : 0;
  JobQueue queue(
      {.capacity = kCapacity,
       .max_workers = kWorkers - reserve,
       .reserve = reserve,
       .shared = shared,
       .order = {.aging = seed % 3 == 1 ? 1000 : kNever,
                 .deadline_first = seed % 3 == 2}},
      &jobs, std::make_unique<SubmitRing>(nullptr, ring.block(), 0, kNever));
  watchdog.Add(&queue);
  Owner owner(&queue, &ring, &done, &jobs, seed);
  std::vector<std::unique_ptr<Actor>> actors;
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kWorkers; ++i) {
    actors.push_back(std::make_unique<Actor>(&queue, &done, &watchdog, shared,
                                             seed + 100 * i));
    threads.emplace_back([actor = actors.back().get()] { actor->Run(); });
  }
  owner.Play();
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

// The jobs that any worker of a pool may take, in the order in which they
// start: by priority and then by arrival, unless the pool has another order.
//
// - `aging`: a waiting job gains a priority each time that it has waited so
//   long. Which of two jobs is ahead does not change while both wait, so that
//   the order is one of numbers: arrival + priority * aging.
// - `deadline_first`: the earliest deadline first; those without one come last.
//
// Either of these keeps the jobs in a pairing heap, whose links are the jobs'
// own: no allocation, and O(log n) for each job. The default order has a list
// for each priority, O(1).
//
// Not synchronised.
#ifndef SLOPPY_WORKERS_POOL_READY_JOBS_H_
#define SLOPPY_WORKERS_POOL_READY_JOBS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "job/job_list.h"

namespace sloppy::workers {

// The first of the jobs by rank, then by priority, then by arrival. `next` is a
// job's next sibling, `prev` the sibling before it, of a first child its
// parent.
class RankedJobs {
 public:
  bool empty() const { return root_ == nullptr; }
  Job* front() const { return root_; }
  void Insert(Job* job);
  // REQUIRES: `job` is here.
  void Remove(Job* job);
  // One whose number is at most `arrived`; nullptr for none. O(n).
  Job* FindArrived(uint64_t arrived) const;

 private:
  static Job* Merge(Job* a, Job* b);
  static Job* MergeSiblings(Job* first);

  Job* root_ = nullptr;
};

class ReadyJobs {
 public:
  static constexpr size_t kPriorities = 8;

  struct Order {
    int64_t aging = kNever;  // Nanoseconds; above kLongestAging none.
    bool deadline_first = false;
  };
  // A rank could overflow with more.
  static constexpr int64_t kLongestAging = kNever / (2 * kPriorities);

  explicit ReadyJobs(const Order& order)
      : aging_(order.aging > kLongestAging ? kNever : order.aging),
        deadline_first_(order.deadline_first),
        ranked_(deadline_first_ || aging_ != kNever) {}

  // REQUIRES: its `arrival` is set.
  void Push(Job* job) {
    if (ranked_) {
      job->rank = RankOf(job);
      heap_.Insert(job);
    } else {
      ListOf(job).PushBack(job);
    }
  }
  // A job that was here before, and has not started, has its place again. In
  // the default order O(n) in the number of older jobs of its priority.
  void PutBack(Job* job) {
    if (ranked_) {
      heap_.Insert(job);
      return;
    }
    JobList& list = ListOf(job);
    Job* next = list.front();
    while (next != nullptr && next->arrival < job->arrival) next = next->next;
    list.InsertBefore(next, job);
  }
  // REQUIRES: `job` is here.
  void Remove(Job* job) {
    if (ranked_) {
      heap_.Remove(job);
    } else {
      ListOf(job).Remove(job);
    }
  }

  // The next one, or nullptr.
  Job* front() const {
    if (ranked_) return heap_.front();
    for (const JobList& list : lists_) {
      if (!list.empty()) return list.front();
    }
    return nullptr;
  }
  // One whose number is at most `arrived`, or nullptr; in the default order the
  // next one.
  Job* FindArrived(uint64_t arrived) const {
    if (ranked_) return heap_.FindArrived(arrived);
    for (const JobList& list : lists_) {
      Job* job = list.front();
      if (job != nullptr && job->arrival <= arrived) return job;
    }
    return nullptr;
  }
  // Whether a job is there that comes before any later one of `priority`, or of
  // a less urgent one.
  bool HasBefore(uint8_t priority) const {
    if (ranked_) return false;
    for (size_t i = 0; i <= priority; ++i) {
      if (!lists_[i].empty()) return true;
    }
    return false;
  }

 private:
  static size_t PriorityOf(const Job* job) {
    return job->priority < kPriorities ? job->priority : kPriorities - 1;
  }
  JobList& ListOf(const Job* job) { return lists_[PriorityOf(job)]; }
  int64_t RankOf(const Job* job) const;

  const int64_t aging_;
  const bool deadline_first_;
  const bool ranked_;
  std::array<JobList, kPriorities> lists_;
  RankedJobs heap_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_READY_JOBS_H_

#include "pool/ready_jobs.h"

#include <utility>

#include "base/clock.h"

namespace sloppy::workers {
namespace {

bool IsBefore(const Job* a, const Job* b) {
  if (a->rank != b->rank) return a->rank < b->rank;
  if (a->priority != b->priority) return a->priority < b->priority;
  return a->arrival < b->arrival;
}

}  // namespace

int64_t ReadyJobs::RankOf(const Job* job) const {
  if (deadline_first_) return job->deadline;
  return MonotonicNow() + static_cast<int64_t>(PriorityOf(job)) * aging_;
}

void RankedJobs::Insert(Job* job) {
  job->next = job->prev = job->child = nullptr;
  root_ = root_ == nullptr ? job : Merge(root_, job);
}

void RankedJobs::Remove(Job* job) {
  Job* rest = MergeSiblings(job->child);
  if (job == root_) {
    root_ = rest;
  } else {
    (job->prev->child == job ? job->prev->child : job->prev->next) = job->next;
    if (job->next != nullptr) job->next->prev = job->prev;
    if (rest != nullptr) root_ = Merge(root_, rest);
  }
  job->next = job->prev = job->child = nullptr;
}

// Of two roots the one that comes later becomes the other's first child.
Job* RankedJobs::Merge(Job* a, Job* b) {
  if (IsBefore(b, a)) std::swap(a, b);
  b->next = a->child;
  b->prev = a;
  if (a->child != nullptr) a->child->prev = b;
  a->child = b;
  return a;
}

// In two passes, which bounds the cost: pairs from the left, and then those
// from the right into one.
Job* RankedJobs::MergeSiblings(Job* first) {
  Job* pairs = nullptr;
  while (first != nullptr) {
    Job* a = first;
    Job* b = a->next;
    first = b == nullptr ? nullptr : b->next;
    a->next = a->prev = nullptr;
    if (b != nullptr) {
      b->next = b->prev = nullptr;
      a = Merge(a, b);
    }
    a->next = pairs;
    pairs = a;
  }
  Job* root = nullptr;
  while (pairs != nullptr) {
    Job* job = std::exchange(pairs, pairs->next);
    job->next = nullptr;
    root = root == nullptr ? job : Merge(root, job);
  }
  return root;
}

Job* RankedJobs::FindArrived(uint64_t arrived) const {
  Job* job = root_;
  while (job != nullptr && job->arrival > arrived) {
    if (job->child != nullptr) {
      job = job->child;
      continue;
    }
    while (job != nullptr && job->next == nullptr) {
      // Back to the first sibling, and up.
      while (job->prev != nullptr && job->prev->child != job) job = job->prev;
      job = job->prev;
    }
    if (job != nullptr) job = job->next;
  }
  return job;
}

}  // namespace sloppy::workers

// An intrusive FIFO of jobs: every operation O(1), no allocation.
#ifndef SLOPPY_WORKERS_JOB_JOB_LIST_H_
#define SLOPPY_WORKERS_JOB_JOB_LIST_H_

#include <cstddef>

#include "job/job.h"

namespace sloppy::workers {

// The list is not synchronised. A job is in at most one list.
class JobList {
 public:
  bool empty() const { return head_ == nullptr; }
  size_t size() const { return size_; }
  Job* front() const { return head_; }

  void PushBack(Job* job) {
    job->next = nullptr;
    job->prev = tail_;
    (tail_ ? tail_->next : head_) = job;
    tail_ = job;
    ++size_;
  }

  // `next` is in this list, or nullptr for the end.
  void InsertBefore(Job* next, Job* job) {
    if (next == nullptr) return PushBack(job);
    job->next = next;
    job->prev = next->prev;
    (next->prev ? next->prev->next : head_) = job;
    next->prev = job;
    ++size_;
  }

  // The oldest job, or nullptr.
  Job* PopFront() {
    Job* job = head_;
    if (job != nullptr) Remove(job);
    return job;
  }

  // REQUIRES: `job` is in this list.
  void Remove(Job* job) {
    (job->prev ? job->prev->next : head_) = job->next;
    (job->next ? job->next->prev : tail_) = job->prev;
    job->next = job->prev = nullptr;
    --size_;
  }

 private:
  Job* head_ = nullptr;
  Job* tail_ = nullptr;
  size_t size_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_JOB_LIST_H_

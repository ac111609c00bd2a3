// What has arrived from the workers and is not yet delivered to the owner's
// JavaScript. Owner thread only.
#ifndef SLOPPY_WORKERS_BINDING_INBOX_H_
#define SLOPPY_WORKERS_BINDING_INBOX_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/cpu.h"
#include "job/completion_queue.h"

namespace sloppy::workers {

class Inbox {
 public:
  explicit Inbox(CompletionQueue* arrivals) : arrivals_(arrivals) {}
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  // There is something to deliver.
  bool HasMore() const {
    return next_event_ < events_.size() || next_job_ < jobs_.size() ||
           arrivals_->MaybePending();
  }

  // Workers post on the very core that the owner has now, as far as known.
  bool SharesCore() const {
    const int core = CurrentCore();
    return core >= 0 && arrivals_->core() == core;
  }

  // Some time will pass until EventIsNext().
  void FetchAhead() const { arrivals_->FetchAhead(); }

  // Looks at what has arrived. What a job has sent comes before its end: no
  // job leaves before this has said false.
  bool EventIsNext() {
    if (next_event_ < events_.size()) return true;
    events_.clear();
    next_event_ = 0;
    if (next_job_ == jobs_.size() && arrivals_->MaybePending()) {
      jobs_.clear();
      next_job_ = 0;
      arrivals_->TakeAll(&jobs_, &events_);
    }
    return !events_.empty();
  }

  // REQUIRES: EventIsNext().
  std::unique_ptr<WorkerEvent> NextEvent() {
    return std::move(events_[next_event_++]);
  }

  // The next job that has ended, or nullptr; it stays until PopJob(). REQUIRES:
  // not EventIsNext().
  Job* PeekJob() const {
    // Each was last written by another core.
    if (next_job_ + kAhead < jobs_.size()) Prefetch(jobs_[next_job_ + kAhead]);
    return next_job_ < jobs_.size() ? jobs_[next_job_] : nullptr;
  }
  void PopJob() { ++next_job_; }

 private:
  static constexpr size_t kAhead = 6;

  CompletionQueue* const arrivals_;
  std::vector<Job*> jobs_;
  size_t next_job_ = 0;
  std::vector<std::unique_ptr<WorkerEvent>> events_;
  size_t next_event_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_INBOX_H_

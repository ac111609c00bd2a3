// Answers and events of the workers that are not yet delivered to the owner's
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

  // Whether something is to be delivered.
  bool HasMore() const {
    return next_event_ < events_.size() || unread_ != 0 ||
           arrivals_->MaybePending();
  }

  // Workers post on the very core that the owner has now, as far as known.
  bool SharesCore() const {
    const int core = CurrentCore();
    return core >= 0 && arrivals_->core() == core;
  }

  // Looks for events. An event comes before the end of the job that sent it, so
  // no job leaves before this has said false.
  bool EventIsNext() {
    if (next_event_ < events_.size()) return true;
    events_.clear();
    next_event_ = 0;
    if (unread_ == 0) unread_ = arrivals_->Look(&events_);
    return !events_.empty();
  }

  // REQUIRES: EventIsNext().
  std::unique_ptr<WorkerEvent> NextEvent() {
    return std::move(events_[next_event_++]);
  }

  // REQUIRES, as the next: not EventIsNext().
  bool HasAnswer() const { return unread_ != 0; }
  // REQUIRES: HasAnswer().
  Answer Next() {
    --unread_;
    if (put_back_.job != nullptr) return std::exchange(put_back_, {});
    return arrivals_->Read();
  }
  // The last one, which is of a job: Next() will return it again.
  void PutBack(const Answer& answer) {
    put_back_ = answer;
    ++unread_;
  }
  // Frees the answers that were read.
  void GiveBack() { arrivals_->GiveBack(); }

 private:
  CompletionQueue* const arrivals_;
  size_t unread_ = 0;
  Answer put_back_;
  std::vector<std::unique_ptr<WorkerEvent>> events_;
  size_t next_event_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_INBOX_H_

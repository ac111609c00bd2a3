// The mail of one worker: many threads put, the worker takes.
//
// Invariants
// (1) Mail is taken in the order in which it was put.
// (2) Reasons of cancelled jobs are kept apart, because a job reads its own
//     while it runs; most jobs never do, so only the newest kMaxReasons stay.
// (3) has_mail() is true from the end of Put() until TakeAll(). Both sides use
//     seq_cst: a worker that is about to wait sees the mail, or the thread that
//     has put it sees that the worker waits and wakes it.
// (4) Its mutex is a leaf.
//
// Held by: (1) (2) (3) test/unit/job/mailbox_test.cc. (4) TSan's order of locks
// over test/chaos.
#ifndef SLOPPY_WORKERS_JOB_MAILBOX_H_
#define SLOPPY_WORKERS_JOB_MAILBOX_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/memory_order.h"
#include "base/mutex.h"
#include "job/mail.h"

namespace sloppy::workers {

class Mailbox {
 public:
  static constexpr size_t kMaxReasons = 64;

  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Any thread. True if the worker must be woken to read it: a reason is read
  // only when its job asks for it.
  bool Put(std::unique_ptr<Mail> mail) SW_EXCLUDES(mutex_);

  // Any thread, without the lock.
  bool has_mail() const { return has_mail_.load(); }

  // Worker. All mail but the reasons.
  std::vector<std::unique_ptr<Mail>> TakeAll() SW_EXCLUDES(mutex_);

  // Worker. The oldest reason for which `is_for(mail)` holds; nullptr if there
  // is none.
  template <typename Predicate>
  std::unique_ptr<Mail> TakeReason(Predicate is_for) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    for (auto it = reasons_.begin(); it != reasons_.end(); ++it) {
      if (!is_for(**it)) continue;
      std::unique_ptr<Mail> found = std::move(*it);
      reasons_.erase(it);
      return found;
    }
    return nullptr;
  }

 private:
  Mutex mutex_;
  std::vector<std::unique_ptr<Mail>> mail_ SW_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Mail>> reasons_ SW_GUARDED_BY(mutex_);
  Atomic<bool> has_mail_{false};
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_MAILBOX_H_

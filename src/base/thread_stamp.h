// Names the thread that an isolate or an environment's state belongs to:
// stamped when it is made, asserted where it is entered. A wrong call ends the
// process at once, with a message and in every build, because entering V8 from
// another thread corrupts memory silently. The check is one comparison.
#ifndef SLOPPY_WORKERS_BASE_THREAD_STAMP_H_
#define SLOPPY_WORKERS_BASE_THREAD_STAMP_H_

#include "base/end_process.h"

namespace sloppy::workers {

class ThreadStamp {
 public:
  // Stamps the calling thread.
  ThreadStamp() : thread_(Current()) {}

  // Any thread.
  bool IsCurrent() const { return thread_ == Current(); }

  // REQUIRES: the stamped thread. `what` says what was entered.
  void Check(const char* what) const {
    if (IsCurrent()) return;
    EndProcess(what, "entered from a non-owner thread");
  }

 private:
  // The address of a thread-local is the cheapest name a thread has.
  static const void* Current() {
    static thread_local char here;
    return &here;
  }

  const void* const thread_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_THREAD_STAMP_H_

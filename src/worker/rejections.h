// Promises of one realm that were rejected without a handler. V8 reports each
// at once, but a handler may still be added until the microtasks have run.
//
// Worker thread only, isolate entered.
#ifndef SLOPPY_WORKERS_WORKER_REJECTIONS_H_
#define SLOPPY_WORKERS_WORKER_REJECTIONS_H_

#include <v8.h>

#include <functional>
#include <vector>

namespace sloppy::workers {

class Rejections {
 public:
  // `late`: the promise was reported before, and has a handler now. False when
  // the execution was terminated. Called in the frame of the code that has
  // rejected the promise (job_of_code.h).
  using Report = std::function<bool(v8::Local<v8::Promise> promise, bool late)>;

  Rejections() = default;
  Rejections(const Rejections&) = delete;
  Rejections& operator=(const Rejections&) = delete;

  // V8's callback.
  void Note(v8::Isolate* isolate, const v8::PromiseRejectMessage& message);
  bool empty() const { return noted_.empty(); }
  // Reports the promises that still have no handler, and forgets all others.
  bool ReportAll(v8::Isolate* isolate, const Report& report);
  void Clear() { noted_.clear(); }

 private:
  struct Noted {
    v8::Global<v8::Promise> promise;
    v8::Global<v8::Value> frame;
    bool late;
  };

  std::vector<Noted> noted_;
  // Something was reported; before that nothing can be late.
  bool reported_ = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_REJECTIONS_H_

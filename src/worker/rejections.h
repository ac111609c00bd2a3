// Promises of one realm that were rejected without a handler. V8 reports each
// at once, but a handler may still be added until the microtasks have run.
// What is settled once more is told of at once, where anybody listens.
//
// Worker thread only, isolate entered.
#ifndef SLOPPY_WORKERS_WORKER_REJECTIONS_H_
#define SLOPPY_WORKERS_WORKER_REJECTIONS_H_

#include <v8.h>

#include <functional>
#include <vector>

#include "base/protocol_gen.h"

namespace sloppy::workers {

class Rejections {
 public:
  // False when the execution was terminated. Called in the frame of the code
  // that has rejected the promise (job_of_code.h). The value is the reason, or
  // what the promise was settled with once more.
  using Report =
      std::function<bool(v8::Local<v8::Promise> promise,
                         v8::Local<v8::Value> value, wire::Rejection what)>;

  Rejections() = default;
  Rejections(const Rejections&) = delete;
  Rejections& operator=(const Rejections&) = delete;

  // V8's callback.
  void Note(v8::Isolate* isolate, const v8::PromiseRejectMessage& message,
            const Report& report);
  // Whether the realm hears of promises that are settled once more.
  void HearAgain(bool hears) { hears_again_ = hears; }
  bool empty() const { return noted_.empty(); }
  // Reports the promises that have a handler now, then those that still have
  // none, as in Node. `endless`: listeners go on rejecting others.
  bool ReportAll(v8::Isolate* isolate, bool endless, const Report& report);
  void Clear() { noted_.clear(); }
  // How often a checkpoint reports what the listeners have rejected meanwhile,
  // before they hear of no more.
  static constexpr int kRounds = 100;

 private:
  struct Noted {
    v8::Global<v8::Promise> promise;
    v8::Global<v8::Value> frame;
    wire::Rejection what;
  };

  bool ReportOne(v8::Isolate* isolate, const Noted& noted, wire::Rejection what,
                 const Report& report);

  std::vector<Noted> noted_;
  // Something was reported; before that nothing can be late.
  bool reported_ = false;
  bool hears_again_ = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_REJECTIONS_H_

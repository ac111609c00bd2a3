// Promises of one realm that were rejected while nobody listened. V8 tells of
// each at once; whether somebody listens after all is known when the
// microtasks have run.
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
  // `late`: the promise was told of before, and now has a listener. False
  // when the execution was terminated. Called in the frame of the code that
  // has rejected it (job_of_code.h).
  using Tell = std::function<bool(v8::Local<v8::Promise> promise, bool late)>;

  Rejections() = default;
  Rejections(const Rejections&) = delete;
  Rejections& operator=(const Rejections&) = delete;

  // V8's callback.
  void Note(v8::Isolate* isolate, const v8::PromiseRejectMessage& message);
  bool empty() const { return noted_.empty(); }
  // Tells of those that nobody listens to still, and forgets the rest.
  bool TellAll(v8::Isolate* isolate, const Tell& tell);
  void Clear() { noted_.clear(); }

 private:
  struct Noted {
    v8::Global<v8::Promise> promise;
    v8::Global<v8::Value> frame;
    bool late;
  };

  std::vector<Noted> noted_;
  // Until something was told, nothing can be late.
  bool told_ = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_REJECTIONS_H_

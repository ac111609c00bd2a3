// Requests of a developer to a running isolate: CPU profiles and heap snapshots
// as texts of files that Chrome DevTools opens, and figures of its memory. Any
// thread asks. The worker answers between two jobs or, while JavaScript
// executes, in an interrupt.
#ifndef SLOPPY_WORKERS_ISOLATE_INSPECTION_H_
#define SLOPPY_WORKERS_ISOLATE_INSPECTION_H_

#include <v8-profiler.h>
#include <v8.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/protocol_gen.h"
#include "isolate/inspection_text.h"

namespace sloppy::workers {

class Inspection {
 public:
  using Kind = wire::InspectionKind;
  struct Request {
    Kind kind = Kind::kFigures;
    double id = 0;
    // The place for the answer; nullptr if no text is wanted.
    std::shared_ptr<InspectionText> text;
  };
  struct Figures {
    std::atomic<size_t> heap_used{0};
    std::atomic<size_t> heap_total{0};
    std::atomic<size_t> external{0};
  };
  // Worker thread: the request is done, or cannot be.
  using Answer = std::function<void(double id, bool ok)>;
  // Worker thread: what it executes has been terminated.
  using Terminated = std::function<bool()>;

  Inspection(Answer answer, Terminated terminated)
      : answer_(std::move(answer)), terminated_(std::move(terminated)) {}
  Inspection(const Inspection&) = delete;
  Inspection& operator=(const Inspection&) = delete;

  // Any thread.
  void Ask(Request request) SW_EXCLUDES(mutex_);
  const Figures& figures() const { return figures_; }

  // Worker thread, isolate entered. Does all requests; cheap if there is none.
  void Run(v8::Isolate* isolate, size_t external_bytes) SW_EXCLUDES(mutex_);
  // Worker thread. The isolate is about to go, and its profile with it.
  void End(v8::Isolate* isolate);

 private:
  bool Do(v8::Isolate* isolate, const Request& request, size_t external_bytes);
  bool StartProfile(v8::Isolate* isolate);
  bool StopProfile(v8::Isolate* isolate, InspectionText* text);
  bool TakeSnapshot(v8::Isolate* isolate, InspectionText* text);

  const Answer answer_;
  const Terminated terminated_;
  std::atomic<bool> asked_{false};
  // A leaf lock.
  Mutex mutex_;
  std::vector<Request> requests_ SW_GUARDED_BY(mutex_);
  Figures figures_;
  v8::CpuProfiler* profiler_ = nullptr;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_INSPECTION_H_

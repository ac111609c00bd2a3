// The time limit of a script of node:vm: a thread of its own, because the
// isolate's is the one that runs the script.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_SCRIPT_TIMEOUT_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_SCRIPT_TIMEOUT_H_

#include <uv.h>
#include <v8.h>

#include <cstdint>

#include "base/mutex.h"

namespace sloppy::workers {

class ScriptTimeout {
 public:
  // Worker thread, about to run the script.
  ScriptTimeout(v8::Isolate* isolate, uint32_t ms)
      : isolate_(isolate), ms_(ms) {}
  ~ScriptTimeout() { (void)End(); }
  ScriptTimeout(const ScriptTimeout&) = delete;
  ScriptTimeout& operator=(const ScriptTimeout&) = delete;

  // False when there is no thread to be had.
  bool Start();
  // The script has ended. True if its time was up, so that V8 is, or will be,
  // told to terminate what runs.
  bool End() SW_EXCLUDES(mutex_);

 private:
  void Run() SW_EXCLUDES(mutex_);

  v8::Isolate* const isolate_;
  const uint32_t ms_;
  uv_thread_t thread_{};
  bool started_ = false;
  Mutex mutex_;
  CondVar changed_;
  bool ended_ SW_GUARDED_BY(mutex_) = false;
  bool fired_ SW_GUARDED_BY(mutex_) = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_SCRIPT_TIMEOUT_H_

// One V8 isolate without Node's own globals, in Node's process: its place in
// Node's platform, its memory limit, its foreground tasks. Created, used and
// destroyed on one worker thread.
//
// Order of life: allocate → register with the platform
// → initialise → … → close the task runner → unregister and dispose.
#ifndef SLOPPY_WORKERS_ISOLATE_ISOLATE_HOST_H_
#define SLOPPY_WORKERS_ISOLATE_ISOLATE_HOST_H_

#include <v8.h>

#include <atomic>
#include <memory>

#include "base/live.h"
#include "base/thread_stamp.h"
#include "isolate/bootstrap_code.h"
#include "isolate/libraries/library_state.h"
#include "isolate/memory_limit.h"
#include "isolate/platform_bridge.h"
#include "isolate/shared_texts.h"
#include "isolate/task_runner.h"

namespace sloppy::workers {

class IsolateHost {
 public:
  struct Options {
    size_t memory_limit_bytes;
    size_t stack_bytes;  // The calling thread's.
    // Called on the worker thread when V8 is out of memory for good. Must
    // not return.
    v8::OOMErrorCallback on_out_of_memory;
    bool short_lived = false;  // It is for one job.
    // Set when the code that runs is to end; outlives the isolate.
    const std::atomic<bool>* interrupted = nullptr;
  };

  // Addresses that V8 reserves for an isolate's code, since Node 26 for trusted
  // objects, and needs for its heap. Where there is less it ends the process,
  // or its thread for ever (see WorkerThread::OnOutOfMemory), so they are asked
  // for before.
#if (defined(__x86_64__) || defined(_M_X64)) && V8_MAJOR_VERSION >= 14
  static constexpr size_t kAddresses = size_t{800} << 20;
#elif defined(__x86_64__) || defined(_M_X64)
  static constexpr size_t kAddresses = size_t{544} << 20;
#else
  static constexpr size_t kAddresses = size_t{160} << 20;
#endif

  // Worker thread. `slot` is what SlotOf() gives back inside callbacks.
  // nullptr when there is no memory, or fewer addresses than kAddresses.
  static std::unique_ptr<IsolateHost> Create(const PlatformBridge& platform,
                                             TaskRunner::Waker* waker,
                                             void* slot,
                                             const Options& options);
  // Worker thread. REQUIRES: the isolate is not entered.
  ~IsolateHost();
  IsolateHost(const IsolateHost&) = delete;
  IsolateHost& operator=(const IsolateHost&) = delete;

  // Worker thread, asserted: every entry into V8 begins here.
  v8::Isolate* isolate() const {
    owner_.Check("V8 engine");
    return isolate_;
  }
  TaskRunner& tasks() { return *tasks_; }
  MemoryLimit& memory() { return memory_; }
  SharedTexts* texts() { return texts_.get(); }
  BootstrapCode* bootstrap() { return bootstrap_.get(); }

  static void* SlotOf(v8::Isolate* isolate) { return isolate->GetData(0); }

  // Worker thread, isolate entered, no JavaScript on the stack. Takes back a
  // termination and drops the microtasks that were waiting: they belong to
  // the job that was ended.
  void ClearTermination();

 private:
  IsolateHost(const PlatformBridge& platform, const Options& options)
      : platform_(platform),
        memory_(options.memory_limit_bytes, options.short_lived) {}

  Counted<Live::kIsolates> counted_;
  const ThreadStamp owner_;
  const PlatformBridge platform_;
  MemoryLimit memory_;
  std::shared_ptr<TaskRunner> tasks_;
  std::unique_ptr<PlatformBridge::Registration> registration_;
  v8::Isolate* isolate_ = nullptr;
  std::unique_ptr<SharedTexts> texts_;
  std::unique_ptr<BootstrapCode> bootstrap_;
  std::unique_ptr<LibraryState> libraries_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_ISOLATE_HOST_H_

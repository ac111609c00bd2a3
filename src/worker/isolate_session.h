// Holds all that lives and dies with one isolate of a worker: the isolate, its
// current realm, and what belongs to that realm.
//
// Invariants
// (1) Order of life: Open(), Show(), then for each realm OpenRealm() and
//     CloseRealm(), then Hide(), Close(). Open() may follow again.
// (2) Only the worker's thread calls it. Use() alone may be called by any
//     thread, and sees the isolate between Show() and Hide() only.
// (3) An isolate is not disposed of while Use() runs, because Hide() takes the
//     same mutex. That is a leaf lock, taken inside the pool's mutex.
// (4) realm(), modules() and timers() are nullptr outside of a realm.
//     modules() and rejections() are there while the context is made, because
//     V8 may call back.
//
// Held by: (1) (4) test/chaos, which renews isolates. (2) ThreadStamp, by
// IsolateHost::isolate(). (3) TSan over test/scenario/core-inspector-churn.js.
#ifndef SLOPPY_WORKERS_WORKER_ISOLATE_SESSION_H_
#define SLOPPY_WORKERS_WORKER_ISOLATE_SESSION_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "base/pages.h"
#include "isolate/isolate_host.h"
#include "isolate/modules/module_loader.h"
#include "worker/loop_timers.h"
#include "worker/realm.h"
#include "worker/rejections.h"

namespace sloppy::workers {

class IsolateSession {
 public:
  IsolateSession() = default;
  IsolateSession(const IsolateSession&) = delete;
  IsolateSession& operator=(const IsolateSession&) = delete;

  // False when there is no memory for an isolate. The arguments are those of
  // IsolateHost::Create().
  bool Open(const PlatformBridge& platform, TaskRunner::Waker* waker,
            void* slot, const IsolateHost::Options& options);
  void Close();

  // REQUIRES: the isolate is entered. Lends it the memory that jobs' inputs
  // are read from.
  void LendScratch();

  void Show() SW_EXCLUDES(mutex_) { SetShown(host_.get()); }
  void Hide() SW_EXCLUDES(mutex_) { SetShown(nullptr); }
  // Calls use(isolate, memory) if an isolate is shown.
  template <typename Function>
  void Use(Function use) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (shown_ != nullptr) use(shown_, *shown_memory_);
  }

  // False when execution was terminated or memory ran out meanwhile.
  bool OpenRealm(const PoolConfig& config);
  void CloseRealm();
  // Runs the runtime in the realm; see Realm::Start().
  bool StartRuntime(const PoolConfig& config, bool with_globals) {
    return realm_->Start(config, bootstrap(), scratch_, with_globals);
  }
  LoopTimers* KeepTimers(std::unique_ptr<LoopTimers> timers) {
    timers_ = std::move(timers);
    return timers_.get();
  }

  v8::Isolate* isolate() const { return host_->isolate(); }
  MemoryLimit& memory() const { return host_->memory(); }
  TaskRunner& tasks() { return host_->tasks(); }
  SharedTexts* texts() { return host_->texts(); }
  BootstrapCode* bootstrap() { return host_->bootstrap(); }
  void ClearTermination() { host_->ClearTermination(); }

  Realm* realm() const { return realm_.get(); }
  ModuleLoader* modules() const { return modules_.get(); }
  Rejections* rejections() const { return rejections_.get(); }
  // The counts of all realms until now. Any thread.
  const CodeCounts& code_counts() const { return code_counts_; }
  // nullptr until KeepTimers() in this realm.
  LoopTimers* timers() const { return timers_.get(); }

 private:
  void SetShown(IsolateHost* host) SW_EXCLUDES(mutex_);

  Mutex mutex_;
  v8::Isolate* shown_ SW_GUARDED_BY(mutex_) = nullptr;
  MemoryLimit* shown_memory_ SW_GUARDED_BY(mutex_) = nullptr;

  std::unique_ptr<IsolateHost> host_;
  // Used by one isolate after another. Most jobs touch few of these pages.
  std::optional<Pages> scratch_pages_;
  std::shared_ptr<v8::BackingStore> scratch_;
  CodeCounts code_counts_;
  std::unique_ptr<Realm> realm_;
  std::unique_ptr<ModuleLoader> modules_;
  std::unique_ptr<LoopTimers> timers_;
  std::unique_ptr<Rejections> rejections_;
  int32_t last_realm_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_ISOLATE_SESSION_H_

// Everything of one copy of the JavaScript layer in one environment (a Node
// main thread or a worker_threads Worker). There is no other state in the
// addon but caches, so it can be loaded any number of times, at once and one
// after the other.
//
// Owner thread only. Order of the end: refuse new work → drop the queued jobs →
// terminate the running ones → join the threads → release the threadsafe
// function → close the handles.
#ifndef SLOPPY_WORKERS_BINDING_ENV_STATE_H_
#define SLOPPY_WORKERS_BINDING_ENV_STATE_H_

#include <napi.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/live.h"
#include "base/protocol_gen.h"
#include "base/thread_stamp.h"
#include "binding/inbox.h"
#include "binding/literals.h"
#include "binding/owned_processes.h"
#include "binding/owner_loop.h"
#include "isolate/platform_bridge.h"
#include "isolate/shared_texts.h"
#include "pool/env_core.h"
#include "worker/worker_thread.h"

namespace sloppy::workers {

// A pool as its environment holds it.
struct PoolEntry {
  std::shared_ptr<PoolCore> core;
  std::vector<std::unique_ptr<WorkerThread>> threads;
  size_t max_workers = 1;  // Threads, the reserve among them.

  // The lowest that no living worker has, see WorkerThread::place.
  uint32_t FreePlace() const;
  // nullptr if it has ended.
  WorkerThread* ThreadOf(double number) const {
    for (const auto& thread : threads) {
      if (thread->number() == number) return thread.get();
    }
    return nullptr;
  }
};

class EnvState {
 public:
  // Owner. A new state, deleted when the environment ends. nullptr when Node
  // gives no platform.
  static EnvState* Create(napi_env env);
  ~EnvState();
  EnvState(const EnvState&) = delete;
  EnvState& operator=(const EnvState&) = delete;

  // Delivers to the owner's JavaScript.
  OwnerLoop& loop() { return *loop_; }

  uint32_t AddPool(PoolConfig config, const JobQueue::Options& limits,
                   std::unique_ptr<SubmitRing> ring);
  PoolEntry* FindPool(uint32_t id);
  // Starts a worker if the pool may have another; false when the system
  // gives no thread and the pool has none.
  bool StartWorker(PoolEntry* pool);
  // Called after a worker's exit event: joins it, and replaces it if there is
  // work. `pool` may be nullptr: gone already.
  void WorkerExited(PoolEntry* pool, PoolWorker* worker);
  // The job's worker does not react to its termination: it is no longer the
  // pool's, and its place is free.
  JobQueue::AbandonResult Abandon(PoolEntry* pool, Job* job);
  // The same for a worker that is stuck without a job.
  void GiveUp(PoolEntry* pool, WorkerThread* worker);
  void RemovePool(uint32_t id) { pools_.erase(id); }

  // Asserted at every call from JavaScript.
  void CheckOwner() const { owner_.Check("environment state"); }

  Job* JobAt(uint32_t slot) { return core_->jobs.At(slot); }
  EnvCore& core() { return *core_; }
  Inbox& inbox() { return *inbox_; }
  Literals& literals() { return literals_; }
  // Texts that workers put together, until the owner has read them.
  std::map<double, std::shared_ptr<InspectionText>>& inspected() {
    return inspected_;
  }
  OwnedProcesses& processes() { return processes_; }
  // The owner's.
  SharedTexts* texts() { return texts_.get(); }
  // A thread of ours still lives: the process must end without clean-up.
  bool any_left() const { return !left_.empty(); }
  // The exit code of the process if the environment ends with a thread left
  // over; -1 to end as usual.
  void set_exit_code(int code) { exit_code_ = code; }

  // Owner. Terminates the pool's threads, the leaving ones included.
  static void TerminateThreads(PoolEntry* pool);

  // Owner. Ends all pools and joins their threads; idempotent.
  void Shutdown();

  // Memory that is shared with the owner's JavaScript: see binding/delivery.cc.
  Napi::Reference<Napi::Value> js_memory;
  double* header = nullptr;
  double* scratch = nullptr;
  double* times = nullptr;
  const double* submit = nullptr;

  // The numbers that JavaScript has written for the call that runs.
  wire::SubmitArgs ReadSubmitArgs() const {
    wire::SubmitArgs args;
    std::memcpy(&args, submit, sizeof(args));
    return args;
  }

 private:
  EnvState() = default;
  using Threads = std::vector<std::unique_ptr<WorkerThread>>;

  Counted<Live::kEnvironments> counted_;

  void JoinAll();
  // Takes the worker out of the list; nullptr if it is not there.
  static std::unique_ptr<WorkerThread> Extract(Threads* threads,
                                               PoolWorker* worker);
  // Joins a thread that is over; one that sleeps for ever is kept.
  void Bury(std::unique_ptr<WorkerThread> thread);

  const ThreadStamp owner_;
  PlatformBridge platform_;
  std::shared_ptr<OwnerLoop> loop_;
  std::shared_ptr<EnvCore> core_;
  std::unique_ptr<Inbox> inbox_;
  std::unique_ptr<SharedTexts> texts_;
  std::map<double, std::shared_ptr<InspectionText>> inspected_;
  Literals literals_;
  OwnedProcesses processes_;
  std::unordered_map<uint32_t, PoolEntry> pools_;
  uint32_t last_pool_ = 0;
  bool ended_ = false;
  // Threads that could not be stopped; they use their objects.
  Threads left_;
  int exit_code_ = -1;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_ENV_STATE_H_

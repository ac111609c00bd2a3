// Everything of one copy of the JavaScript layer in one environment (a Node
// main thread or a worker_threads Worker). There is no other state in the
// addon but caches, so it can be loaded any number of times, at once and one
// after the other.
//
// Owner thread only, except WakeOwner(). Order of the end, nowhere else
// repeated: refuse new work → drop what is queued → terminate what runs →
// join the threads → release the threadsafe function.
#ifndef SLOPPY_WORKERS_BINDING_ENV_STATE_H_
#define SLOPPY_WORKERS_BINDING_ENV_STATE_H_

#include <napi.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "isolate/platform_bridge.h"
#include "pool/env_core.h"
#include "worker/worker_thread.h"

namespace sloppy::workers {

// A pool as its environment holds it.
struct PoolEntry {
  std::shared_ptr<PoolCore> core;
  std::vector<std::unique_ptr<WorkerThread>> threads;
  size_t max_workers = 1;
};

class EnvState final : public OwnerWaker {
 public:
  // Owner. A new state, deleted when the environment ends. nullptr when Node
  // gives no platform.
  static EnvState* Create(napi_env env);
  ~EnvState() override;
  EnvState(const EnvState&) = delete;
  EnvState& operator=(const EnvState&) = delete;

  // Sets the function that is called, on the owner, for each wake.
  bool Listen(napi_env env, napi_value callback);
  // Keeps the process alive while work is under way.
  void SetActive(napi_env env, bool active);

  uint32_t AddPool(PoolConfig config, size_t capacity, size_t max_workers);
  PoolEntry* FindPool(uint32_t id);
  // Starts a worker if the pool may have another; false when the system
  // gives no thread and the pool has none.
  bool StartWorker(PoolEntry* pool);
  // After a worker's exit event: joins it, and replaces it if there is work.
  void WorkerExited(PoolEntry* pool, PoolWorker* worker);
  void RemovePool(uint32_t id) { pools_.erase(id); }

  Job* JobAt(uint32_t slot);
  EnvCore& core() { return *core_; }
  bool any_given_up() const { return any_given_up_; }

  // Owner. Ends all pools and joins their threads; idempotent.
  void Shutdown();

  // Any thread.
  void WakeOwner() override;

  // What has arrived and is not yet delivered.
  JobList ready_jobs;
  std::vector<std::unique_ptr<WorkerEvent>> ready_events;
  size_t next_event = 0;
  // What the owner's JavaScript reads: see binding/delivery.cc.
  Napi::Reference<Napi::Value> js_memory;
  double* header = nullptr;
  double* scratch = nullptr;

 private:
  EnvState() = default;
  void JoinAll();

  PlatformBridge platform_;
  std::shared_ptr<EnvCore> core_;
  std::unordered_map<uint32_t, PoolEntry> pools_;
  std::vector<std::unique_ptr<Job>> jobs_;
  napi_threadsafe_function wake_ = nullptr;
  uint32_t last_pool_ = 0;
  bool ended_ = false;
  bool any_given_up_ = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_ENV_STATE_H_

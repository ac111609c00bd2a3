#include "binding/env_state.h"

#include <v8.h>

#include <utility>

#include "worker/uv_thread.h"

namespace sloppy::workers {
namespace {

// Owner. `env` is null while the environment is being torn down.
void CallOwner(napi_env env, napi_value callback, void*, void*) {
  if (env == nullptr || callback == nullptr) return;
  napi_value undefined;
  napi_get_undefined(env, &undefined);
  if (napi_call_function(env, undefined, callback, 0, nullptr, nullptr) ==
      napi_pending_exception) {
    // Ours is a defect, a listener's is the caller's: either way the
    // environment's uncaught exception, not a warning.
    napi_value thrown;
    napi_get_and_clear_last_exception(env, &thrown);
    napi_fatal_exception(env, thrown);
  }
}

}  // namespace

EnvState* EnvState::Create(napi_env env) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  auto platform = PlatformBridge::FromContext(isolate->GetCurrentContext());
  if (!platform.ok()) return nullptr;
  auto* state = new EnvState;
  state->platform_ = platform;
  state->core_ = std::make_shared<EnvCore>(state, std::make_unique<UvThread>());
  napi_add_env_cleanup_hook(
      env, [](void* self) { delete static_cast<EnvState*>(self); }, state);
  return state;
}

EnvState::~EnvState() {
  Shutdown();
  js_memory.Reset();
}

bool EnvState::Listen(napi_env env, napi_value callback) {
  napi_value name;
  if (napi_create_string_utf8(env, "sloppy-workers", NAPI_AUTO_LENGTH, &name) !=
          napi_ok ||
      napi_create_threadsafe_function(env, callback, nullptr, name, 0, 1,
                                      nullptr, nullptr, nullptr, CallOwner,
                                      &wake_) != napi_ok) {
    return false;
  }
  napi_unref_threadsafe_function(env, wake_);
  return true;
}

void EnvState::SetActive(napi_env env, bool active) {
  if (wake_ == nullptr) return;
  if (active) {
    napi_ref_threadsafe_function(env, wake_);
  } else {
    napi_unref_threadsafe_function(env, wake_);
  }
}

void EnvState::WakeOwner() {
  if (wake_ == nullptr) return;
  // napi_closing: the environment ends, and Shutdown() settles the rest.
  napi_call_threadsafe_function(wake_, nullptr, napi_tsfn_nonblocking);
}

uint32_t EnvState::AddPool(PoolConfig config, size_t capacity,
                           size_t max_workers) {
  config.id = ++last_pool_;
  PoolEntry entry;
  entry.max_workers = max_workers;
  entry.core = std::make_shared<PoolCore>(core_, std::move(config), capacity,
                                          max_workers);
  pools_.emplace(last_pool_, std::move(entry));
  return last_pool_;
}

PoolEntry* EnvState::FindPool(uint32_t id) {
  const auto found = pools_.find(id);
  return found == pools_.end() ? nullptr : &found->second;
}

bool EnvState::StartWorker(PoolEntry* pool) {
  if (ended_ || pool->threads.size() >= pool->max_workers) return true;
  auto thread = std::make_unique<WorkerThread>(pool->core, platform_);
  if (!thread->Start()) return !pool->threads.empty();
  pool->threads.push_back(std::move(thread));
  return true;
}

void EnvState::WorkerExited(PoolEntry* pool, PoolWorker* worker) {
  for (auto& thread : pool->threads) {
    if (thread.get() != worker) continue;
    if (thread->given_up()) {
      // Its stack still uses the object.
      any_given_up_ = true;
      (void)thread.release();
    } else {
      thread->Join();
    }
    std::erase(pool->threads, thread);
    break;
  }
  const JobQueue::Counts counts = pool->core->queue.GetCounts();
  if (counts.queued > 0 && counts.idle == 0) StartWorker(pool);
}

Job* EnvState::JobAt(uint32_t slot) {
  while (slot >= jobs_.size()) {
    auto job = std::make_unique<Job>();
    job->slot = static_cast<uint32_t>(jobs_.size());
    jobs_.push_back(std::move(job));
  }
  return jobs_[slot].get();
}

void EnvState::Shutdown() {
  if (ended_) return;
  ended_ = true;
  JobList dropped;
  for (auto& [id, pool] : pools_) {
    pool.core->queue.Close();
    pool.core->queue.DropQueued(&dropped);
    pool.core->queue.TerminateAll(Job::kShutdown);
  }
  JoinAll();
  pools_.clear();
  if (wake_ != nullptr) {
    napi_release_threadsafe_function(std::exchange(wake_, nullptr),
                                     napi_tsfn_abort);
  }
}

void EnvState::JoinAll() {
  for (auto& [id, pool] : pools_) {
    for (auto& thread : pool.threads) {
      thread->Join();
      if (thread->given_up()) {
        // Its stack still uses the object.
        any_given_up_ = true;
        (void)thread.release();
      }
    }
    pool.threads.clear();
  }
}

}  // namespace sloppy::workers

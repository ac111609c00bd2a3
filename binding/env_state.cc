#include "binding/env_state.h"

#include <v8.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/clock.h"
#include "isolate/v8_compat.h"
#include "worker/uv_thread.h"

namespace sloppy::workers {
namespace {

// The end of an environment takes a turn of its loop: handles close.
struct Ending {
  EnvState* state;
  napi_async_cleanup_hook_handle hook;
};

void OnEnvironmentEnd(napi_async_cleanup_hook_handle hook, void* data) {
  auto* state = static_cast<EnvState*>(data);
  state->Shutdown();
  state->loop().Close(
      [](void* ending_data) {
        auto* ending = static_cast<Ending*>(ending_data);
        delete ending->state;
        napi_remove_async_cleanup_hook(ending->hook);
        delete ending;
      },
      new Ending{state, hook});
}

}  // namespace

EnvState* EnvState::Create(napi_env env) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  auto platform = PlatformBridge::FromContext(isolate->GetCurrentContext());
  if (!platform.ok()) return nullptr;
  PrepareProcess();
  auto* state = new EnvState;
  state->platform_ = platform;
  state->loop_ = std::make_shared<OwnerLoop>();
  state->core_ =
      std::make_shared<EnvCore>(state->loop_, std::make_unique<UvThread>());
  state->inbox_ = std::make_unique<Inbox>(&state->core_->completions);
  state->texts_ = std::make_unique<SharedTexts>(isolate, true);
  napi_add_async_cleanup_hook(env, OnEnvironmentEnd, state, nullptr);
  return state;
}

EnvState::~EnvState() {
  Shutdown();
  texts_.reset();
  if (!left_.empty() && exit_code_ >= 0) {
    // Tearing V8 down under a thread that executes would crash; everything
    // that had to run before the end has run.
    std::_Exit(exit_code_);
  }
  // Their objects must stay for as long as they run.
  for (auto& thread : left_) (void)thread.release();
}

uint32_t EnvState::AddPool(PoolConfig config, const JobQueue::Options& limits,
                           std::unique_ptr<SubmitRing> ring) {
  config.id = ++last_pool_;
  PoolEntry entry;
  entry.max_workers = limits.max_workers + limits.reserve;
  entry.core = std::make_shared<PoolCore>(core_, std::move(config), limits,
                                          std::move(ring));
  pools_.emplace(last_pool_, std::move(entry));
  return last_pool_;
}

PoolEntry* EnvState::FindPool(uint32_t id) {
  const auto found = pools_.find(id);
  return found == pools_.end() ? nullptr : &found->second;
}

uint32_t PoolEntry::FreePlace() const {
  for (uint32_t place = 1;; ++place) {
    const auto has_it = [place](const auto& thread) {
      return thread->place() == place;
    };
    if (std::none_of(threads.begin(), threads.end(), has_it)) return place;
  }
}

bool EnvState::StartWorker(PoolEntry* pool) {
  if (ended_ || pool->threads.size() >= pool->max_workers) return true;
  auto thread =
      std::make_unique<WorkerThread>(pool->core, platform_, pool->FreePlace());
  if (!thread->Start()) return !pool->threads.empty();
  pool->threads.push_back(std::move(thread));
  return true;
}

std::unique_ptr<WorkerThread> EnvState::Extract(Threads* threads,
                                                PoolWorker* worker) {
  for (auto it = threads->begin(); it != threads->end(); ++it) {
    if (it->get() != worker) continue;
    auto found = std::move(*it);
    threads->erase(it);
    return found;
  }
  return nullptr;
}

void EnvState::Bury(std::unique_ptr<WorkerThread> thread) {
  if (thread->given_up()) {
    left_.push_back(std::move(thread));
  } else {
    thread->Join();
  }
}

void EnvState::WorkerExited(PoolEntry* pool, PoolWorker* worker) {
  auto thread = pool == nullptr ? nullptr : Extract(&pool->threads, worker);
  if (thread == nullptr) thread = Extract(&left_, worker);
  if (thread != nullptr) Bury(std::move(thread));
  if (pool == nullptr) return;
  const JobQueue::Counts counts = pool->core->queue.GetCounts();
  if (counts.queued > 0 && counts.idle == 0) StartWorker(pool);
}

JobQueue::AbandonResult EnvState::Abandon(PoolEntry* pool, Job* job) {
  PoolWorker* worker = nullptr;
  const JobQueue::AbandonResult given = pool->core->queue.Abandon(job, &worker);
  if (given != JobQueue::AbandonResult::kAbandoned) return given;
  auto thread = Extract(&pool->threads, worker);
  if (thread != nullptr) left_.push_back(std::move(thread));
  if (pool->core->queue.GetCounts().queued > 0) StartWorker(pool);
  return given;
}

void EnvState::GiveUp(PoolEntry* pool, WorkerThread* worker) {
  pool->core->queue.GiveUp(worker);
  auto thread = Extract(&pool->threads, worker);
  if (thread != nullptr) left_.push_back(std::move(thread));
}

void EnvState::Shutdown() {
  if (ended_) return;
  ended_ = true;
  JobList dropped;
  for (auto& [id, pool] : pools_) {
    pool.core->queue.Close();
    pool.core->queue.DropQueued(&dropped);
    TerminateThreads(&pool);
  }
  JoinAll();
  pools_.clear();
}

void EnvState::TerminateThreads(PoolEntry* pool) {
  pool->core->queue.TerminateAll(End::kShutdown);
  // Workers that clear up before they leave are no members any more.
  for (auto& thread : pool->threads) thread->Terminate();
}

void EnvState::JoinAll() {
  // Threads end within milliseconds of their termination, unless their code
  // never looks for one.
  constexpr int kPatienceMs = 2000;
  for (auto& [id, pool] : pools_) {
    for (auto& thread : pool.threads) left_.push_back(std::move(thread));
    pool.threads.clear();
  }
  Threads waiting = std::exchange(left_, {});
  const int64_t until = MonotonicNow() + int64_t{kPatienceMs} * 1'000'000;
  for (auto& thread : waiting) {
    while (!thread->finished() && !thread->given_up() &&
           MonotonicNow() < until) {
      uv_sleep(1);
    }
    if (thread->finished()) {
      thread->Join();
    } else {
      left_.push_back(std::move(thread));
    }
  }
}

}  // namespace sloppy::workers

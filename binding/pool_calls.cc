#include "binding/pool_calls.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "base/cpu.h"
#include "base/pages.h"
#include "binding/arguments.h"
#include "isolate/shared_value_v8.h"

namespace sloppy::workers {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double NumberIn(const Napi::Object& options, const char* name,
                double fallback) {
  const Napi::Value value = options.Get(name);
  return value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : fallback;
}

// The ring has pages of its own: a pool that has run few jobs has touched few
// of them.
v8::Local<v8::ArrayBuffer> NewRingMemory(v8::Isolate* isolate) {
  void* pages = TakePages(SubmitRing::kBytes);
  if (pages == nullptr) {
    return v8::ArrayBuffer::New(isolate, SubmitRing::kBytes);
  }
  return v8::ArrayBuffer::New(
      isolate,
      v8::ArrayBuffer::NewBackingStore(
          pages, SubmitRing::kBytes,
          [](void* memory, size_t bytes, void*) { GivePages(memory, bytes); },
          nullptr));
}

// createPool(options) → { id, ring }: see pool/job_queue.h, pool/submit_ring.h.
// The options are the pool's, by their `native` names in
// lib/options/options.json, and those that
// lib/executors/isolate/pool-options.js adds. With `starts` the first worker
// starts at once.
Napi::Value CreatePool(const Napi::CallbackInfo& info) {
  const auto options = info[0].As<Napi::Object>();
  PoolConfig config;
  config.memory_limit_bytes = Count(NumberIn(options, "memoryLimitMb", 128))
                              << 20;
  config.max_module_bytes = Count(NumberIn(options, "maxModuleBytes", 8 << 20));
  const Napi::Value code = options.Get("codeCache");
  if (code.IsString()) config.code_directory = code.ToString().Utf8Value();
  config.max_result_bytes = NumberIn(options, "maxResultBytes", kInfinity);
  config.max_microtasks = Count(NumberIn(options, "maxMicrotasks", 1e6));
  config.spin_ns = Nanoseconds(NumberIn(options, "spinMs", 0));
  config.grace_ns = Nanoseconds(NumberIn(options, "graceMs", 0));
  config.cpu_limit_ns = Nanoseconds(NumberIn(options, "cpuLimitMs", kInfinity));
  config.jobs_per_worker = Count(NumberIn(options, "jobsPerWorker", 1));
  config.isolation = static_cast<Isolation>(NumberIn(options, "isolation", 0));
  config.late_runtime = options.Get("lateRuntime").ToBoolean();
  config.allow_eval = options.Get("allowEval").ToBoolean();
  config.allow_wasm = options.Get("allowWasm").ToBoolean();
  config.nice = static_cast<int>(NumberIn(options, "nice", 0));
  config.recycle_after_jobs = NumberIn(options, "recycleAfterJobs", kInfinity);
  config.recycle_above_bytes =
      NumberIn(options, "recycleAboveMb", kInfinity) * (1 << 20);
  config.announce_idle = options.Get("announceIdle").ToBoolean();
  config.ends_with_isolate = options.Get("endsWithIsolate").ToBoolean();
  config.realm_options =
      options.Get("realmOptions").As<Napi::String>().Utf16Value();
  config.system_numbers =
      options.Get("systemNumbers").As<Napi::String>().Utf16Value();
  v8::Local<v8::ArrayBuffer> memory = NewRingMemory(v8::Isolate::GetCurrent());
  auto ring =
      std::make_unique<SubmitRing>(memory->GetBackingStore(), memory->Data(),
                                   config.grace_ns, config.cpu_limit_ns);
  const bool shared = config.jobs_per_worker > 1;
  const uint32_t id = StateOf(info)->AddPool(
      std::move(config),
      {.capacity = Count(NumberIn(options, "capacity", 64)),
       .max_workers = Count(NumberIn(options, "workers", 1)),
       .reserve = Count(NumberIn(options, "reserve", 0)),
       .shared = shared,
       .order = {.aging = Nanoseconds(NumberIn(options, "agingMs", kInfinity)),
                 .deadline_first = options.Get("deadlineFirst").ToBoolean()}},
      std::move(ring));
  PoolEntry* pool = StateOf(info)->FindPool(id);
  pool->core->name.Set(options.Get("name").ToString().Utf8Value());
  pool->core->process_facts.Set(
      options.Get("processFacts").As<Napi::String>().Utf16Value());
  if (options.Get("starts").ToBoolean()) StateOf(info)->StartWorker(pool);
  auto made = Napi::Object::New(info.Env());
  made["id"] = Napi::Number::New(info.Env(), id);
  made["ring"] = Napi::Value(info.Env(), FromV8(memory));
  return made;
}

// hasLightFence(): whether the writer of a ring needs no barrier from now on.
Napi::Value LightFenceIsThere(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), HasLightFence());
}

// prestart(pool, count): workers up to `count`.
Napi::Value Prestart(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return info.Env().Undefined();
  const auto count = Count(NumberAt(info, 1));
  bool ok = true;
  while (ok && pool->threads.size() < std::min(count, pool->max_workers)) {
    ok = StateOf(info)->StartWorker(pool);
  }
  return Napi::Boolean::New(info.Env(), ok);
}

// rename(pool, name): a spare has its pool.
void Rename(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) pool->core->name.Set(info[1].ToString().Utf8Value());
}

// setProcessFacts(pool, text): for realms that have not asked for them yet.
void SetProcessFacts(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return;
  pool->core->process_facts.Set(info[1].As<Napi::String>().Utf16Value());
}

// pause(pool, paused)
void Pause(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return;
  pool->core->queue.SetPaused(info[1].ToBoolean());
  if (!info[1].ToBoolean()) {
    const JobQueue::Counts counts = pool->core->queue.GetCounts();
    for (size_t i = counts.idle; i < counts.queued; ++i) {
      if (pool->threads.size() >= pool->max_workers) break;
      StateOf(info)->StartWorker(pool);
    }
  }
}

// setListens(pool, listens): to errors that nothing in a worker caught.
void SetListens(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) pool->core->owner_listens = info[1].ToBoolean();
}

// setHears(pool, hears): what workers print.
void SetHears(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) pool->core->owner_hears = info[1].ToBoolean();
}

// setInitData(pool, kind, number, slots, slotCount, text, more) → boolean;
// before the first worker.
Napi::Value SetInitData(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  return Napi::Boolean::New(
      info.Env(),
      pool != nullptr &&
          ReadParts(StateOf(info)->texts(), isolate->GetCurrentContext(),
                    PartsAt(info, 1), &pool->core->init_data));
}

// share(pool, number, kind, number, slots, slotCount, text, more) → bytes, or
// -1 without memory.
Napi::Value Share(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return Napi::Number::New(info.Env(), -1);
  const auto value = ReadSharedValue(
      StateOf(info)->texts(), v8::Isolate::GetCurrent()->GetCurrentContext(),
      PartsAt(info, 2));
  if (value == nullptr) return Napi::Number::New(info.Env(), -1);
  pool->core->shared.Add(static_cast<uint32_t>(NumberAt(info, 1)), value);
  return Napi::Number::New(info.Env(), static_cast<double>(value->bytes));
}

// unshare(pool, number)
void Unshare(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return;
  pool->core->shared.Drop(static_cast<uint32_t>(NumberAt(info, 1)));
}

// sharedTaken(pool) → how often workers have decoded what is shared.
Napi::Value SharedTaken(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  return Napi::Number::New(
      info.Env(),
      pool == nullptr ? 0 : static_cast<double>(pool->core->shared.taken()));
}

// resize(pool, workers)
void Resize(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return;
  pool->max_workers = pool->core->queue.SetMaxWorkers(Count(NumberAt(info, 1)));
  const JobQueue::Counts counts = pool->core->queue.GetCounts();
  for (size_t i = counts.idle; i < counts.queued; ++i) {
    if (pool->threads.size() >= pool->max_workers) break;
    StateOf(info)->StartWorker(pool);
  }
}

// trim(pool, keep): idle workers leave until `keep` are left.
void Trim(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) {
    pool->core->queue.Trim(Count(NumberAt(info, 1)));
  }
}

// recycle(pool): the workers that live leave, each after its jobs.
void Recycle(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) pool->core->queue.Recycle();
}

// needRuntime(pool): its jobs will need the runtime, see WorkerThread::Serve.
void NeedRuntime(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) pool->core->uses_runtime.store(true);
}

// close(pool): nothing more is admitted, workers leave when it is empty.
void Close(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) pool->core->queue.Close();
}

// terminate(pool) → jobs that were running.
Napi::Value Terminate(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  const size_t count =
      pool == nullptr ? 0 : pool->core->queue.TerminateAll(End::kShutdown);
  return Napi::Number::New(info.Env(), static_cast<double>(count));
}

// endNow(pool): as terminate, leaving workers included.
void EndNow(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) EnvState::TerminateThreads(pool);
}

// giveUp(pool, worker): it does not react to its termination.
void GiveUp(const Napi::CallbackInfo& info) {
  WorkerThread* thread = ThreadAt(info, 1);
  if (thread != nullptr) StateOf(info)->GiveUp(PoolAt(info, 0), thread);
}

// startForQueued(pool): another worker if jobs wait and none is idle.
void StartForQueued(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return;
  const JobQueue::Counts counts = pool->core->queue.GetCounts();
  if (counts.queued > counts.idle) StateOf(info)->StartWorker(pool);
}

// workers(pool) → threads that live.
Napi::Value Workers(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  return Napi::Number::New(
      info.Env(),
      pool == nullptr ? 0 : static_cast<double>(pool->threads.size()));
}

// counts(pool) → [queued, running, workers]
Napi::Value Counts(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  JobQueue::Counts counts;
  if (pool != nullptr) counts = pool->core->queue.GetCounts();
  auto row = Napi::Array::New(info.Env(), 3);
  row.Set(0u, static_cast<double>(counts.queued));
  row.Set(1u, static_cast<double>(counts.running));
  row.Set(2u, static_cast<double>(counts.workers));
  return row;
}

// dispose(pool): REQUIRES workers(pool) === 0.
void Dispose(const Napi::CallbackInfo& info) {
  StateOf(info)->RemovePool(static_cast<uint32_t>(NumberAt(info, 0)));
}

}  // namespace

void ExportPoolCalls(Napi::Env env, Napi::Object exports, EnvState* state) {
  const auto add = [&](const char* name, auto callback) {
    exports[name] = Napi::Function::New(env, callback, name, state);
  };
  add("createPool", CreatePool);
  add("hasLightFence", LightFenceIsThere);
  add("prestart", Prestart);
  add("rename", Rename);
  add("setProcessFacts", SetProcessFacts);
  add("pause", Pause);
  add("setInitData", SetInitData);
  add("share", Share);
  add("unshare", Unshare);
  add("sharedTaken", SharedTaken);
  add("setListens", SetListens);
  add("setHears", SetHears);
  add("resize", Resize);
  add("trim", Trim);
  add("recycle", Recycle);
  add("needRuntime", NeedRuntime);
  add("close", Close);
  add("terminate", Terminate);
  add("endNow", EndNow);
  add("giveUp", GiveUp);
  add("startForQueued", StartForQueued);
  add("workers", Workers);
  add("counts", Counts);
  add("dispose", Dispose);
}

}  // namespace sloppy::workers

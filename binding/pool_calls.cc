#include "binding/pool_calls.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/tsan.h"
#include "binding/napi_v8.h"
#include "isolate/payload_v8.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Answers of submit(), shared with lib/internal/native-pool.js.
enum SubmitAnswer { kQueued, kFull, kClosed, kNoThread, kNoMemory };

EnvState* StateOf(const Napi::CallbackInfo& info) {
  auto* state = static_cast<EnvState*>(info.Data());
  state->CheckOwner();
  return state;
}

// Beside those for V8's own functions.
using workers::NumberAt;
using workers::PartsAt;

double NumberAt(const Napi::CallbackInfo& info, size_t index) {
  return NumberArgument(info[index]);
}

PoolEntry* PoolAt(const Napi::CallbackInfo& info, size_t index) {
  return StateOf(info)->FindPool(static_cast<uint32_t>(NumberAt(info, index)));
}

// Milliseconds as nanoseconds; kNever for what is not finite.
int64_t Nanoseconds(double ms) {
  if (!std::isfinite(ms) || ms > 1e12) return kNever;
  return static_cast<int64_t>(ms * 1e6);
}

double NumberIn(const Napi::Object& options, const char* name,
                double fallback) {
  const Napi::Value value = options.Get(name);
  return value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : fallback;
}

// createPool({ memoryLimitMb, maxModuleBytes, maxMicrotasks, spinMs,
// graceMs, cpuLimitMs, jobsPerWorker, isolation, allowEval, allowWasm,
// recycleAfterJobs, recycleAboveMb, announceIdle, realmOptions, capacity,
// workers, starts }) → { id, ring, lightFence }: see pool/submit_ring.h. With
// `starts` the first worker starts at once.
Napi::Value CreatePool(const Napi::CallbackInfo& info) {
  const auto options = info[0].As<Napi::Object>();
  PoolConfig config;
  config.memory_limit_bytes =
      static_cast<size_t>(NumberIn(options, "memoryLimitMb", 128)) << 20;
  config.max_module_bytes =
      static_cast<size_t>(NumberIn(options, "maxModuleBytes", 8 << 20));
  config.max_microtasks =
      static_cast<size_t>(NumberIn(options, "maxMicrotasks", 1e6));
  config.spin_ns = Nanoseconds(NumberIn(options, "spinMs", 0));
  config.grace_ns = Nanoseconds(NumberIn(options, "graceMs", 0));
  config.cpu_limit_ns = Nanoseconds(NumberIn(options, "cpuLimitMs", kInfinity));
  config.jobs_per_worker =
      static_cast<size_t>(NumberIn(options, "jobsPerWorker", 1));
  config.isolation = static_cast<Isolation>(NumberIn(options, "isolation", 0));
  config.allow_eval = options.Get("allowEval").ToBoolean();
  config.allow_wasm = options.Get("allowWasm").ToBoolean();
  config.recycle_after_jobs = NumberIn(options, "recycleAfterJobs", kInfinity);
  config.recycle_above_bytes =
      NumberIn(options, "recycleAboveMb", kInfinity) * (1 << 20);
  config.announce_idle = options.Get("announceIdle").ToBoolean();
  config.ends_with_isolate = options.Get("endsWithIsolate").ToBoolean();
  config.realm_options =
      options.Get("realmOptions").As<Napi::String>().Utf16Value();
  v8::Local<v8::ArrayBuffer> memory =
      v8::ArrayBuffer::New(v8::Isolate::GetCurrent(), SubmitRing::kBytes);
  auto ring =
      std::make_unique<SubmitRing>(memory->GetBackingStore(), memory->Data(),
                                   config.grace_ns, config.cpu_limit_ns);
  const bool shared = config.jobs_per_worker > 1;
  const uint32_t id = StateOf(info)->AddPool(
      std::move(config),
      {static_cast<size_t>(NumberIn(options, "capacity", 64)),
       static_cast<size_t>(NumberIn(options, "workers", 1)),
       static_cast<size_t>(NumberIn(options, "reserve", 0)), shared},
      std::move(ring));
  if (options.Get("starts").ToBoolean()) {
    StateOf(info)->StartWorker(StateOf(info)->FindPool(id));
  }
  auto made = Napi::Object::New(info.Env());
  made["id"] = Napi::Number::New(info.Env(), id);
  made["ring"] = Napi::Value(info.Env(), FromV8(memory));
  made["lightFence"] = Napi::Boolean::New(info.Env(), HasLightFence());
  return made;
}

EncodedParts PartsAt(const Napi::CallbackInfo& info, size_t first) {
  EncodedParts parts;
  parts.kind = static_cast<int>(NumberAt(info, first));
  parts.number = NumberAt(info, first + 1);
  parts.slots = ToV8(info[first + 2]);
  parts.slot_count = static_cast<uint32_t>(NumberAt(info, first + 3));
  parts.text = ToV8(info[first + 4]);
  parts.more = ToV8(info[first + 5]);
  return parts;
}

// What became of a job that the queue has, or has not, taken.
SubmitAnswer Answer(EnvState* state, PoolEntry* pool, Job* job,
                    const JobQueue::Submitted& submitted) {
  if (submitted.admission == JobQueue::Admission::kFull) return kFull;
  if (submitted.admission == JobQueue::Admission::kClosed) return kClosed;
  if (submitted.woke) {
    state->core().watchdog.Arm(MonotonicNow() + JobQueue::kLookEvery);
  }
  if (submitted.wants_worker && !state->StartWorker(pool)) {
    // Nobody will ever take it.
    int64_t next_check = kNever;
    if (pool->core->queue.Cancel(job, Job::kShutdown, 0, &next_check) ==
        JobQueue::Removal::kRemoved) {
      return kNoThread;
    }
  }
  return kQueued;
}

SubmitAnswer SubmitJob(EnvState* state, const FastInfo& info) {
  PoolEntry* pool = state->FindPool(static_cast<uint32_t>(NumberAt(info, 0)));
  if (pool == nullptr) return kClosed;
  Job* job = state->JobAt(static_cast<uint32_t>(NumberAt(info, 1)));
  if (!ReadParts(state->texts(), info.GetIsolate()->GetCurrentContext(),
                 PartsAt(info, 3), &job->payload)) {
    return kNoMemory;
  }
  job->Renew();
  job->entry = static_cast<uint32_t>(NumberAt(info, 2));
  const int64_t remaining = Nanoseconds(NumberAt(info, 9));
  if (remaining != kNever) job->deadline = MonotonicNow() + remaining;
  job->grace = pool->core->config.grace_ns;
  job->cpu_limit = pool->core->config.cpu_limit_ns;
  job->priority = static_cast<uint8_t>(NumberAt(info, 10));
  job->mode = static_cast<uint8_t>(NumberAt(info, 11));
  if ((job->mode & Job::kTimed) != 0) job->times = {MonotonicNow()};
  state->loop().Touch();
  const SubmitAnswer answer =
      Answer(state, pool, job, pool->core->queue.Submit(job));
  if (answer != kQueued) job->payload.Clear();
  return answer;
}

// submit(pool, slot, entry, kind, number, slots, slotCount, text, more,
//        remainingMs, priority, mode) → SubmitAnswer
void Submit(const FastInfo& info) {
  auto* state = static_cast<EnvState*>(DataOf(info));
  state->CheckOwner();
  const BeforeScriptGoesOn before(&state->core().jobs);
  info.GetReturnValue().Set(static_cast<uint32_t>(SubmitJob(state, info)));
}

// kick(pool, slot) → SubmitAnswer for the job that was last written to the
// pool's ring.
void Kick(const FastInfo& info) {
  auto* state = static_cast<EnvState*>(DataOf(info));
  state->CheckOwner();
  PoolEntry* pool = state->FindPool(static_cast<uint32_t>(NumberAt(info, 0)));
  SubmitAnswer answer = kClosed;
  if (pool != nullptr) {
    answer = Answer(state, pool,
                    state->JobAt(static_cast<uint32_t>(NumberAt(info, 1))),
                    pool->core->queue.Kick());
  }
  info.GetReturnValue().Set(static_cast<uint32_t>(answer));
}

// makeSlot(slot): its job exists from now on.
void MakeSlot(const Napi::CallbackInfo& info) {
  StateOf(info)->JobAt(static_cast<uint32_t>(NumberAt(info, 0)));
}

// cancel(pool, slot, why) → JobQueue::Removal
Napi::Value Cancel(const Napi::CallbackInfo& info) {
  EnvState* state = StateOf(info);
  const BeforeScriptGoesOn before(&state->core().jobs);
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) {
    return Napi::Number::New(info.Env(),
                             static_cast<int>(JobQueue::Removal::kGone));
  }
  Job* job = state->JobAt(static_cast<uint32_t>(NumberAt(info, 1)));
  int64_t next_check = kNever;
  const JobQueue::Removal removal =
      pool->core->queue.Cancel(job, static_cast<Job::Cancel>(NumberAt(info, 2)),
                               MonotonicNow(), &next_check);
  if (next_check != kNever) state->core().watchdog.Arm(next_check);
  if (removal == JobQueue::Removal::kRemoved) job->payload.Clear();
  return Napi::Number::New(info.Env(), static_cast<int>(removal));
}

// A worker by its number, also one that is leaving: its modules clear up.
bool DeliverToThread(PoolEntry* pool, int64_t number,
                     std::unique_ptr<Mail> mail) {
  for (auto& thread : pool->threads) {
    if (thread->number() != number) continue;
    thread->PostMail(std::move(mail));
    return true;
  }
  return false;
}

// mail(pool, target, channel, kind, number, slots, slotCount, text, more)
// → whether somebody was there to receive it. `target`: a job's slot, or minus
// the number of a worker, or -Infinity for the oldest worker.
Napi::Value SendMail(const Napi::CallbackInfo& info) {
  EnvState* state = StateOf(info);
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return Napi::Boolean::New(info.Env(), false);
  auto mail = std::make_unique<Mail>();
  const double target = NumberAt(info, 1);
  if (target >= 0) mail->job_slot = static_cast<int64_t>(target);
  mail->channel = static_cast<uint32_t>(NumberAt(info, 2));
  const EncodedParts parts = PartsAt(info, 3);
  Job* job = mail->job_slot == Mail::kWorker
                 ? nullptr
                 : state->JobAt(static_cast<uint32_t>(mail->job_slot));
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  bool sent = ReadParts(state->texts(), isolate->GetCurrentContext(), parts,
                        &mail->payload);
  if (sent) {
    JobQueue& queue = pool->core->queue;
    sent = job != nullptr ? queue.Deliver(job, std::move(mail))
           : std::isinf(target)
               ? queue.DeliverToWorker(std::move(mail))
               : DeliverToThread(pool, static_cast<int64_t>(-target),
                                 std::move(mail));
  }
  return Napi::Boolean::New(info.Env(), sent);
}

// prestart(pool, count): workers up to `count`.
Napi::Value Prestart(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return info.Env().Undefined();
  const auto count = static_cast<size_t>(NumberAt(info, 1));
  bool ok = true;
  while (ok && pool->threads.size() < std::min(count, pool->max_workers)) {
    ok = StateOf(info)->StartWorker(pool);
  }
  return Napi::Boolean::New(info.Env(), ok);
}

// expect(pool): a job is about to be submitted.
void Expect(const Napi::CallbackInfo& info) {
  // An owner that takes longer has something else in between.
  constexpr int64_t kSoon = 300'000;
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) pool->core->queue.Expect(MonotonicNow() + kSoon);
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

// setListens(pool, listens): to what nobody in a worker caught.
void SetListens(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) pool->core->owner_listens = info[1].ToBoolean();
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

WorkerThread* ThreadAt(const Napi::CallbackInfo& info, size_t index) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return nullptr;
  for (auto& thread : pool->threads) {
    if (thread->number() == NumberAt(info, index)) return thread.get();
  }
  return nullptr;
}

// workerNumbers(pool) → those of the threads that live.
Napi::Value WorkerNumbers(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  Napi::Array numbers = Napi::Array::New(info.Env());
  if (pool == nullptr) return numbers;
  uint32_t at = 0;
  for (auto& thread : pool->threads) numbers.Set(at++, thread->number());
  return numbers;
}

// inspect(pool, worker, kind, id, path): answered by a message of the channel
// kInspected while the worker lives.
void Inspect(const Napi::CallbackInfo& info) {
  WorkerThread* thread = ThreadAt(info, 1);
  if (thread == nullptr) return;
  thread->Inspect({static_cast<Inspection::Kind>(NumberAt(info, 2)),
                   NumberAt(info, 3), info[4].As<Napi::String>().Utf8Value()});
}

// figures(pool, worker) → [heapUsed, heapTotal, external, cpuNanoseconds] as
// of the last inspection, or undefined.
Napi::Value FiguresOf(const Napi::CallbackInfo& info) {
  const WorkerThread* thread = ThreadAt(info, 1);
  if (thread == nullptr) return info.Env().Undefined();
  const Inspection::Figures& figures = thread->figures();
  Napi::Array row = Napi::Array::New(info.Env(), 4);
  row.Set(0u, static_cast<double>(figures.heap_used));
  row.Set(1u, static_cast<double>(figures.heap_total));
  row.Set(2u, static_cast<double>(figures.external));
  row.Set(3u, static_cast<double>(thread->CpuTime()));
  return row;
}

// resize(pool, workers)
void Resize(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool == nullptr) return;
  const auto workers = static_cast<size_t>(NumberAt(info, 1));
  pool->max_workers = workers + pool->reserve;
  pool->core->queue.SetMaxWorkers(workers);
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
    pool->core->queue.Trim(static_cast<size_t>(NumberAt(info, 1)));
  }
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
      pool == nullptr ? 0 : pool->core->queue.TerminateAll(Job::kShutdown);
  return Napi::Number::New(info.Env(), static_cast<double>(count));
}

// endNow(pool): as terminate, leaving workers included.
void EndNow(const Napi::CallbackInfo& info) {
  PoolEntry* pool = PoolAt(info, 0);
  if (pool != nullptr) EnvState::TerminateThreads(pool);
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

// clock() → MonotonicNow() in milliseconds
Napi::Value Clock(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(),
                           static_cast<double>(MonotonicNow()) / 1e6);
}

// dispose(pool): REQUIRES workers(pool) === 0.
void Dispose(const Napi::CallbackInfo& info) {
  StateOf(info)->RemovePool(static_cast<uint32_t>(NumberAt(info, 0)));
}

// defineEntry(kind, text, name) → id
Napi::Value DefineEntry(const Napi::CallbackInfo& info) {
  auto entry = std::make_shared<Entry>();
  entry->kind = static_cast<Entry::Kind>(NumberAt(info, 0));
  entry->name = info[2].As<Napi::String>().Utf8Value();
  if (!ReadText(v8::Isolate::GetCurrent(), ToV8(info[1]).As<v8::String>(),
                &entry->text)) {
    return Napi::Number::New(info.Env(), 0);
  }
  return Napi::Number::New(info.Env(),
                           StateOf(info)->core().entries.Define(entry));
}

// dropEntry(id): REQUIRES no job that names it is under way.
void DropEntry(const Napi::CallbackInfo& info) {
  StateOf(info)->core().entries.Drop(static_cast<uint32_t>(NumberAt(info, 0)));
}

// defineShape(text) → id or -1
Napi::Value DefineShape(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(),
                           StateOf(info)->core().shapes.Define(
                               info[0].As<Napi::String>().Utf16Value()));
}

// shapeText(id) → text
Napi::Value ShapeText(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(),
                           StateOf(info)->core().shapes.Lookup(
                               static_cast<int32_t>(NumberAt(info, 0))));
}

// listen(callback, spinMs) → whether the loop could be had.
Napi::Value Listen(const Napi::CallbackInfo& info) {
  EnvState* state = StateOf(info);
  return Napi::Boolean::New(
      info.Env(), state->loop().Open(info.Env(), info[0], &state->inbox(),
                                     Nanoseconds(NumberAt(info, 1))));
}

// setActive(active)
void SetActive(const Napi::CallbackInfo& info) {
  StateOf(info)->loop().SetActive(ToV8(info[0])->IsTrue());
}

// shutdown(exitCode) → whether a thread is left that could not be stopped.
// An exit code of -1 stands for an environment that is not the process.
Napi::Value Shutdown(const Napi::CallbackInfo& info) {
  StateOf(info)->set_exit_code(static_cast<int>(NumberAt(info, 0)));
  StateOf(info)->Shutdown();
  return Napi::Boolean::New(info.Env(), StateOf(info)->any_left());
}

// exitNow(code): ends the process without tearing it down.
void ExitNow(const Napi::CallbackInfo& info) {
  std::_Exit(static_cast<int>(NumberAt(info, 0)));
}

// abandon(pool, slot) → JobQueue::Given
Napi::Value Abandon(const Napi::CallbackInfo& info) {
  EnvState* state = StateOf(info);
  PoolEntry* pool = PoolAt(info, 0);
  auto given = JobQueue::Given::kOver;
  if (pool != nullptr) {
    given = state->Abandon(
        pool, state->JobAt(static_cast<uint32_t>(NumberAt(info, 1))));
  }
  return Napi::Number::New(info.Env(), static_cast<double>(given));
}

// isLost(pool, slot) → whether the job's worker was abandoned.
Napi::Value IsLost(const Napi::CallbackInfo& info) {
  EnvState* state = StateOf(info);
  PoolEntry* pool = PoolAt(info, 0);
  return Napi::Boolean::New(
      info.Env(),
      pool != nullptr && pool->core->queue.IsLost(state->JobAt(
                             static_cast<uint32_t>(NumberAt(info, 1)))));
}

}  // namespace

void ExportPoolCalls(Napi::Env env, Napi::Object exports, EnvState* state) {
  const auto add = [&](const char* name, auto callback) {
    exports[name] = Napi::Function::New(env, callback, name, state);
  };
  add("createPool", CreatePool);
  ExportFast(env, exports, "submit", Submit, state);
  ExportFast(env, exports, "kick", Kick, state);
  add("makeSlot", MakeSlot);
  add("cancel", Cancel);
  add("mail", SendMail);
  add("prestart", Prestart);
  add("expect", Expect);
  add("pause", Pause);
  add("workerNumbers", WorkerNumbers);
  add("inspect", Inspect);
  add("figures", FiguresOf);
  add("setInitData", SetInitData);
  add("setListens", SetListens);
  add("resize", Resize);
  add("trim", Trim);
  add("close", Close);
  add("terminate", Terminate);
  add("endNow", EndNow);
  add("workers", Workers);
  add("counts", Counts);
  add("clock", Clock);
  add("dispose", Dispose);
  add("defineEntry", DefineEntry);
  add("dropEntry", DropEntry);
  add("defineShape", DefineShape);
  add("shapeText", ShapeText);
  add("listen", Listen);
  add("setActive", SetActive);
  add("abandon", Abandon);
  add("isLost", IsLost);
  add("exitNow", ExitNow);
  add("shutdown", Shutdown);
}

}  // namespace sloppy::workers

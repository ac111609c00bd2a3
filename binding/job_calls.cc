#include "binding/job_calls.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/limits_clock.h"
#include "base/protocol_gen.h"
#include "base/tsan.h"
#include "binding/arguments.h"

namespace sloppy::workers {
namespace {

using enum wire::SubmitAnswer;
using wire::SubmitAnswer;
using wire::SubmitArgs;

// The answer for a job that the queue has, or has not, taken.
SubmitAnswer Answer(EnvState* state, PoolEntry* pool, Job* job,
                    const JobQueue::Submitted& submitted) {
  if (submitted.admission == JobQueue::Admission::kFull) return kFull;
  if (submitted.admission == JobQueue::Admission::kClosed) return kClosed;
  if (submitted.woke) {
    state->core().watchdog.Arm(MonotonicNow() + JobQueue::kLookEvery);
  }
  if (submitted.wants_worker && !state->StartWorker(pool)) {
    // No worker will ever take it.
    int64_t next_check = kNever;
    if (pool->core->queue.Cancel(job, End::kShutdown, 0, &next_check) ==
        JobQueue::Removal::kRemoved) {
      return kNoThread;
    }
  }
  return kQueued;
}

// A number for the addon from memory that JavaScript writes; 0 for what is
// none, and the nearest for one out of range.
template <typename Integer>
Integer Whole(double value) {
  constexpr auto kMost =
      static_cast<double>(std::numeric_limits<Integer>::max());
  if (!(value > 0)) return 0;
  return value >= kMost ? std::numeric_limits<Integer>::max()
                        : static_cast<Integer>(value);
}

// Parts of a submission: its numbers, and (slots, text, more) as arguments.
EncodedParts PartsOf(const SubmitArgs& args, const FastInfo& info) {
  EncodedParts parts;
  parts.kind = Whole<uint8_t>(args.kind);
  parts.number = args.number;
  parts.slots = info[0];
  parts.slot_count = Whole<uint32_t>(args.slot_count);
  parts.text = info[1];
  parts.more = info[2];
  return parts;
}

// False without memory.
bool ReadJob(EnvState* state, const FastInfo& info, const SubmitArgs& args,
             const PoolConfig& config, Job* job) {
  if (!ReadParts(state->texts(), info.GetIsolate()->GetCurrentContext(),
                 PartsOf(args, info), &job->payload)) {
    return false;
  }
  job->Renew();
  job->entry = Whole<uint32_t>(args.entry);
  const int64_t remaining = Nanoseconds(args.remaining_ms);
  if (remaining != kNever) job->deadline = LimitsClock::Now() + remaining;
  job->run_limit = Nanoseconds(args.run_ms);
  job->grace =
      args.grace_ms >= 0 ? Nanoseconds(args.grace_ms) : config.grace_ns;
  job->cpu_limit = config.cpu_limit_ns;
  job->priority = Whole<uint8_t>(args.priority);
  job->mode = Whole<uint16_t>(args.mode);
  job->shares = Whole<uint32_t>(args.shares);
  job->home = Whole<uint32_t>(args.home);
  if ((job->mode & Job::kTimed) != 0) job->times = {MonotonicNow()};
  state->loop().Touch();
  return true;
}

SubmitAnswer SubmitJob(EnvState* state, const FastInfo& info) {
  const SubmitArgs args = state->ReadSubmitArgs();
  PoolEntry* pool = state->FindPool(Whole<uint32_t>(args.pool));
  if (pool == nullptr) return kClosed;
  Job* job = state->JobAt(Whole<uint32_t>(args.slot));
  if (!ReadJob(state, info, args, pool->core->config, job)) return kNoMemory;
  const SubmitAnswer answer =
      Answer(state, pool, job, pool->core->queue.Submit(job));
  if (answer != kQueued) job->payload.Clear();
  return answer;
}

SubmitAnswer SubmitJobTo(EnvState* state, const FastInfo& info) {
  const SubmitArgs args = state->ReadSubmitArgs();
  PoolEntry* pool = state->FindPool(Whole<uint32_t>(args.pool));
  if (pool == nullptr) return kClosed;
  Job* job = state->JobAt(Whole<uint32_t>(args.slot));
  if (!ReadJob(state, info, args, pool->core->config, job)) return kNoMemory;
  WorkerThread* thread = pool->ThreadOf(args.worker);
  if (thread == nullptr ||
      !pool->core->queue.SubmitTo(job, thread, Whole<uint32_t>(args.order))) {
    job->payload.Clear();
    return kNoThread;
  }
  state->core().watchdog.Arm(MonotonicNow() + JobQueue::kLookEvery);
  return kQueued;
}

// submit(slots, text, more) → SubmitAnswer. The numbers are in SubmitArgs.
void Submit(const FastInfo& info) {
  EnvState* state = StateOf(info);
  state->CheckOwner();
  const BeforeScriptGoesOn before(&state->core().jobs);
  info.GetReturnValue().Set(static_cast<uint32_t>(SubmitJob(state, info)));
}

// submitTo(slots, text, more) → SubmitAnswer; kNoThread when the worker has
// left. See JobQueue::SubmitTo.
void SubmitTo(const FastInfo& info) {
  EnvState* state = StateOf(info);
  state->CheckOwner();
  const BeforeScriptGoesOn before(&state->core().jobs);
  info.GetReturnValue().Set(static_cast<uint32_t>(SubmitJobTo(state, info)));
}

// kick(pool, slot) → SubmitAnswer for the job that was last written to the
// pool's ring.
void Kick(const FastInfo& info) {
  EnvState* state = StateOf(info);
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

// dropSlots(slot): see JobTable::DropBlock.
void DropSlots(const Napi::CallbackInfo& info) {
  EnvState* state = StateOf(info);
  const BeforeScriptGoesOn before(&state->core().jobs);
  state->core().jobs.DropBlock(static_cast<uint32_t>(NumberAt(info, 0)));
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
  const JobQueue::Removal removal = pool->core->queue.Cancel(
      job, static_cast<End>(NumberAt(info, 2)), MonotonicNow(), &next_check);
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
// → Sent. `target`: a job's slot, or minus the number of a worker, or -Infinity
// for the oldest worker.
Sent MailTo(EnvState* state, PoolEntry* pool, const Napi::CallbackInfo& info) {
  if (pool == nullptr) return Sent::kGone;
  auto mail = std::make_unique<Mail>();
  const double target = NumberAt(info, 1);
  if (target >= 0) mail->job_slot = static_cast<int64_t>(target);
  mail->channel = static_cast<uint32_t>(NumberAt(info, 2));
  const EncodedParts parts = PartsAt(info, 3);
  Job* job = mail->job_slot == Mail::kWorker
                 ? nullptr
                 : state->JobAt(static_cast<uint32_t>(mail->job_slot));
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  if (!ReadParts(state->texts(), isolate->GetCurrentContext(), parts,
                 &mail->payload)) {
    return Sent::kNoMemory;
  }
  JobQueue& queue = pool->core->queue;
  const bool sent = job != nullptr ? queue.Deliver(job, std::move(mail))
                    : std::isinf(target)
                        ? queue.DeliverToWorker(std::move(mail))
                        : DeliverToThread(pool, static_cast<int64_t>(-target),
                                          std::move(mail));
  return sent ? Sent::kSent : Sent::kGone;
}

Napi::Value SendMail(const Napi::CallbackInfo& info) {
  const Sent sent = MailTo(StateOf(info), PoolAt(info, 0), info);
  return Napi::Number::New(info.Env(), static_cast<double>(sent));
}

// abandon(pool, slot) → JobQueue::AbandonResult
Napi::Value Abandon(const Napi::CallbackInfo& info) {
  EnvState* state = StateOf(info);
  PoolEntry* pool = PoolAt(info, 0);
  auto given = JobQueue::AbandonResult::kOver;
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

// runLeft(pool, slot) → milliseconds, see JobQueue::RunLeft; 0 without a pool.
Napi::Value RunLeft(const Napi::CallbackInfo& info) {
  EnvState* state = StateOf(info);
  PoolEntry* pool = PoolAt(info, 0);
  int64_t left = 0;
  if (pool != nullptr) {
    const Job* job = state->JobAt(static_cast<uint32_t>(NumberAt(info, 1)));
    left = pool->core->queue.RunLeft(job, LimitsClock::Now());
  }
  return Napi::Number::New(info.Env(), static_cast<double>(left) / 1e6);
}

}  // namespace

void ExportJobCalls(Napi::Env env, Napi::Object exports, EnvState* state) {
  const auto add = [&](const char* name, auto callback) {
    exports[name] = Napi::Function::New(env, callback, name, state);
  };
  ExportFast(env, exports, "submit", Submit, state);
  ExportFast(env, exports, "submitTo", SubmitTo, state);
  ExportFast(env, exports, "kick", Kick, state);
  add("makeSlot", MakeSlot);
  add("dropSlots", DropSlots);
  add("cancel", Cancel);
  add("mail", SendMail);
  add("abandon", Abandon);
  add("isLost", IsLost);
  add("runLeft", RunLeft);
}

}  // namespace sloppy::workers

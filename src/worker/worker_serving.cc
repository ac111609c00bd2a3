// How a worker runs the jobs that are there.
//
// The runtime's JavaScript, which takes a job, calls its function and sends the
// result, costs a realm as much as half of what V8 does. So the first job of a
// realm may come before it: one whose function is closed, that is, uses nothing
// but an input of a few bytes and variables of its own
// (lib/entries/closed-function.js). C++ calls it, and has the runtime start
// only if the outcome is more than a number or the like. The difference cannot
// be seen, because a closed function cannot change what the runtime captures.
#include <cmath>
#include <limits>
#include <thread>

#include "base/limits_clock.h"
#include "isolate/modules/function_source.h"
#include "isolate/shared_texts.h"
#include "isolate/v8_compat.h"
#include "worker/worker_thread.h"

namespace sloppy::workers {
namespace {

// Bits of Job::mode that make no difference to a function that does not see
// its context whole.
constexpr uint16_t kUnseen = wire::JobMode::kEndless |
                             wire::JobMode::kSignalled | Job::kTimed |
                             Job::kMetered | Job::kAnnounced | Job::kShares;

bool IsClosed(const Entry& entry, const Job& job) {
  return entry.reach == Entry::Reach::kNothing && (job.mode & ~kUnseen) == 0 &&
         job.payload.kind <= PayloadKind::kString && job.payload.is_short();
}

v8::MaybeLocal<v8::Value> InputOf(v8::Isolate* isolate,
                                  const Payload& payload) {
  switch (payload.kind) {
    case PayloadKind::kNull:
      return v8::Null(isolate);
    case PayloadKind::kTrue:
    case PayloadKind::kFalse:
      return v8::Boolean::New(isolate, payload.kind == PayloadKind::kTrue);
    case PayloadKind::kNumber:
      return v8::Number::New(isolate, payload.number);
    case PayloadKind::kString: {
      v8::Local<v8::String> text;
      if (!CopyText(isolate, payload.text).ToLocal(&text)) return {};
      return text;
    }
    default:
      return v8::Undefined(isolate);
  }
}

// Holds nothing but the input, by which alone a closed function takes it apart.
v8::MaybeLocal<v8::Object> ContextFor(v8::Isolate* isolate,
                                      const Payload& payload) {
  v8::Local<v8::Value> input;
  if (!InputOf(isolate, payload).ToLocal(&input)) return {};
  v8::Local<v8::Name> name = v8::String::NewFromUtf8Literal(
      isolate, "input", v8::NewStringType::kInternalized);
  return v8::Object::New(isolate, v8::Null(isolate), &name, &input, 1);
}

// The layout of a small result; see Payload::FillShort.
using Body = double[Text::kInlineBytes / sizeof(double)];

// False for a value that needs the codec.
bool ReadSmall(v8::Isolate* isolate, v8::Local<v8::Value> value,
               double max_bytes, Body body, Realm::SmallResult* result) {
  *result = {PayloadKind::kUndefined, 0, 0, body};
  if (value->IsNumber()) {
    result->kind = PayloadKind::kNumber;
    result->number = value.As<v8::Number>()->Value();
    return std::isfinite(result->number);
  }
  if (value->IsBoolean()) {
    result->kind = value->IsTrue() ? PayloadKind::kTrue : PayloadKind::kFalse;
    return true;
  }
  if (value->IsString()) {
    const auto text = value.As<v8::String>();
    const int length = text->Length();
    if (length > int{Text::kInlineBytes} || length > max_bytes ||
        !text->ContainsOnlyOneByte()) {
      return false;
    }
    result->kind = PayloadKind::kString;
    result->size = static_cast<uint32_t>(length) * wire::Small::kTextUnit;
    WriteOneByte(isolate, text, reinterpret_cast<uint8_t*>(body));
    return true;
  }
  if (value->IsNull()) result->kind = PayloadKind::kNull;
  return value->IsNullOrUndefined();
}

// The result of an async function without an `await`, which is there already.
v8::Local<v8::Value> Settled(v8::Local<v8::Value> value) {
  if (!value->IsPromise()) return value;
  const auto promise = value.As<v8::Promise>();
  return promise->State() == v8::Promise::kFulfilled ? promise->Result()
                                                     : value;
}

}  // namespace

// Runs jobs until there is none, or one that is still pending. False when the
// call ended by termination, or the realm is of no use.
bool WorkerThread::Serve() {
  if (realm()->has_runtime()) return realm()->Serve();
  if (Terminated()) return false;
  // Asked before a job is taken, which another worker could run meanwhile.
  if (RuntimeMayWait() && !jobs_.realm_used() && !ServeClosed()) {
    return !Terminated();
  }
  // The first job may have needed it.
  return (realm()->has_runtime() || StartRuntime()) && realm()->Serve();
}

// As far as one can know, the next job is for a closed function.
bool WorkerThread::RuntimeMayWait() const {
  return pool_->config.late_runtime && !pool_->uses_runtime.load();
}

// The first job of a realm, if it is for a closed function. True when the
// runtime has to go on.
bool WorkerThread::ServeClosed() {
  const bool one_job = pool_->config.isolation != Isolation::kWorker;
  const Job* job = jobs_.Peek();
  if (job == nullptr) return !one_job;
  const auto entry = env().entries.Lookup(job->entry);
  if (entry == nullptr || !IsClosed(*entry, *job)) {
    pool_->uses_runtime.store(true);
    return true;
  }
  Note(RunClosed(*entry));
  if (call_terminated_ || one_job || jobs_.running() ||
      jobs_.isolate_used_up() || jobs_.leave()) {
    return false;
  }
  // The owner may wait for this very core to read its answer.
  if (!realm()->has_runtime()) std::this_thread::yield();
  return true;
}

bool WorkerThread::StartRuntime() {
  in_realm_.store(false, std::memory_order_relaxed);
  const bool started = session_.StartRuntime(
      pool_->config, pool_->uses_globals.load(std::memory_order_relaxed));
  in_realm_.store(true, std::memory_order_relaxed);
  return started;
}

// False when execution was terminated.
bool WorkerThread::RunClosed(const Entry& entry) {
  v8::HandleScope scope(session_.isolate());
  const Job* job = jobs_.Next();
  announced_ = 0;
  v8::Local<v8::Value> outcome;
  const wire::CallResult came = CallClosed(entry, *job, &outcome);
  if (outcome.IsEmpty()) return false;
  // Tasks that it left in the microtask queue are still its own work.
  RunMicrotasks();
  if (!MayGoOn()) return false;
  Body body;
  Realm::SmallResult result;
  if (came == wire::CallResult::kReturned && session_.rejections()->empty() &&
      ReadSmall(session_.isolate(), Settled(outcome),
                pool_->config.max_result_bytes, body, &result)) {
    return FinishJob(result);
  }
  pool_->uses_runtime.store(true);
  return StartRuntime() && realm()->OnOutcome(jobs_.seq(), outcome, came);
}

// Leaves `outcome` empty when execution was terminated.
wire::CallResult WorkerThread::CallClosed(const Entry& entry, const Job& job,
                                          v8::Local<v8::Value>* outcome) {
  v8::Isolate* isolate = session_.isolate();
  v8::Local<v8::Context> context = realm()->context();
  v8::TryCatch caught(isolate);
  v8::Local<v8::Value> compiled;
  v8::Local<v8::Object> seen;
  auto came = wire::CallResult::kNotCompiled;
  if (CompileSource(isolate, context, entry).ToLocal(&compiled) &&
      ContextFor(isolate, job.payload).ToLocal(&seen)) {
    const auto function = compiled.As<v8::Function>();
    realm()->KeepCompiled(job.entry, function);
    v8::Local<v8::Value> argument = seen;
    if (function->Call(context, context->Global(), 1, &argument)
            .ToLocal(outcome)) {
      return wire::CallResult::kReturned;
    }
    came = wire::CallResult::kThrew;
  }
  if (caught.HasCaught() && !caught.HasTerminated()) {
    *outcome = caught.Exception();
  }
  return came;
}

bool WorkerThread::FinishJob(const Realm::SmallResult& result) {
  // A job over the limit is ended for that.
  if (!MayGoOn() || memory().CheckAtEnd()) return false;
  jobs_.DoneShort(result.kind, result.number, result.size, result.body);
  return MayGoOn();
}

bool WorkerThread::PresentNext(v8::Local<v8::Value>* text) {
  // A termination that came too late for one job is not the next one's.
  if (Terminated()) return false;
  Job* job = jobs_.Next();
  if (job == nullptr) return false;
  announced_ = 0;
  const double deadline =
      job->deadline == kNever
          ? std::numeric_limits<double>::infinity()
          : static_cast<double>(job->deadline + LimitsClock::Held()) / 1e6;
  return realm()->PresentJob(job, jobs_.seq(), deadline, text);
}

}  // namespace sloppy::workers

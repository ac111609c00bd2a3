#include "worker/worker_thread.h"

#include <utility>

#include "base/limits_clock.h"
#include "base/pages.h"
#include "base/thread_priority.h"
#include "isolate/job_of_code.h"
#include "isolate/shared_value_v8.h"
#include "isolate/vm_context.h"
#include "worker/debug_hub.h"

namespace sloppy::workers {
namespace {

// The worker of the current thread, for the one callback of V8's that has no
// other way to find it (out of memory).
thread_local WorkerThread* t_worker = nullptr;

// Addresses that a thread takes before its isolate: its stack, and twice the 64
// MiB that glibc wants for each thread's own heap.
constexpr size_t kOfAThread = WorkerThread::kStackBytes + (size_t{160} << 20);

// Node counts its own threads from 1.
uint32_t NextThreadId() {
  constexpr uint32_t kFirst = 1 << 20;
  static std::atomic<uint32_t> next{kFirst};
  return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

WorkerThread::WorkerThread(std::shared_ptr<PoolCore> pool,
                           PlatformBridge platform, uint32_t place)
    : pool_(std::move(pool)),
      platform_(platform),
      number_(++pool_->last_worker),
      place_(place),
      thread_id_(NextThreadId()),
      microtasks_(pool_->config.max_microtasks,
                  [this] {
                    microtasks_exceeded_ = true;
                    EndExecution(End::kMicrotaskBound);
                  }),
      inspection_([this](double id, bool ok) { AnswerInspection(id, ok); },
                  [this] { return interrupted_.load(); }),
      jobs_(pool_, this) {}

WorkerThread::~WorkerThread() = default;

bool WorkerThread::Start() {
  if (!HasAddresses(IsolateHost::kAddresses + kOfAThread)) return false;
  // Counted from now on, so that the pool does not start too many.
  pool_->queue.Join(this);
  uv_thread_options_t options{};
  options.flags = UV_THREAD_HAS_STACK_SIZE;
  options.stack_size = kStackBytes;
  if (uv_thread_create_ex(&thread_, &options, ThreadMain, this) == 0) {
    return true;
  }
  pool_->queue.Leave(this);
  return false;
}

void WorkerThread::Join() { uv_thread_join(&thread_); }

void WorkerThread::Wake() {
  gate_.Wake();
  // Invariant (5) asks for it.
  if (in_loop_.load()) loop_.Wake();
}

void WorkerThread::Terminate() {
  interrupted_.store(true);
  session_.Use([](v8::Isolate* isolate, MemoryLimit&) {
    isolate->TerminateExecution();
  });
  pool_->env->completions.Interrupt();
  debugging_.Release();
  Wake();
}

void WorkerThread::EndExecution(End why) {
  const bool alone = pool_->config.jobs_per_worker == 1;
  jobs_.RequestEnd(alone ? jobs_.seq() : JobOfCode(session_.isolate()), why);
  call_terminated_ = true;
  session_.isolate()->TerminateExecution();
}

void WorkerThread::Look() {
  session_.Use([this](v8::Isolate* isolate, MemoryLimit& memory) {
    microtasks_.Look(isolate);
    memory.RequestCheck(isolate);
  });
}

bool WorkerThread::CanReleaseMemory() {
  bool can = false;
  session_.Use([&can](v8::Isolate*, MemoryLimit& memory) {
    can = memory.was_collected();
  });
  return can;
}

void WorkerThread::ReleaseMemory() {
  must_release_.store(true, std::memory_order_relaxed);
  Wake();
}

void WorkerThread::ThreadMain(void* self) {
  auto* worker = static_cast<WorkerThread*>(self);
  t_worker = worker;
  worker->Run();
}

void WorkerThread::Run() {
  cpu_clock_.BindToCurrentThread();
  LowerPriority(pool_->config.nice);
  PostEvent(WorkerEvent::Kind::kStarted);
  const int debugged = DebugHub::Get().Join(&debugging_, [this] {
    return pool_->name.Get() + ", worker " + std::to_string(number_) +
           " (pool " + std::to_string(pool_->config.id) + ")";
  });
  while (RunIsolate() != Next::kLeave) {
  }
  DebugHub::Get().Leave(debugged);
  loop_.Close();
  PostExit();
  // The owner may join from here on, and then delete this.
  finished_.store(true, std::memory_order_release);
}

bool WorkerThread::BeginInit(double timeout_ms) {
  const int64_t deadline =
      timeout_ms < 1e12
          ? LimitsClock::Now() + static_cast<int64_t>(timeout_ms * 1e6)
          : kNever;
  if (!pool_->queue.BeginOwn(this, deadline)) {
    jobs_.Leave();
    return false;
  }
  SetBusy(Busy::kInit);
  pool_->env->watchdog.Arm(MonotonicNow() + JobQueue::kLookEvery);
  return true;
}

void WorkerThread::EndInit(bool succeeded) {
  pool_->queue.EndOwn(this);
  SetBusy(Busy::kNo);
  init_done_ = succeeded;
  init_failed_ = !succeeded;
  if (init_failed_) init_failed_at_ = pool_->queue.Arrived();
}

bool WorkerThread::WantsInit() {
  return !init_failed_ || jobs_.has_taken() || pool_->queue.IsWanted(this);
}

bool WorkerThread::PresentInitData() {
  Payload copy;
  return CopyPayload(pool_->init_data, &copy) && realm() != nullptr &&
         realm()->PresentPayload(&copy);
}

wire::SharedAnswer WorkerThread::PresentShared(uint32_t number, bool counts) {
  const auto value = pool_->shared.Find(number);
  if (value == nullptr || realm() == nullptr) return wire::SharedAnswer::kGone;
  Payload copy;
  if (!GiveSharedValue(*value, &memory(), &copy) ||
      !realm()->PresentPayload(&copy)) {
    return wire::SharedAnswer::kNoRoom;
  }
  if (counts) pool_->shared.CountTaken();
  return wire::SharedAnswer::kThere;
}

LoopTimers* WorkerThread::OpenTimers() {
  if (timers() != nullptr) return timers();
  uv_loop_t* loop = loop_.Open(interrupted_);
  if (loop == nullptr) return nullptr;
  return session_.KeepTimers(std::make_unique<LoopTimers>(loop, OnTimer, this));
}

void WorkerThread::OnTimer(void* self, double id) {
  auto* worker = static_cast<WorkerThread*>(self);
  // Others that are due in the same turn of the loop come after an end.
  if (worker->realm() == nullptr || worker->Terminated()) return;
  worker->Note(worker->realm()->OnTimer(id));
  if (!worker->Terminated()) worker->RunCheckpoint();
}

// Rejections that a listener causes are reported as well, in another round. The
// last round is not for listeners, because that could go on for ever.
void WorkerThread::RunCheckpoint() {
  constexpr int kRounds = Rejections::kRounds;
  v8::Isolate* isolate = session_.isolate();
  RunMicrotasks();
  if (session_.rejections()->empty() || microtasks_.running() ||
      realm() == nullptr || realm()->HoldsTicks()) {
    return;
  }
  for (int round = 0; round < kRounds && !session_.rejections()->empty();
       ++round) {
    if (Terminated() || isolate->IsExecutionTerminating()) break;
    const bool returned = session_.rejections()->ReportAll(
        isolate, round == kRounds - 1,
        [this](v8::Local<v8::Promise> promise, v8::Local<v8::Value> value,
               wire::Rejection what) {
          return realm()->OnRejection(promise, value, what);
        });
    Note(returned);
    if (!returned) break;
    RunMicrotasks();
    if (realm() != nullptr && realm()->HoldsTicks()) return;
  }
  session_.rejections()->Clear();
}

void WorkerThread::RunWholeCheckpoint() {
  if (realm() != nullptr) realm()->ReleaseTicks();
  RunCheckpoint();
  RunHeld();
}

void WorkerThread::RunHeld() {
  while (realm() != nullptr && realm()->HoldsTicks() && !Terminated()) {
    realm()->ReleaseTicks();
    RunCheckpoint();
  }
}

// V8 forgets a termination when it has ended a checkpoint, and the JavaScript
// that has asked for the checkpoint would go on. So it is asked for again.
void WorkerThread::RunMicrotasks() {
  v8::Isolate* isolate = session_.isolate();
  size_t ticks = 0;
  RunTicks(&ticks);
  const auto holds = [this] {
    return realm() != nullptr && realm()->HoldsTicks();
  };
  if (!holds()) microtasks_.RunCheckpoint(isolate);
  while (RunTicks(&ticks) && !holds()) microtasks_.RunCheckpoint(isolate);
  if (!Terminated()) return;
  ended_in_microtasks_ = true;
  if (!isolate->IsExecutionTerminating()) isolate->TerminateExecution();
}

// Ticks come before the microtasks that wait, and those that these cause after
// all of them, as in Node. True if there were any.
bool WorkerThread::RunTicks(size_t* ran) {
  bool some = false;
  while (!microtasks_.running() && realm() != nullptr && !Terminated() &&
         realm()->HasTicks()) {
    some = true;
    Note(realm()->OnTicks());
    *ran += realm() != nullptr && realm()->HasTicks() ? wire::Limit::kTicks : 1;
    if (microtasks_.TooMany(*ran)) return false;
  }
  return some && !Terminated();
}

void WorkerThread::OnRejection(v8::PromiseRejectMessage message) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  auto* worker = static_cast<WorkerThread*>(IsolateHost::SlotOf(isolate));
  if (worker->session_.rejections() != nullptr) {
    worker->session_.rejections()->Note(
        isolate, message,
        [worker](v8::Local<v8::Promise> promise, v8::Local<v8::Value> value,
                 wire::Rejection what) {
          return worker->realm() == nullptr ||
                 worker->realm()->OnRejection(promise, value, what);
        });
  }
}

v8::ModifyCodeGenerationFromStringsResult WorkerThread::OnCodeFromString(
    v8::Local<v8::Context> context, v8::Local<v8::Value>, bool) {
  auto* worker = static_cast<WorkerThread*>(
      IsolateHost::SlotOf(v8::Isolate::GetCurrent()));
  if (!worker->pool_->config.allow_eval) return {false, {}};
  if (worker->realm() == nullptr || worker->realm()->context() != context) {
    // V8 asks for one of node:vm when its options refuse.
    return {!IsVmContext(context), {}};
  }
  if (!worker->realm()->has_runtime()) return {false, {}};
  worker->realm()->OnCodeFromString();
  return {true, {}};
}

void WorkerThread::OnOutOfMemory(const char*, const v8::OOMDetails&) {
  if (t_worker != nullptr) t_worker->GiveUp();
  // One of V8's threads, which collects for some worker: returning would end
  // the process. The worker waits for it, until its job's limit gives it up.
  for (;;) uv_sleep(1000 * 3600);
}

ModuleLoader* WorkerThread::FindModules(v8::Isolate* isolate) {
  return static_cast<WorkerThread*>(IsolateHost::SlotOf(isolate))->modules();
}

// Its owner has something for it to do before its jobs.
void WorkerThread::PostFresh() {
  auto event = std::make_unique<WorkerEvent>();
  event->kind = WorkerEvent::Kind::kFresh;
  event->pool = pool_->config.id;
  event->target = -static_cast<double>(number_);
  pool_->env->completions.PostEvent(std::move(event));
}

void WorkerThread::ReportStuck(bool prepares) {
  auto event = std::make_unique<WorkerEvent>();
  event->kind = WorkerEvent::Kind::kStuck;
  event->pool = pool_->config.id;
  event->target = -static_cast<double>(number_);
  event->payload.kind = PayloadKind::kNumber;
  event->payload.number = prepares ? 1 : 0;
  pool_->env->completions.PostEvent(std::move(event));
}

void WorkerThread::PostEvent(WorkerEvent::Kind kind) {
  auto event = std::make_unique<WorkerEvent>();
  event->kind = kind;
  event->pool = pool_->config.id;
  event->target = -static_cast<double>(number_);
  event->worker = this;
  event->payload.kind = PayloadKind::kNumber;
  if (kind == WorkerEvent::Kind::kStarted) {
    event->channel = place_;
    event->payload.number = thread_id_;
  } else {
    event->payload.number = static_cast<double>(exit_why_);
  }
  pool_->env->completions.PostEvent(std::move(event));
}

}  // namespace sloppy::workers

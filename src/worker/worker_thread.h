// One worker: a thread with a libuv loop, if it needs one, and on it an isolate
// with a realm (isolate_session.h). Both are replaced when they must be.
//
// Invariants
// (1) The owner creates it with Start() and joins it with Join() after it has
//     posted its exit event, never while holding a lock.
// (2) The isolate is entered only on the thread. The members that other threads
//     may call are marked; they reach the isolate by IsolateSession::Use().
// (3) A realm is replaced after every termination, and an isolate after it hit
//     its memory limit, because what they hold is unknown then.
// (4) An end of execution is noted (Note(), interrupted_) and stays so until
//     AfterTermination() or EndRealm(): a later call may return although an
//     earlier one did not. Before each call into the realm the worker looks at
//     Terminated().
// (5) A state that ends the wait for the loop is written before Wake(), and
// read
//     after in_loop_ is set, both seq_cst: the worker sees it, or the loop is
//     woken.
// (6) Where V8 is out of memory in a way that it cannot take back, the thread
//     is given up: it reports its job and its exit, and sleeps for ever,
//     because returning into V8 would end the process.
//
// Held by: (1) test/scenario/core-stopped-pools.js, core-teardown.js. (2)
// ThreadStamp, by IsolateHost::isolate(). (3)
// test/js/executors/ends-in-microtasks.test.js, test/scenario/core-memory.js.
// (4) test/js/executors/ends-in-microtasks.test.js. (5)
// test/js/executors/isolate/worker-loop.test.js. (6)
// test/native/worker/out_of_memory_test.cc.
#ifndef SLOPPY_WORKERS_WORKER_WORKER_THREAD_H_
#define SLOPPY_WORKERS_WORKER_WORKER_THREAD_H_

#include <uv.h>
#include <v8.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/live.h"
#include "base/payoff.h"
#include "base/wake_gate.h"
#include "isolate/heap_peak.h"
#include "isolate/inspection.h"
#include "job/mailbox.h"
#include "pool/env_core.h"
#include "pool/pool_worker.h"
#include "worker/debugging.h"
#include "worker/isolate_session.h"
#include "worker/job_runner.h"
#include "worker/microtask_bound.h"
#include "worker/worker_loop.h"

namespace sloppy::workers {

class WorkerThread final : public PoolWorker,
                           private TaskRunner::Waker,
                           private Debugging::Host {
 public:
  static constexpr size_t kStackBytes = size_t{4} << 20;

  // `place`: see place().
  WorkerThread(std::shared_ptr<PoolCore> pool, PlatformBridge platform,
               uint32_t place);
  ~WorkerThread() override;
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  // Owner. False when the system gives no thread, or no addresses for an
  // isolate.
  bool Start();
  // Owner. REQUIRES: finished().
  void Join();
  // Any thread. It has posted its exit event and is about to end.
  bool finished() const { return finished_.load(std::memory_order_acquire); }
  // Any thread. It has posted its exit event and sleeps for ever.
  bool given_up() const { return given_up_.load(std::memory_order_acquire); }

  // V8's handler, on a worker's thread or one of V8's own. Never returns.
  [[noreturn]] static void OnOutOfMemory(const char* location,
                                         const v8::OOMDetails& details);

  // Any thread.
  void Wake() override;
  void Terminate() override;
  void TerminateLeftovers() override {
    if (in_realm_.load(std::memory_order_relaxed)) Terminate();
  }
  void PostMail(std::unique_ptr<Mail> mail) override;
  void Look() override;
  bool CanReleaseMemory() override;
  void ReleaseMemory() override;
  int64_t CpuTime() const override { return cpu_clock_.Read(); }
  bool HasStrays() const override { return has_strays_.load(); }
  uint64_t Turns() const override { return turns_.load(); }
  void ReportStuck(bool prepares) override;
  void BeginHeapPeak() override;
  int64_t EndHeapPeak() override;
  bool InMicrotasks() const override { return microtasks_.in_checkpoint(); }

  // Any thread. The answer is an event of the channel kInspected.
  static constexpr uint32_t kInspected = wire::Channel::kInspected;
  void Inspect(Inspection::Request request);
  const Inspection::Figures& figures() const { return inspection_.figures(); }
  const CodeCounts& code_counts() const { return session_.code_counts(); }

  // Any thread. Unique among the workers of the pool; from 1.
  uint32_t number() const override { return number_; }
  // From 1, as low as the living workers of the pool leave it: its successor
  // has it again.
  uint32_t place() const { return place_; }
  // As Node's threadId: no two workers of the process have the same, and none
  // has that of a thread of Node's.
  uint32_t thread_id() const { return thread_id_; }

  // Worker thread, for the realm's natives.
  bool IsCurrentRealm(int32_t id) const {
    return realm() != nullptr && realm()->id() == id;
  }
  v8::MaybeLocal<v8::Function> CompiledOf(uint32_t entry) const {
    return realm()->CompiledOf(entry);
  }
  // `*text`: as Realm::PresentJob.
  bool PresentNext(v8::Local<v8::Value>* text);
  // The current job has succeeded. False when the realm must not go on, because
  // it is about to be terminated.
  bool FinishJob(const Realm::SmallResult& result);
  // The same with the result in the realm's header.
  bool FinishJob() { return FinishJob(realm()->ReadResult()); }
  bool MayGoOn() const {
    return !call_terminated_ && !interrupted_.load() &&
           !session_.isolate()->IsExecutionTerminating();
  }
  JobRunner& jobs() { return jobs_; }
  EnvCore& env() { return *pool_->env; }
  ModuleLoader* modules() { return session_.modules(); }
  SharedTexts* texts() { return session_.texts(); }
  // nullptr until one was started in this realm.
  LoopTimers* timers() { return session_.timers(); }
  // nullptr when the worker is interrupted first.
  LoopTimers* OpenTimers();
  MemoryLimit& memory() { return session_.memory(); }
  // Runs the microtasks that wait, and reports the rejections that have no
  // handler then.
  void RunCheckpoint();
  // The same for what is not a callback of the loop's: also what waits because
  // a callback has thrown.
  void RunWholeCheckpoint();
  void RunHeld();
  // Ends the JavaScript that executes, wherever it was called from: its realm
  // is lost, as after Terminate(). The job whose code it is ends with `why`.
  void EndExecution(End why);
  // Jobs of the realm have used the built-in.
  void NoteUsed(std::string_view builtin) { pool_->used_builtins.Add(builtin); }
  bool OwnerListens() const {
    return pool_->owner_listens.load(std::memory_order_relaxed);
  }
  bool OwnerHears() const {
    return pool_->owner_hears.load(std::memory_order_relaxed);
  }
  void ShareConsole(v8::Local<v8::Context> context,
                    v8::Local<v8::Object> console) {
    debugging_.ShareConsole(context, console);
  }
  // The realm prepares itself, without a job. It is terminated when that takes
  // too long. False when the worker must leave instead.
  bool BeginInit(double timeout_ms);
  void EndInit(bool succeeded);
  // Whether the realm should prepare itself: at first always, so that it is
  // ready before a job comes; after a failure, when a job waits for it.
  bool WantsInit();
  // Until EndFailing(), the next jobs are those that waited when it failed.
  void BeginFailing() { jobs_.TakeArrived(init_failed_at_); }
  void EndFailing() { jobs_.TakeAgain(); }
  // As BeginInit, for modules that clear up.
  void BeginEnd();
  // Why the last realm's preparation was terminated, once; or kNone.
  Detail TakeInitFailure() {
    return std::exchange(init_failure_, Detail::kNone);
  }
  std::u16string process_facts() const { return pool_->process_facts.Get(); }
  const std::u16string& system_numbers() const {
    return pool_->config.system_numbers;
  }
  // Puts a copy of the pool's data for it where the runtime reads it.
  bool PresentInitData();
  // Likewise a value that the owner shares with all workers; see SharedValues.
  wire::SharedAnswer PresentShared(uint32_t number, bool counts);
  bool HasShared(uint32_t number) const {
    return pool_->shared.Find(number) != nullptr;
  }
  // Some of those are not needed here any more: their memory is given back as
  // soon as no job runs.
  void SharesGone() { shares_gone_ = true; }
  // Likewise the reason with which a job was cancelled; false if there is none.
  bool PresentReason(double seq);
  // The realm has cleared up.
  void RealmEnded() { SetBusy(Busy::kNo); }
  void Hold(int delta) { holds_ += delta; }
  void HearAgain(bool on) {
    if (session_.rejections() != nullptr) session_.rejections()->HearAgain(on);
  }
  // Waits until the owner has read enough messages; false when the execution is
  // terminated instead.
  bool WaitToSend() {
    return pool_->env->completions.WaitForRoom(interrupted_);
  }

 private:
  enum class Next { kLeave, kNewRealm, kNewIsolate };
  // The part of a realm that executes without a job.
  enum class Busy { kNo, kInit, kEnd };
  Counted<Live::kThreads> counted_;

  static void ThreadMain(void* self);
  static void OnTimer(void* self, double id);
  static void OnInspect(v8::Isolate* isolate, void* self);
  void WakeForDebugger() override;
  void EndExpression() override;
  bool IsInterrupted() const override { return interrupted_.load(); }
  static v8::ModifyCodeGenerationFromStringsResult OnCodeFromString(
      v8::Local<v8::Context> context, v8::Local<v8::Value>, bool);
  static void OnRejection(v8::PromiseRejectMessage message);
  static ModuleLoader* FindModules(v8::Isolate* isolate);

  Realm* realm() const { return session_.realm(); }
  void WakeLoop() override { Wake(); }
  void Run();
  Next RunIsolate();
  Next RunRealm(bool isolate_is_fresh);
  Next RunWithoutRealm(bool isolate_is_fresh);
  bool RuntimeMayWait() const;
  bool CreateRealm();
  bool StartRuntime();
  bool Serve();
  bool ServeClosed();
  bool RunClosed(const Entry& entry);
  wire::CallResult CallClosed(const Entry& entry, const Job& job,
                              v8::Local<v8::Value>* outcome);
  void DisposeRealm();
  // False when execution was terminated.
  bool TurnLoop();
  void RunTasks();
  void RunMicrotasks();
  bool RunTicks(size_t* ran);
  bool SettleOrWait();
  void EndRealm();
  void ReadMail();
  bool HasCancelToAnnounce() const;
  void AnnounceCancel();
  void RunInspection();
  void AnswerRequests();
  void AnswerInspection(double id, bool ok);
  void EndParked();
  void RememberCode();
  void KeepModuleCode();
  bool LoadAhead();
  void ReleaseMemoryIfAsked();
  void SleepUntilWoken();
  void GiveStack();
  bool Spin();
  bool LoopIsLive();
  bool HasTasks();
  double UsedBytes();
  bool IsolateIsUsedUp();
  bool IsolateIsCrowded();
  Next AfterTermination();
  void SetBusy(Busy busy) {
    busy_ = busy;
    in_realm_.store(busy == Busy::kNo, std::memory_order_relaxed);
  }
  // Whether a call into the realm has returned, see (4).
  void Note(bool returned) { call_terminated_ = call_terminated_ || !returned; }
  bool Terminated() const {
    return call_terminated_ || interrupted_.load() || Unusable();
  }
  bool Unusable() const { return session_.memory().hit(); }
  // V8 keeps the realms in which it has counted what is executed.
  bool HasLastRealm() const { return Unusable() || CoverageFlag::IsOn(); }
  void GiveUp();
  void PostExit();
  void PostEvent(WorkerEvent::Kind kind);
  void PostFresh();

  const std::shared_ptr<PoolCore> pool_;
  const PlatformBridge platform_;
  const uint32_t number_;
  const uint32_t place_;
  const uint32_t thread_id_;
  ThreadCpuClock cpu_clock_;
  WakeGate gate_;
  WorkerLoop loop_;
  uv_thread_t thread_{};

  // Any thread.
  std::atomic<bool> in_loop_{false};
  std::atomic<bool> has_strays_{false};
  std::atomic<uint64_t> turns_{0};
  std::atomic<bool> must_release_{false};
  std::atomic<bool> interrupted_{false};
  // Its realm is complete and neither prepares itself nor clears up, so code
  // that runs without a job is a leftover of jobs.
  std::atomic<bool> in_realm_{false};
  std::atomic<bool> given_up_{false};
  std::atomic<bool> finished_{false};
  Mailbox mailbox_;

  // Worker thread.
  MicrotaskBound microtasks_;
  Inspection inspection_;
  Debugging debugging_{this};
  HeapPeak heap_peak_;
  IsolateSession session_;
  JobRunner jobs_;
  int holds_ = 0;
  size_t loaded_ahead_ = 0;  // A place in UsedBuiltins; of this realm.
  double announced_ = 0;
  // The isolate is not to be used any more.
  bool ended_in_task_ = false;
  bool ended_in_microtasks_ = false;
  bool stack_is_deep_ = false;  // Since it slept last.
  bool shares_gone_ = false;
  bool call_terminated_ = false;
  Diagnostic exit_why_ = Diagnostic::kNone;
  Busy busy_ = Busy::kNo;
  Detail init_failure_ = Detail::kNone;
  // Since the last termination.
  bool microtasks_exceeded_ = false;
  // The last one did, and how many jobs had come by then.
  bool init_failed_ = false;
  uint64_t init_failed_at_ = 0;
  bool init_done_ = false;  // In this realm.
  double slept_after_ = 0;  // The job.
  Payoff spinning_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_WORKER_THREAD_H_

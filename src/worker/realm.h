// One V8 context, and in it the runtime's JavaScript once Start() has run that.
// A worker has one at a time and gets a new one after a termination, or for
// every job when the pool asks for that.
//
// Worker thread only. A realm that was replaced may still have code that V8
// calls (a late WebAssembly result): its natives recognise by `id` that they
// are stale and do nothing.
#ifndef SLOPPY_WORKERS_WORKER_REALM_H_
#define SLOPPY_WORKERS_WORKER_REALM_H_

#include <v8.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/live.h"
#include "base/protocol_gen.h"
#include "isolate/bootstrap_code.h"
#include "isolate/payload_v8.h"
#include "job/job.h"
#include "job/mail.h"
#include "pool/env_core.h"

namespace sloppy::workers {

class Realm {
 public:
  static constexpr uint32_t kScratchSlots = 8192;
  static constexpr size_t kScratchBytes = kScratchSlots * sizeof(double);

  // nullptr when execution was terminated or memory ran out meanwhile.
  static std::unique_ptr<Realm> Create(SharedTexts* texts, int32_t id);
  Realm(const Realm&) = delete;
  Realm& operator=(const Realm&) = delete;

  int32_t id() const { return id_; }
  v8::Local<v8::Context> context() const { return context_.Get(isolate_); }

  // Runs the runtime's JavaScript, once and with the context entered, before
  // any code that could change the built-ins it captures. False when execution
  // was terminated or memory ran out meanwhile: the realm is of no use then.
  // `scratch` is of kScratchBytes, or missing because memory ran out.
  // `with_globals`: it defines them ahead of the first that may look for one
  // (src/runtime/install-globals.js).
  bool Start(const PoolConfig& config, BootstrapCode* code,
             const std::shared_ptr<v8::BackingStore>& scratch,
             bool with_globals);
  // The same with natives of another host's (src/sandbox).
  using NativesMaker =
      std::function<v8::MaybeLocal<v8::Object>(v8::Local<v8::Context> context)>;
  bool Start(const NativesMaker& make_natives, bool allow_eval,
             BootstrapCode* code,
             const std::shared_ptr<v8::BackingStore>& scratch,
             bool with_globals);
  bool has_runtime() const { return !serve_.IsEmpty(); }

  // The hooks of src/runtime/bootstrap.js. False when the call ended by
  // termination. Without the runtime they do nothing.
  bool Serve() { return Call(serve_); }
  bool OnTimer(double id) { return Call(on_timer_, id); }
  // Callbacks of process.nextTick() wait: for microtasks to run, or have run.
  bool HasTicks() const {
    return header_ != nullptr && header_[wire::Header::kTicks] > 0;
  }
  // A callback has thrown, so that ticks and microtasks wait until the next
  // one has run, as in Node.
  bool HoldsTicks() const {
    return header_ != nullptr && header_[wire::Header::kTicks] < 0;
  }
  void ReleaseTicks() {
    if (HoldsTicks()) header_[wire::Header::kTicks] = 1;
  }
  // Runs at most Limit.Ticks of them.
  bool OnTicks() { return Call(on_ticks_); }
  bool OnCancel(double seq) { return Call(on_cancel_, seq); }
  // The job has ended without its own doing, and its realm goes on.
  bool OnOver(double seq) { return Call(on_over_, seq); }
  // `seq` is the job's the mail is for, 0 for the worker as a whole.
  bool OnMail(uint32_t channel, double seq);
  // The job `seq` has run before the runtime was there. `outcome` is the value
  // that its function has returned or thrown, or that compiling it has thrown.
  bool OnOutcome(double seq, v8::Local<v8::Value> outcome,
                 wire::CallResult how);
  // What became of a promise: see wire::Rejection.
  bool OnRejection(v8::Local<v8::Promise> promise, v8::Local<v8::Value> value,
                   wire::Rejection what);
  // The worker has no more use for the realm: its modules clear up.
  bool OnEnd() { return Call(on_end_); }
  // JavaScript running: code is about to be made of a string.
  void OnCodeFromString();
  // Nothing is left to do: no job, no timer, nothing awaited.
  bool OnIdle() { return Call(on_idle_); }

  // Loads a built-in before a job asks for it (UsedBuiltins).
  bool OnLoadAhead(const std::string& builtin);

  // Puts a job's input where serve() reads it. `deadline_ms` is on the scale
  // of NowMs(), Infinity for none.
  // `*text` receives the text of a small one: it is not in the box then.
  bool PresentJob(Job* job, double seq, double deadline_ms,
                  v8::Local<v8::Value>* text);

  // The result of a job, as src/runtime/bootstrap.js has laid it out; see
  // Payload::FillShort.
  struct SmallResult {
    PayloadKind kind;
    double number;
    uint32_t size;
    const double* body;
  };
  SmallResult ReadResult() const;

  // Puts a value where the runtime reads it.
  bool PresentPayload(Payload* payload);

  // The function of an entry that was compiled before the runtime was there;
  // empty for any other.
  v8::MaybeLocal<v8::Function> CompiledOf(uint32_t entry) const;
  void KeepCompiled(uint32_t entry, v8::Local<v8::Function> function);

  // The parts of the runtime that have run, as bits (src/runtime/later.js); and
  // whether it has taken a job itself, and ended one that C++ has called.
  uint32_t parts() const;
  // Jobs have looked for globals, or might have.
  bool has_globals() const { return (parts() & kGlobals) != 0; }

  static double NowMs();

 private:
  // Bits beside those of the parts.
  static constexpr uint32_t kGlobals = wire::Part::kGlobals;
  static constexpr uint32_t kTookJob = uint32_t{1} << 29;
  static constexpr uint32_t kEndedJob = uint32_t{1} << 30;
  static constexpr int kHeaderSlots = int{wire::Header::kBody} +
                                      int{Slots::kInlineSlots} +
                                      int{Text::kInlineBytes} / 8;

  Realm(SharedTexts* texts, int32_t id)
      : isolate_(texts->isolate()), texts_(texts), id_(id) {}
  bool Call(const v8::Global<v8::Function>& hook);
  bool Call(const v8::Global<v8::Function>& hook, double argument);
  bool CallWith(const v8::Global<v8::Function>& hook, int argc,
                v8::Local<v8::Value>* argv);
  bool PresentShort(Payload* payload, v8::Local<v8::Value>* text);
  bool PutInBox(v8::Local<v8::Context> context, uint32_t index,
                v8::Local<v8::Value> value);

  Counted<Live::kRealms> counted_;
  v8::Isolate* const isolate_;
  SharedTexts* const texts_;
  const int32_t id_;
  v8::Global<v8::Context> context_;
  v8::Global<v8::Function> serve_;
  v8::Global<v8::Function> on_timer_;
  v8::Global<v8::Function> on_ticks_;
  v8::Global<v8::Function> on_cancel_;
  v8::Global<v8::Function> on_over_;
  v8::Global<v8::Function> on_mail_;
  v8::Global<v8::Function> on_end_;
  v8::Global<v8::Function> on_idle_;
  v8::Global<v8::Function> on_load_ahead_;
  v8::Global<v8::Function> on_code_from_string_;
  v8::Global<v8::Function> on_rejection_;
  v8::Global<v8::Function> on_outcome_;
  v8::Global<v8::Function> compiled_;
  uint32_t compiled_entry_ = 0;
  uint32_t served_ = 0;
  v8::Global<v8::Array> box_;
  bool box_filled_[2] = {false, false};
  // The memory of buffers that the realm's own code keeps alive.
  double* header_ = nullptr;
  double* scratch_ = nullptr;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_REALM_H_

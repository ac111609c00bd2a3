// Debuggers' sessions with one worker, which live as long as the worker, over
// one isolate and realm after another. V8 is asked on the worker's thread only.
// Messages from others wait in a mailbox, which the worker reads between turns,
// in an interrupt of its JavaScript, and while it is paused.
//
// Costs nothing until a debugger may come (DebugFlag): isolates are debuggable
// from their beginning or not at all, because V8 does not tell of scripts that
// were compiled before. The same part of V8 counts what is executed
// (CoverageFlag).
#ifndef SLOPPY_WORKERS_WORKER_DEBUGGING_H_
#define SLOPPY_WORKERS_WORKER_DEBUGGING_H_

#include <v8.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/coverage_flag.h"
#include "base/debug_flag.h"
#include "base/mutex.h"

namespace sloppy::workers {

struct DebugMessage {
  enum class Kind : uint8_t {
    kConnect,
    kSend,
    kDisconnect,
    kDisconnectAll,
    // Wakes the worker, which looks around.
    kNone,
  };
  Kind kind = Kind::kNone;
  int session = 0;
  std::string text;
  // It has ended an expression, and ends those before it too.
  bool ends = false;
};

class Debugging {
 public:
  // The worker, of which any thread may ask this.
  class Host {
   public:
    virtual void WakeForDebugger() = 0;
    // Terminates what its isolate executes, which is not its job.
    virtual void EndExpression() = 0;
    // Its JavaScript is being terminated.
    virtual bool IsInterrupted() const = 0;

   protected:
    ~Host() = default;
  };

  // Whether this addon can do it, with this Node, by their versions. Who turns
  // it on asks FlawOfInspector() first.
  static bool IsSupported();

  explicit Debugging(Host* host);
  ~Debugging();
  Debugging(const Debugging&) = delete;
  Debugging& operator=(const Debugging&) = delete;

  // Any thread. Runtime.terminateExecution and the end of a session do not wait
  // for their turn where that session evaluates an expression: they end it, and
  // nothing else.
  void Post(DebugMessage message) SW_EXCLUDES(mutex_);
  // Any thread: the host is interrupted, which ends a pause.
  void Release() SW_EXCLUDES(mutex_);

  // Worker thread, in this order: the isolate is entered; for each of its
  // contexts, before any code runs there and before it goes; then the isolate,
  // which is still usable.
  void IsolateMade(v8::Isolate* isolate);
  void ContextMade(v8::Local<v8::Context> context);
  // `has_room`: the memory limit was not hit.
  void ContextGoes(v8::Local<v8::Context> context, bool has_room);
  void IsolateGoes();

  // Worker thread, while none of its JavaScript runs: reads the mailbox.
  void Run() SW_EXCLUDES(mutex_);
  // The same in an interrupt of its JavaScript. What is evaluated does not
  // pause: V8 looks at the functions below then, and ends the process if one
  // was interrupted at its beginning ("Check failed: needs_context && …").
  void RunInside() SW_EXCLUDES(mutex_);
  // Worker thread: once in the worker's life waits for a debugger that lets it
  // go on, if workers are to wait.
  void AwaitDebugger() SW_EXCLUDES(mutex_);
  // Worker thread: modules are linked, or no more. V8 calls their functions
  // then, which suspend themselves; a step from a pause there returned another
  // value than the generator that V8 expects, and the process crashed when the
  // module was evaluated. A pause that is due comes after it.
  void SetLinking(bool yes);
  // Worker thread: debuggers are told what `console` prints. Before any user's
  // code has it.
  void ShareConsole(v8::Local<v8::Context> context,
                    v8::Local<v8::Object> console);
  // Worker thread: it will not go on, and must not hold the limits of others.
  void StopHolding();
  // Worker thread: a debugger may attach to this isolate.
  bool has_inspector() const { return has_inspector_; }
  // Worker thread: a debugger may come, but this isolate would not notice.
  bool NeedsIsolate() const {
    return DebugFlag::IsOpen() && !has_inspector_ && IsSupported();
  }

 private:
  class Client;
  // A message is read that may evaluate something.
  struct Expression {
    int session;
    bool must_end = false;
  };

  // Waits for messages and reads them until `done()`, or until the host is
  // interrupted. Time limits stand still meanwhile.
  void ReadUntil(const std::function<bool()>& done) SW_EXCLUDES(mutex_);
  static void OnPauseOver(v8::Isolate* isolate, void* self);
  bool CanRead() const;
  // Its JavaScript is being terminated, perhaps by what a message evaluated.
  // The next message would find V8 in the midst of that, which ends the process
  // ("Check failed: tryCatch.HasCaught()"): it waits until that is over.
  bool MustUnwind() const;
  bool Take(DebugMessage* message) SW_EXCLUDES(mutex_);
  void Read(const DebugMessage& message) SW_EXCLUDES(mutex_);
  void BeginExpression(int session) SW_EXCLUDES(mutex_);
  void FinishExpression() SW_EXCLUDES(mutex_);
  void EndLast(DebugMessage* by) SW_REQUIRES(mutex_);

  Host* const host_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<DebugMessage> inbox_ SW_GUARDED_BY(mutex_);
  // One within another's pause; changed by the worker's thread.
  std::vector<Expression> expressions_ SW_GUARDED_BY(mutex_);
  std::atomic<bool> has_mail_{false};
  std::atomic<bool> waits_{false};

  // Worker thread.
  std::unique_ptr<Client> client_;
  bool has_inspector_ = false;
  bool has_awaited_ = false;
  // A message is being read.
  bool is_reading_ = false;
  bool is_linking_ = false;
  // V8 was asked for a pause in an interrupt, and has not come to it.
  bool awaits_pause_ = false;
  // The depth of ReadUntil(), one inside of another: code that is evaluated
  // while the worker waits may pause.
  int holds_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_DEBUGGING_H_

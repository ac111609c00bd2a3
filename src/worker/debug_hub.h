// The workers of this process for those who debug them, and the one endpoint
// through which they do. Never destroyed. Its mutex is taken before that of a
// worker's Debugging, never after.
#ifndef SLOPPY_WORKERS_WORKER_DEBUG_HUB_H_
#define SLOPPY_WORKERS_WORKER_DEBUG_HUB_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/protocol_gen.h"
#include "worker/debugging.h"

namespace sloppy::workers {

struct DebugEvent {
  using Kind = wire::DebugEventKind;
  Kind kind = Kind::kSaid;
  // The worker's, or for what was said the session's.
  int id = 0;
  std::u16string text;
};

class DebugHub {
 public:
  using Listener = std::function<void(DebugEvent)>;
  using Target = std::pair<int, std::string>;
  using Title = std::function<std::string()>;

  static DebugHub& Get();

  // Worker threads: for the worker's life. `title` is called on any thread.
  int Join(Debugging* worker, Title title) SW_EXCLUDES(mutex_);
  void Leave(int id) SW_EXCLUDES(mutex_);
  // Passes on a text that a worker sends in a session.
  void Say(int session, std::u16string text) SW_EXCLUDES(mutex_);
  // Workers wait for a debugger when they start.
  bool MustWait() const { return waits_.load(); }
  // Code that asks for it is paused at its next call, once in each worker.
  bool MustPauseAtCall() const { return pauses_at_call_.load(); }

  // The endpoint's, any thread. From now on isolates are debuggable; `wait` as
  // in SetWait().
  void Prepare(bool wait, bool pauses_at_call) SW_EXCLUDES(mutex_);
  // Takes Prepare() back, because Open() will not follow.
  void Withdraw() SW_EXCLUDES(mutex_);
  // `listener` is called on any thread with the hub's mutex held, until
  // Close(). False if there is one already.
  bool Open(Listener listener) SW_EXCLUDES(mutex_);
  // All sessions end, and all pauses.
  void Close() SW_EXCLUDES(mutex_);
  void SetWait(bool wait) SW_EXCLUDES(mutex_);
  std::vector<Target> Targets() SW_EXCLUDES(mutex_);
  // False for a worker that is gone.
  bool Post(int id, DebugMessage message) SW_EXCLUDES(mutex_);

 private:
  DebugHub() = default;
  void PostAll(DebugMessage::Kind kind) SW_REQUIRES(mutex_);

  Mutex mutex_;
  std::map<int, std::pair<Title, Debugging*>> workers_ SW_GUARDED_BY(mutex_);
  int last_ SW_GUARDED_BY(mutex_) = 0;
  Listener listener_ SW_GUARDED_BY(mutex_);
  std::atomic<bool> waits_{false};
  std::atomic<bool> pauses_at_call_{false};
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_DEBUG_HUB_H_

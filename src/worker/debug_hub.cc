#include "worker/debug_hub.h"

namespace sloppy::workers {

DebugHub& DebugHub::Get() {
  static auto* const hub = new DebugHub;
  return *hub;
}

int DebugHub::Join(Debugging* worker, Title title) {
  MutexLock lock(mutex_);
  const int id = ++last_;
  if (listener_) listener_({DebugEvent::Kind::kMade, id, {}});
  workers_.emplace(id, std::pair(std::move(title), worker));
  return id;
}

void DebugHub::Leave(int id) {
  MutexLock lock(mutex_);
  workers_.erase(id);
  if (listener_) listener_({DebugEvent::Kind::kGone, id, {}});
}

void DebugHub::Say(int session, std::u16string text) {
  MutexLock lock(mutex_);
  if (listener_) listener_({DebugEvent::Kind::kSaid, session, std::move(text)});
}

void DebugHub::Prepare(bool wait, bool pauses_at_call) {
  MutexLock lock(mutex_);
  // Another environment's endpoint is open, so Open() will fail.
  if (listener_) return;
  waits_.store(wait);
  pauses_at_call_.store(pauses_at_call);
  DebugFlag::Set(true);
}

void DebugHub::Withdraw() {
  MutexLock lock(mutex_);
  if (listener_) return;
  waits_.store(false);
  pauses_at_call_.store(false);
  DebugFlag::Set(false);
  PostAll(DebugMessage::Kind::kNone);
}

bool DebugHub::Open(Listener listener) {
  MutexLock lock(mutex_);
  if (listener_) return false;
  listener_ = std::move(listener);
  DebugFlag::Set(true);
  // Those that sleep get a debuggable isolate.
  PostAll(DebugMessage::Kind::kNone);
  return true;
}

void DebugHub::Close() {
  MutexLock lock(mutex_);
  listener_ = nullptr;
  waits_.store(false);
  pauses_at_call_.store(false);
  DebugFlag::Set(false);
  PostAll(DebugMessage::Kind::kDisconnectAll);
}

void DebugHub::SetWait(bool wait) {
  MutexLock lock(mutex_);
  waits_.store(wait);
  if (!wait) PostAll(DebugMessage::Kind::kNone);
}

std::vector<DebugHub::Target> DebugHub::Targets() {
  MutexLock lock(mutex_);
  std::vector<Target> targets;
  for (const auto& [id, worker] : workers_) {
    targets.emplace_back(id, worker.first());
  }
  return targets;
}

bool DebugHub::Post(int id, DebugMessage message) {
  MutexLock lock(mutex_);
  const auto found = workers_.find(id);
  if (found == workers_.end()) return false;
  found->second.second->Post(std::move(message));
  return true;
}

void DebugHub::PostAll(DebugMessage::Kind kind) {
  for (const auto& [id, worker] : workers_) {
    worker.second->Post({kind, 0, {}});
  }
}

}  // namespace sloppy::workers

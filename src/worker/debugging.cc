#include "worker/debugging.h"

#include <string_view>
#include <utility>
#include <vector>

#include "base/limits_clock.h"
#include "isolate/inspector_proof.h"
#include "isolate/v8_inspector.h"
#include "worker/debug_client.h"
#include "worker/debug_hub.h"
#include "worker/debug_session.h"

namespace sloppy::workers {

bool Debugging::IsSupported() {
#if SW_HAS_INSPECTOR
  static const bool fits = FlawOfV8(v8::V8::GetVersion()).empty();
  return fits;
#else
  return false;
#endif
}

namespace {

constexpr std::string_view kTerminate = "Runtime.terminateExecution";
// V8 answers it, and does nothing else.
constexpr std::string_view kNothing = "Console.clearMessages";

bool Ends(const DebugMessage& message, int session) {
  switch (message.kind) {
    case DebugMessage::Kind::kSend:
      return message.session == session &&
             (message.ends || IsCallOf(kTerminate, message.text));
    case DebugMessage::Kind::kDisconnect:
      return message.session == session;
    case DebugMessage::Kind::kDisconnectAll:
      return true;
    default:
      return false;
  }
}

}  // namespace

Debugging::Debugging(Host* host) : host_(host) {}

Debugging::~Debugging() = default;

void Debugging::Post(DebugMessage message) {
  {
    const MutexLock lock(mutex_);
    if (!expressions_.empty() && Ends(message, expressions_.back().session)) {
      EndLast(&message);
    }
    inbox_.push_back(std::move(message));
    has_mail_.store(true);
  }
  changed_.NotifyAll();
  host_->WakeForDebugger();
}

// The host was interrupted before, and ReadUntil() looks for that after it has
// said that it waits: one of the two sees the other.
void Debugging::Release() {
  if (!waits_.load()) return;
  { const MutexLock lock(mutex_); }
  changed_.NotifyAll();
}

void Debugging::IsolateMade(v8::Isolate* isolate) {
  if (!DebugFlag::IsOpen() && !CoverageFlag::IsOn()) return;
  if (!IsSupported()) return;
  if (client_ == nullptr) client_ = std::make_unique<Client>(this);
  client_->Begin(isolate);
  has_inspector_ = true;
}

void Debugging::IsolateGoes() {
  awaits_pause_ = false;
  if (!std::exchange(has_inspector_, false)) return;
  client_->End();
}

void Debugging::ShareConsole(v8::Local<v8::Context> context,
                             v8::Local<v8::Object> console) {
  if (has_inspector_ && DebugFlag::IsOpen()) {
    client_->console().Share(context, console);
  }
}

void Debugging::ContextMade(v8::Local<v8::Context> context) {
  if (!has_inspector_) return;
  client_->ContextMade(context);
  Run();
}

void Debugging::ContextGoes(v8::Local<v8::Context> context, bool has_room) {
  if (has_inspector_) client_->ContextGoes(context, has_room);
}

bool Debugging::Take(DebugMessage* message) {
  const MutexLock lock(mutex_);
  has_mail_.store(!inbox_.empty());
  if (inbox_.empty()) return false;
  *message = std::move(inbox_.front());
  inbox_.pop_front();
  return true;
}

bool Debugging::CanRead() const {
  // An interrupt of what a message evaluates: V8 is inside of that message, and
  // perhaps of a pause, where a step of others crashes it.
  return has_mail_.load() && has_inspector_ && client_->is_ready() &&
         !is_reading_ && !is_linking_ && !MustUnwind();
}

bool Debugging::MustUnwind() const {
  return host_->IsInterrupted() || client_->IsTerminating();
}

void Debugging::Run() {
  if (!CanRead()) return;
  // Messages that come meanwhile are read in the next turn, because the worker
  // may have to leave.
  size_t count = 0;
  {
    const MutexLock lock(mutex_);
    count = inbox_.size();
  }
  for (DebugMessage message; count > 0 && !MustUnwind() && Take(&message);
       --count) {
    Read(message);
  }
}

void Debugging::RunInside() {
  if (awaits_pause_ || !CanRead()) return;
  for (DebugMessage message;
       !awaits_pause_ && !MustUnwind() && Take(&message);) {
    client_->IgnorePauses(true);
    Read(message);
    client_->IgnorePauses(false);
    if (!IsCallOf("Debugger.pause", message.text)) continue;
    // V8 does so in an interrupt of its own, which comes before this one.
    awaits_pause_ = true;
    client_->RequestInterrupt(OnPauseOver, this);
  }
}

void Debugging::OnPauseOver(v8::Isolate*, void* self) {
  auto* debugging = static_cast<Debugging*>(self);
  debugging->awaits_pause_ = false;
  debugging->RunInside();
}

void Debugging::SetLinking(bool yes) {
  if (!has_inspector_) return;
  is_linking_ = yes;
  client_->IgnorePauses(yes);
  if (yes) return;
  if (!MustUnwind()) client_->RepeatPause();
  if (has_mail_.load()) host_->WakeForDebugger();
}

void Debugging::Read(const DebugMessage& message) {
  const bool was_reading = std::exchange(is_reading_, true);
  const bool evaluates = message.kind == DebugMessage::Kind::kSend;
  if (evaluates) BeginExpression(message.session);
  client_->Do(message);
  if (evaluates) FinishExpression();
  is_reading_ = was_reading;
  // Code that it evaluated may have taken the termination that was for the job,
  // or have ended the job by process.exit().
  if (MustUnwind()) client_->Terminate();
}

void Debugging::BeginExpression(int session) {
  const MutexLock lock(mutex_);
  expressions_.push_back({session});
  for (DebugMessage& message : inbox_) {
    if (Ends(message, session)) {
      EndLast(&message);
      return;
    }
  }
}

void Debugging::FinishExpression() {
  bool ended = false;
  bool must_end = false;
  {
    const MutexLock lock(mutex_);
    ended = expressions_.back().must_end;
    expressions_.pop_back();
    must_end = !expressions_.empty() && expressions_.back().must_end;
  }
  // The termination may have come too late for it, and not be for the job.
  if (ended) client_->CancelTermination();
  if (must_end) client_->Terminate();
}

void Debugging::EndLast(DebugMessage* by) {
  expressions_.back().must_end = true;
  host_->EndExpression();
  by->ends = true;
  // V8 would end the job's code in its turn.
  const size_t at = by->text.find(kTerminate);
  if (at != std::string::npos) {
    by->text.replace(at, kTerminate.size(), kNothing);
  }
}

void Debugging::StopHolding() {
  for (; holds_ > 0; --holds_) LimitsClock::Release();
}

void Debugging::ReadUntil(const std::function<bool()>& done) {
  LimitsClock::Hold();
  ++holds_;
  while (!done()) {
    {
      const MutexLock lock(mutex_);
      waits_.store(true);
      while (inbox_.empty() && !host_->IsInterrupted()) changed_.Wait(mutex_);
      waits_.store(false);
    }
    if (MustUnwind()) break;
    // One by one, because V8 ignores a pause while it is still paused: what
    // follows the message that ends this is read after it.
    DebugMessage message;
    if (Take(&message)) Read(message);
  }
  LimitsClock::Release();
  --holds_;
  if (has_mail_.load()) host_->WakeForDebugger();
}

void Debugging::AwaitDebugger() {
  if (!has_inspector_ || std::exchange(has_awaited_, true)) return;
  if (!DebugHub::Get().MustWait()) return;
  ReadUntil(
      [this] { return client_->may_start() || !DebugHub::Get().MustWait(); });
}

}  // namespace sloppy::workers

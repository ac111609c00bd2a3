#include "worker/debugging.h"

#include <chrono>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits_clock.h"
#include "isolate/inspector_proof.h"
#include "isolate/modules/file_path.h"
#include "isolate/modules/v8_text.h"
#include "isolate/v8_compat.h"
#include "isolate/v8_inspector.h"
#include "worker/coverage.h"
#include "worker/debug_hub.h"
#include "worker/debug_session.h"
#include "worker/debugged_console.h"

namespace sloppy::workers {

#if SW_HAS_INSPECTOR

namespace {

using v8_inspector::StringBuffer;
using v8_inspector::StringView;
using v8_inspector::V8Inspector;

// Contexts of one isolate that a session sees together.
constexpr int kGroup = 1;

}  // namespace

class Debugging::Client final : private v8_inspector::V8InspectorClient {
 public:
  explicit Client(Debugging* owner) : owner_(owner) {}

  void Begin(v8::Isolate* isolate) {
    isolate_ = isolate;
    inspector_ = V8Inspector::create(isolate, this);
  }
  void End() {
    for (auto& [id, session] : sessions_) session->Detach();
    context_.Reset();
    inspector_.reset();
    isolate_ = nullptr;
  }
  void ContextMade(v8::Local<v8::Context> context) {
    context_.Reset(isolate_, context);
    v8_inspector::V8ContextInfo info;
    info.context = context;
    info.group = kGroup;
    info.name = ViewOf("sloppy-workers");
    inspector_->contextCreated(info);
    if (CoverageFlag::IsOn()) {
      coverage_ = std::make_unique<Coverage>(inspector_.get(), kGroup);
    }
    console_.Begin(context);
    if (!has_paused_ && DebugHub::Get().MustPauseAtCall()) OfferPause(context);
    for (auto& [id, session] : sessions_) {
      if (!session->attached()) session->Attach(inspector_.get(), kGroup);
    }
  }
  void ContextGoes(v8::Local<v8::Context> context, bool has_room) {
    if (coverage_ != nullptr && has_room) {
      coverage_->WriteTo(*CoverageFlag::Directory());
    }
    // The counts keep their realm alive.
    coverage_.reset();
    inspector_->contextDestroyed(context);
    console_.End();
    context_.Reset();
  }

  void Terminate() { isolate_->TerminateExecution(); }
  void RequestInterrupt(v8::InterruptCallback callback, void* data) {
    isolate_->RequestInterrupt(callback, data);
  }

  void IgnorePauses(bool yes) {
    for (auto& [id, session] : sessions_) session->IgnorePauses(yes);
  }

  DebuggedConsole& console() { return console_; }
  bool is_ready() const { return !context_.IsEmpty(); }
  bool may_start() const { return may_start_; }

  void Do(const DebugMessage& message) {
    const v8::HandleScope scope(isolate_);
    const auto found = sessions_.find(message.session);
    switch (message.kind) {
      case DebugMessage::Kind::kConnect: {
        auto session = std::make_unique<DebugSession>(message.session);
        session->Attach(inspector_.get(), kGroup);
        sessions_[message.session] = std::move(session);
        break;
      }
      case DebugMessage::Kind::kSend:
        if (found != sessions_.end()) found->second->Dispatch(message.text);
        break;
      case DebugMessage::Kind::kDisconnect:
        if (found != sessions_.end()) found->second->Leave();
        break;
      case DebugMessage::Kind::kDisconnectAll:
        for (auto& [id, session] : sessions_) session->Leave();
        break;
      case DebugMessage::Kind::kNone:
        break;
    }
    Sweep();
  }

 private:
  // A session that V8 is inside of goes later.
  void Sweep() {
    std::erase_if(sessions_, [](const auto& row) {
      return row.second->gone() && !row.second->in_use();
    });
    if (!HasSession()) must_resume_ = true;
  }
  bool HasSession() const {
    for (const auto& [id, session] : sessions_) {
      if (!session->gone()) return true;
    }
    return false;
  }

  // For the command line (lib/cli/isolate-call.js).
  void OfferPause(v8::Local<v8::Context> context) {
    v8::Local<v8::Function> pause;
    if (!v8::Function::New(context, PauseAtCall, NewExternal(isolate_, this))
             .ToLocal(&pause)) {
      return;
    }
    const v8::Local<v8::Symbol> name = v8::Symbol::For(
        isolate_,
        v8::String::NewFromUtf8Literal(isolate_, "sloppy-workers.pauseAtCall"));
    context->Global()
        ->DefineOwnProperty(context, name, pause, v8::DontEnum)
        .FromMaybe(false);
  }
  static void PauseAtCall(const v8::FunctionCallbackInfo<v8::Value>& info) {
    auto* self =
        static_cast<Client*>(ExternalValue(info.Data().As<v8::External>()));
    if (self->has_paused_) return;
    for (auto& [id, session] : self->sessions_) {
      if (!self->has_paused_) self->has_paused_ = session->Pause();
    }
  }

  void runMessageLoopOnPause(int) override {
    // Nobody is there who could let it go on.
    if (is_paused_ || !HasSession()) return;
    is_paused_ = true;
    must_resume_ = false;
    owner_->ReadUntil([this] { return must_resume_; });
    is_paused_ = false;
  }
  void quitMessageLoopOnPause() override { must_resume_ = true; }
  // It may come before the worker waits.
  void runIfWaitingForDebugger(int) override { may_start_ = true; }
  v8::Local<v8::Context> ensureDefaultContextInGroup(int) override {
    return context_.Get(isolate_);
  }
  double currentTimeMS() override {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>(now).count();
  }
  // CommonJS is compiled under a path, and a debugger looks for URLs.
  Text resourceNameToUrl(const StringView& name) override {
    const std::u16string text = TextOf(name);
    if (text.empty() || text[0] != u'/') return nullptr;
    v8::Local<v8::String> path;
    if (!v8::String::NewFromTwoByte(
             isolate_, reinterpret_cast<const uint16_t*>(text.data()),
             v8::NewStringType::kNormal, static_cast<int>(text.size()))
             .ToLocal(&path)) {
      return nullptr;
    }
    return StringBuffer::create(ViewOf(FileUrl(ToUtf8(isolate_, path))));
  }

  Debugging* const owner_;
  v8::Isolate* isolate_ = nullptr;
  std::unique_ptr<V8Inspector> inspector_;
  v8::Global<v8::Context> context_;
  std::map<int, std::unique_ptr<DebugSession>> sessions_;
  std::unique_ptr<Coverage> coverage_;
  DebuggedConsole console_;
  bool is_paused_ = false;
  bool must_resume_ = false;
  bool may_start_ = false;
  bool has_paused_ = false;
};

bool Debugging::IsSupported() {
  static const bool fits = FlawOfV8(v8::V8::GetVersion()).empty();
  return fits;
}

#else

class Debugging::Client {
 public:
  explicit Client(Debugging*) {}
  void Begin(v8::Isolate*) {}
  void End() {}
  DebuggedConsole& console() { return console_; }
  void ContextMade(v8::Local<v8::Context>) {}
  void ContextGoes(v8::Local<v8::Context>, bool) {}
  bool is_ready() const { return false; }
  void Terminate() {}
  void RequestInterrupt(v8::InterruptCallback, void*) {}
  void IgnorePauses(bool) {}
  bool may_start() const { return true; }
  void Do(const DebugMessage&) {}

 private:
  DebuggedConsole console_;
};

bool Debugging::IsSupported() { return false; }

#endif  // SW_HAS_INSPECTOR

Debugging::Debugging(Host* host) : host_(host) {}

Debugging::~Debugging() = default;

void Debugging::Post(DebugMessage message) {
  {
    const MutexLock lock(mutex_);
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
         !is_reading_;
}

void Debugging::Run() {
  if (!CanRead()) return;
  // What comes meanwhile is read in the next turn, because the worker may have
  // to leave.
  size_t count = 0;
  {
    const MutexLock lock(mutex_);
    count = inbox_.size();
  }
  for (DebugMessage message; count > 0 && Take(&message); --count) {
    Read(message);
  }
}

void Debugging::RunInside() {
  if (awaits_pause_ || !CanRead()) return;
  for (DebugMessage message; !awaits_pause_ && Take(&message);) {
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

void Debugging::Read(const DebugMessage& message) {
  const bool was_reading = std::exchange(is_reading_, true);
  client_->Do(message);
  is_reading_ = was_reading;
  // What it evaluated may have taken the termination that was for the job.
  if (host_->IsInterrupted()) client_->Terminate();
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
    if (host_->IsInterrupted()) break;
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

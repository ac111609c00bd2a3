// The client that V8's inspector calls in a worker, and its sessions. It is a
// part of Debugging, for debugging.cc alone. Worker thread.
#ifndef SLOPPY_WORKERS_WORKER_DEBUG_CLIENT_H_
#define SLOPPY_WORKERS_WORKER_DEBUG_CLIENT_H_

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "isolate/embedded_code.h"
#include "isolate/modules/file_path.h"
#include "isolate/modules/v8_text.h"
#include "isolate/v8_compat.h"
#include "isolate/v8_inspector.h"
#include "worker/coverage.h"
#include "worker/debug_hub.h"
#include "worker/debug_session.h"
#include "worker/debugged_console.h"
#include "worker/debugging.h"

namespace sloppy::workers {

#if SW_HAS_INSPECTOR

class Debugging::Client final : private v8_inspector::V8InspectorClient {
 public:
  explicit Client(Debugging* owner) : owner_(owner) {}

  void Begin(v8::Isolate* isolate) {
    isolate_ = isolate;
    inspector_ = v8_inspector::V8Inspector::create(isolate, this);
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

  bool IsTerminating() const { return isolate_->IsExecutionTerminating(); }
  void Terminate() { isolate_->TerminateExecution(); }
  void CancelTermination() { isolate_->CancelTerminateExecution(); }
  void RequestInterrupt(v8::InterruptCallback callback, void* data) {
    isolate_->RequestInterrupt(callback, data);
  }

  void IgnorePauses(bool yes) {
    for (auto& [id, session] : sessions_) session->IgnorePauses(yes);
  }

  void RepeatPause() {
    for (auto& [id, session] : sessions_) session->RepeatPause();
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
  // Contexts of one isolate that a session sees together.
  static constexpr int kGroup = 1;

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

  // The command line asks for it (lib/cli/isolate-call.js).
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
  // CommonJS is compiled under a path, and a debugger looks for URLs. Ours are
  // named as Node's own, because editors have a setting that hides those.
  Text resourceNameToUrl(const v8_inspector::StringView& name) override {
    const std::u16string text = TextOf(name);
    if (text.starts_with(
            std::u16string(kOwnScripts.begin(), kOwnScripts.end()))) {
      const std::u16string url =
          kShownScripts + text.substr(kOwnScripts.size());
      return v8_inspector::StringBuffer::create(
          {reinterpret_cast<const uint16_t*>(url.data()), url.size()});
    }
    if (text.empty() || text[0] != u'/') return nullptr;
    v8::Local<v8::String> path;
    if (!v8::String::NewFromTwoByte(
             isolate_, reinterpret_cast<const uint16_t*>(text.data()),
             v8::NewStringType::kNormal, static_cast<int>(text.size()))
             .ToLocal(&path)) {
      return nullptr;
    }
    return v8_inspector::StringBuffer::create(
        ViewOf(FileUrl(ToUtf8(isolate_, path))));
  }

  // lib/inspector/own-frames.js knows it.
  static constexpr char16_t kShownScripts[] = u"node:internal/sloppy-workers/";

  Debugging* const owner_;
  v8::Isolate* isolate_ = nullptr;
  std::unique_ptr<v8_inspector::V8Inspector> inspector_;
  v8::Global<v8::Context> context_;
  std::map<int, std::unique_ptr<DebugSession>> sessions_;
  std::unique_ptr<Coverage> coverage_;
  DebuggedConsole console_;
  bool is_paused_ = false;
  bool must_resume_ = false;
  bool may_start_ = false;
  bool has_paused_ = false;
};

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
  bool IsTerminating() const { return false; }
  void Terminate() {}
  void CancelTermination() {}
  void RequestInterrupt(v8::InterruptCallback, void*) {}
  void IgnorePauses(bool) {}
  void RepeatPause() {}
  bool may_start() const { return true; }
  void Do(const DebugMessage&) {}

 private:
  DebuggedConsole console_;
};

#endif  // SW_HAS_INSPECTOR

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_DEBUG_CLIENT_H_

#include "worker/debug_session.h"

#include <string>
#include <utility>

#include "base/protocol_gen.h"
#include "worker/debug_hub.h"

namespace sloppy::workers {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kKey = "\"method\"";

}  // namespace

bool IsCallOf(std::string_view method, std::string_view message) {
  const std::string quoted = '"' + std::string(method) + '"';
  // Its quotes would be escaped in a text within the message.
  const size_t at = message.find(quoted);
  if (at == std::string_view::npos) return false;
  const auto trimmed = [](std::string_view text) {
    return text.substr(0, text.find_last_not_of(kSpace) + 1);
  };
  std::string_view before = trimmed(message.substr(0, at));
  if (!before.ends_with(':')) return false;
  before.remove_suffix(1);
  return trimmed(before).ends_with(kKey);
}

#if SW_HAS_INSPECTOR

using v8_inspector::StringBuffer;
using v8_inspector::StringView;
using v8_inspector::V8Inspector;

namespace {

constexpr std::u16string_view kPaused = u"{\"method\":\"Debugger.paused\"";

}  // namespace

StringView ViewOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::u16string TextOf(StringView view) {
  if (!view.is_one_byte()) {
    return {view.units(), view.units() + view.length()};
  }
  return {view.bytes(), view.bytes() + view.length()};
}

void DebugSession::Attach(V8Inspector* inspector, int group) {
  session_ = inspector->connect(group, this, {state_.data(), state_.size()},
                                V8Inspector::kFullyTrusted,
                                V8Inspector::kNotWaitingForDebugger);
}

void DebugSession::Detach() {
  if (session_ == nullptr) return;
  state_ = session_->state();
  session_->stop();
  session_.reset();
}

void DebugSession::Dispatch(const std::string& message) {
  if (session_ == nullptr || gone_) return;
  if (IsCallOf("Debugger.pause", message) ||
      IsCallOf("Debugger.stepInto", message)) {
    awaits_pause_ = true;
  }
  ++depth_;
  session_->dispatchProtocolMessage(ViewOf(message));
  --depth_;
  if (IsCallOf("Debugger.disable", message)) {
    ignores_pauses_ = awaits_pause_ = false;
  } else if (IsCallOf("Debugger.setSkipAllPauses", message)) {
    ignores_pauses_ = message.find("true") != std::string::npos;
  }
}

void DebugSession::IgnorePauses(bool yes) {
  if (session_ != nullptr) session_->setSkipAllPauses(yes || ignores_pauses_);
}

void DebugSession::RepeatPause() {
  if (awaits_pause_) Pause();
}

bool DebugSession::Pause() {
  paused_ = false;
  Dispatch("{\"id\":" + std::to_string(wire::DebugMessageId::kOwn) +
           ",\"method\":\"Debugger.pause\"}");
  return paused_;
}

void DebugSession::sendResponse(int id, std::unique_ptr<StringBuffer> message) {
  if (id == static_cast<int>(wire::DebugMessageId::kOwn)) {
    paused_ = TextOf(message->string()).find(u"error") == std::u16string::npos;
  } else {
    Say(TextOf(message->string()));
  }
}

void DebugSession::sendNotification(std::unique_ptr<StringBuffer> message) {
  std::u16string text = TextOf(message->string());
  // V8 writes a message's method first.
  if (text.starts_with(kPaused)) awaits_pause_ = false;
  Say(std::move(text));
}

void DebugSession::Say(std::u16string text) {
  if (!gone_) DebugHub::Get().Say(id_, std::move(text));
}

#endif  // SW_HAS_INSPECTOR

}  // namespace sloppy::workers

#include "isolate/inspector_trial.h"

#if SW_HAS_INSPECTOR

#include <array>
#include <cstdint>

#include "isolate/inspector_proof.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using v8_inspector::StringBuffer;
using v8_inspector::StringView;
using v8_inspector::V8Inspector;
using v8_inspector::V8InspectorSession;

// Results of the client that V8 passes on.
constexpr int kGroup = 3;
constexpr double kTime = 4242.5;
constexpr int64_t kId = 987654321;
constexpr std::string_view kPath = "/trial";
constexpr std::string_view kUrl = "trial:url";

StringView ViewOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Characters beyond ASCII are of no interest.
std::string TextOf(StringView view) {
  std::string text(view.length(), '?');
  for (size_t i = 0; i < view.length(); ++i) {
    text[i] = static_cast<char>(view.is_one_byte() ? view.bytes()[i]
                                                   : view.units()[i]);
  }
  return text;
}

const void* const* TableOf(const void* object) {
  return *static_cast<const void* const* const*>(object);
}

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::string InspectorTrial::Flaw() {
  if (!PassesTexts() || !HasSlots()) return flaw_;
  if (alter_) alter_(session_.get());
  static_cast<void>(Answers() && Pauses() && CallsClient() && CarriesState() &&
                    Ends());
  return flaw_;
}

bool InspectorTrial::Expect(bool holds, std::string_view what) {
  if (!holds) flaw_ = "self-test: " + std::string(what);
  return holds;
}

bool InspectorTrial::PassesTexts() {
  constexpr std::string_view kNarrow = "narrow";
  constexpr std::array<uint16_t, 4> kWide = {'w', 0x20AC, 'd', 'e'};
  const auto narrow = StringBuffer::create(ViewOf(kNarrow));
  const auto wide = StringBuffer::create({kWide.data(), kWide.size()});
  const StringView view = wide->string();
  return Expect(TextOf(narrow->string()) == kNarrow && !view.is_one_byte() &&
                    view.length() == kWide.size() && view.units()[1] == 0x20AC,
                "texts");
}

// The tables are read before the first call through them.
bool InspectorTrial::HasSlots() {
  inspector_ = V8Inspector::create(isolate_, this);
  auto* const create = &V8Inspector::create;
  const auto* code = reinterpret_cast<const void*>(create);
  const size_t connect = SlotOf(&V8Inspector::connect);
  const NamedSlot inspectors[] = {
      {SlotOf(&V8Inspector::contextCreated), "contextCreated"},
      {SlotOf(&V8Inspector::contextDestroyed), "contextDestroyed"},
      {connect, "connect"},
  };
  flaw_ = FlawOfSlots(TableOf(inspector_.get()), connect + 1, inspectors, code);
  if (!flaw_.empty()) return Expect(false, "V8Inspector, " + flaw_);
  v8_inspector::V8ContextInfo info;
  info.context = context_;
  info.group = kGroup;
  info.name = ViewOf("trial");
  inspector_->contextCreated(info);
  Connect();
  const size_t stop = SlotOf(&V8InspectorSession::stop);
  const NamedSlot sessions[] = {
      {SlotOf(&V8InspectorSession::dispatchProtocolMessage),
       "dispatchProtocolMessage"},
      {SlotOf(&V8InspectorSession::state), "state"},
      {SlotOf(&V8InspectorSession::setSkipAllPauses), "setSkipAllPauses"},
      {stop, "stop"},
  };
  flaw_ = FlawOfSlots(TableOf(session_.get()), stop + 1, sessions, code);
  return flaw_.empty() || Expect(false, "V8InspectorSession, " + flaw_);
}

void InspectorTrial::Connect() {
  session_ = inspector_->connect(kGroup, this, {state_.data(), state_.size()},
                                 V8Inspector::kFullyTrusted,
                                 V8Inspector::kNotWaitingForDebugger);
}

std::string InspectorTrial::Ask(std::string_view method,
                                std::string_view params) {
  said_.clear();
  const std::string message = R"({"id":1,"method":")" + std::string(method) +
                              R"(","params":)" + std::string(params) + "}";
  session_->dispatchProtocolMessage(ViewOf(message));
  return said_;
}

bool InspectorTrial::Answers() {
  const std::string enabled = Ask("Runtime.enable");
  return Expect(Has(enabled, "executionContextCreated") &&
                    Has(enabled, R"("name":"trial")") &&
                    Has(enabled, R"("id":1,"result":)"),
                "the context is not reported") &&
         Expect(Has(enabled, std::to_string(kId)), "generateUniqueId") &&
         Expect(Has(Ask("Runtime.evaluate", R"({"expression":"6 * 7"})"),
                    R"("value":42)"),
                "evaluate") &&
         Expect(Has(Ask("No.such"), R"("error":)"), "unknown methods") &&
         Expect(Has(Ask("Debugger.enable"), "debuggerId"), "Debugger.enable");
}

bool InspectorTrial::Pauses() {
  const int before = pauses_;
  session_->setSkipAllPauses(true);
  Ask("Runtime.evaluate", R"({"expression":"debugger; 42"})");
  session_->setSkipAllPauses(false);
  if (!Expect(pauses_ == before, "setSkipAllPauses")) return false;
  const std::string said =
      Ask("Runtime.evaluate", R"({"expression":"debugger; 43"})");
  return Expect(pauses_ == before + 1 && quits_ == pauses_ &&
                    Has(said, "Debugger.paused") && Has(said, R"("value":43)"),
                "pauses");
}

void InspectorTrial::runMessageLoopOnPause(int group) {
  if (group == kGroup) ++pauses_;
  constexpr std::string_view kResume = R"({"id":2,"method":"Debugger.resume"})";
  session_->dispatchProtocolMessage(ViewOf(kResume));
}

bool InspectorTrial::CallsClient() {
  const std::string printed =
      Ask("Runtime.evaluate", R"({"expression":"console.log(1);"})");
  if (!Expect(Has(printed, "consoleAPICalled") && Has(printed, "4242.5"),
              "currentTimeMS")) {
    return false;
  }
  said_.clear();
  v8::Local<v8::String> name;
  v8::Local<v8::Script> script;
  if (v8::String::NewFromUtf8(isolate_, kPath.data(),
                              v8::NewStringType::kNormal,
                              static_cast<int>(kPath.size()))
          .ToLocal(&name)) {
    v8::ScriptOrigin origin = MakeOrigin(isolate_, name, 0, 0, false);
    static_cast<void>(
        v8::Script::Compile(
            context_, v8::String::NewFromUtf8Literal(isolate_, "1"), &origin)
            .ToLocal(&script));
  }
  if (!Expect(Has(said_, kUrl), "resourceNameToUrl")) return false;
  Ask("Runtime.runIfWaitingForDebugger");
  return Expect(last_run_ == kGroup, "runIfWaitingForDebugger");
}

double InspectorTrial::currentTimeMS() { return kTime; }

int64_t InspectorTrial::generateUniqueId() { return kId; }

InspectorTrial::Text InspectorTrial::resourceNameToUrl(const StringView& name) {
  if (TextOf(name) != kPath) return nullptr;
  return StringBuffer::create(ViewOf(kUrl));
}

// A session goes on where another ended.
bool InspectorTrial::CarriesState() {
  state_ = session_->state();
  session_->stop();
  session_.reset();
  Connect();
  return Pauses();
}

bool InspectorTrial::Ends() {
  said_.clear();
  inspector_->contextDestroyed(context_);
  const bool told = Has(said_, "executionContextDestroyed");
  session_->stop();
  session_.reset();
  inspector_.reset();
  return Expect(told, "contextDestroyed");
}

void InspectorTrial::sendResponse(int, std::unique_ptr<StringBuffer> message) {
  said_ += TextOf(message->string());
}

void InspectorTrial::sendNotification(std::unique_ptr<StringBuffer> message) {
  said_ += TextOf(message->string());
}

}  // namespace sloppy::workers

#endif  // SW_HAS_INSPECTOR

// Uses all of V8's inspector that this addon uses, once, in a context that
// nobody else has, and looks whether each call arrived where it should.
#ifndef SLOPPY_WORKERS_ISOLATE_INSPECTOR_TRIAL_H_
#define SLOPPY_WORKERS_ISOLATE_INSPECTOR_TRIAL_H_

#include <v8.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isolate/v8_inspector.h"

#if SW_HAS_INSPECTOR

namespace sloppy::workers {

class InspectorTrial final : private v8_inspector::V8InspectorClient,
                             private v8_inspector::V8Inspector::Channel {
 public:
  using Session = v8_inspector::V8InspectorSession;
  // The context is entered. A test alters the session before its first call.
  InspectorTrial(v8::Isolate* isolate, v8::Local<v8::Context> context,
                 std::function<void(Session*)> alter = {})
      : isolate_(isolate), context_(context), alter_(std::move(alter)) {}

  // The first thing that went wrong, or an empty text. Once.
  std::string Flaw();

 private:
  // Each returns whether it went well.
  bool PassesTexts();
  bool HasSlots();
  bool Answers();
  bool Pauses();
  bool CallsClient();
  bool CarriesState();
  bool Ends();

  void Connect();
  // V8's messages, answers and others, because of this one.
  std::string Ask(std::string_view method, std::string_view params = "{}");
  bool Expect(bool holds, std::string_view what);

  void runMessageLoopOnPause(int group) override;
  void quitMessageLoopOnPause() override { ++quits_; }
  void runIfWaitingForDebugger(int group) override { last_run_ = group; }
  v8::Local<v8::Context> ensureDefaultContextInGroup(int) override {
    return context_;
  }
  double currentTimeMS() override;
  Text resourceNameToUrl(const v8_inspector::StringView& name) override;
  int64_t generateUniqueId() override;

  void sendResponse(int, std::unique_ptr<v8_inspector::StringBuffer>) override;
  void sendNotification(
      std::unique_ptr<v8_inspector::StringBuffer> message) override;
  void flushProtocolNotifications() override {}

  v8::Isolate* const isolate_;
  const v8::Local<v8::Context> context_;
  const std::function<void(Session*)> alter_;
  std::unique_ptr<v8_inspector::V8Inspector> inspector_;
  std::vector<uint8_t> state_;
  std::unique_ptr<v8_inspector::V8InspectorSession> session_;
  std::string said_;
  std::string flaw_;
  int pauses_ = 0;
  int quits_ = 0;
  int last_run_ = 0;
};

}  // namespace sloppy::workers

#endif  // SW_HAS_INSPECTOR

#endif  // SLOPPY_WORKERS_ISOLATE_INSPECTOR_TRIAL_H_

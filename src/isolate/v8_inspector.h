// The part of V8's inspector that we call, and all that it calls of ours. Node
// exports the functions and ships no header, so these declarations are our
// own: order and types of the virtual functions are those of the vtables in
// Node's executables (scripts/check-inspector-abi.mjs compares them). What
// stands for a function that nobody calls is named unused_*.
//
// Only for the V8s of Node 20, 22, 24 and 26: an addon for any other is built
// without.
#ifndef SLOPPY_WORKERS_ISOLATE_V8_INSPECTOR_H_
#define SLOPPY_WORKERS_ISOLATE_V8_INSPECTOR_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "isolate/v8_compat.h"

// MSVC orders overloads otherwise, and there a vector that V8 made must not be
// freed by us.
#if !defined(_WIN32) && ((V8_MAJOR_VERSION == 11 && V8_MINOR_VERSION == 3) || \
                         (V8_MAJOR_VERSION == 12 && V8_MINOR_VERSION == 4) || \
                         (V8_MAJOR_VERSION == 13 && V8_MINOR_VERSION == 6) || \
                         (V8_MAJOR_VERSION == 14 && V8_MINOR_VERSION == 6))
#define SW_HAS_INSPECTOR 1
#else
#define SW_HAS_INSPECTOR 0
#endif

#if SW_HAS_INSPECTOR

namespace v8_inspector {

class StringView {
 public:
  StringView() = default;
  StringView(const uint8_t* text, size_t length)
      : length_(length), text_(text) {}
  StringView(const uint16_t* text, size_t length)
      : is_one_byte_(false), length_(length), text_(text) {}
  bool is_one_byte() const { return is_one_byte_; }
  size_t length() const { return length_; }
  const uint8_t* bytes() const { return static_cast<const uint8_t*>(text_); }
  const uint16_t* units() const { return static_cast<const uint16_t*>(text_); }

 private:
  bool is_one_byte_ = true;
  size_t length_ = 0;
  const void* text_ = nullptr;
};

class StringBuffer {
 public:
  virtual ~StringBuffer() = default;
  virtual StringView string() const = 0;
  static std::unique_ptr<StringBuffer> create(StringView);
};

struct V8ContextInfo {
  v8::Local<v8::Context> context;
  int group = 1;
  StringView name;
  StringView origin;
  StringView aux;
  bool has_memory_on_console = false;
};

static_assert(sizeof(void*) != 8 || sizeof(StringView) == 24);
static_assert(sizeof(void*) != 8 || sizeof(V8ContextInfo) == 96);
static_assert(sizeof(StringBuffer) == sizeof(void*));

class V8StackTrace;

// Callbacks of V8. It calls any of these, so each has its true signature.
class V8InspectorClient {
 public:
  using Text = std::unique_ptr<StringBuffer>;

  virtual ~V8InspectorClient() = default;
  virtual void runMessageLoopOnPause(int) {}
  virtual void runMessageLoopOnInstrumentationPause(int group) {
    runMessageLoopOnPause(group);
  }
  virtual void quitMessageLoopOnPause() {}
  virtual void runIfWaitingForDebugger(int) {}
  virtual void muteMetrics(int) {}
  virtual void unmuteMetrics(int) {}
  virtual void beginUserGesture() {}
  virtual void endUserGesture() {}
#if SW_V8_AT_LEAST(12, 0)
  virtual Text deepSerialize(v8::Local<v8::Value>, int, v8::Local<v8::Object>) {
    return nullptr;
  }
#else
  virtual Text serializeToWebDriverValue(v8::Local<v8::Value>, int) {
    return nullptr;
  }
#endif
  virtual Text valueSubtype(v8::Local<v8::Value>) { return nullptr; }
  virtual Text descriptionForValueSubtype(v8::Local<v8::Context>,
                                          v8::Local<v8::Value>) {
    return nullptr;
  }
  virtual bool isInspectableHeapObject(v8::Local<v8::Object>) { return true; }
  virtual v8::Local<v8::Context> ensureDefaultContextInGroup(int) { return {}; }
  virtual void beginEnsureAllContextsInGroup(int) {}
  virtual void endEnsureAllContextsInGroup(int) {}
  virtual void installAdditionalCommandLineAPI(v8::Local<v8::Context>,
                                               v8::Local<v8::Object>) {}
  virtual void consoleAPIMessage(int, v8::Isolate::MessageErrorLevel,
                                 const StringView&, const StringView&, unsigned,
                                 unsigned, V8StackTrace*) {}
#if SW_V8_AT_LEAST(14, 0)
  virtual void consoleAPIMessage(int, int, v8::Isolate::MessageErrorLevel,
                                 const StringView&, const StringView&, unsigned,
                                 unsigned, V8StackTrace*) {}
#endif
  virtual v8::MaybeLocal<v8::Value> memoryInfo(v8::Isolate*,
                                               v8::Local<v8::Context>) {
    return {};
  }
#if SW_V8_AT_LEAST(13, 0)
  virtual void consoleTime(v8::Isolate*, v8::Local<v8::String>) {}
  virtual void consoleTimeEnd(v8::Isolate*, v8::Local<v8::String>) {}
  virtual void consoleTimeStamp(v8::Isolate*, v8::Local<v8::String>) {}
  virtual void consoleTimeStampWithArgs(v8::Isolate*, v8::Local<v8::String>,
                                        const v8::LocalVector<v8::Value>&) {}
#else
  virtual void consoleTime(const StringView&) {}
  virtual void consoleTimeEnd(const StringView&) {}
  virtual void consoleTimeStamp(const StringView&) {}
#endif
  virtual void consoleClear(int) {}
  virtual double currentTimeMS() { return 0; }
  virtual void startRepeatingTimer(double, void (*)(void*), void*) {}
  virtual void cancelTimer(void*) {}
  virtual bool canExecuteScripts(int) { return true; }
  virtual void maxAsyncCallStackDepthChanged(int) {}
  virtual Text resourceNameToUrl(const StringView&) { return nullptr; }
  virtual int64_t generateUniqueId() { return 0; }
  virtual void dispatchError(v8::Local<v8::Context>, v8::Local<v8::Message>,
                             v8::Local<v8::Value>) {}
};

class V8InspectorSession {
 public:
  virtual ~V8InspectorSession() = default;
  virtual void unused_addInspectedObject() = 0;
  virtual void dispatchProtocolMessage(StringView) = 0;
  virtual std::vector<uint8_t> state() = 0;
  virtual void unused_supportedDomains() = 0;
#if !SW_V8_AT_LEAST(12, 0)
  virtual void unused_initializeCommandLineAPIScope() = 0;
#endif
  virtual void unused_schedulePauseOnNextStatement() = 0;
  virtual void unused_cancelPauseOnNextStatement() = 0;
  virtual void unused_breakProgram() = 0;
  virtual void setSkipAllPauses(bool) = 0;
  virtual void unused_resume() = 0;
  virtual void unused_stepOver() = 0;
  virtual void unused_searchInTextByLines() = 0;
  virtual void unused_wrapObject() = 0;
  virtual void unused_unwrapObject() = 0;
  virtual void unused_releaseObjectGroup() = 0;
  virtual void unused_triggerPreciseCoverageDeltaUpdate() = 0;
#if SW_V8_AT_LEAST(12, 0)
  virtual void unused_evaluate() = 0;
#endif
  virtual void stop() = 0;
};

class V8Inspector {
 public:
  // V8's messages go there.
  class Channel {
   public:
    virtual ~Channel() = default;
    virtual void sendResponse(int, std::unique_ptr<StringBuffer>) = 0;
    virtual void sendNotification(std::unique_ptr<StringBuffer>) = 0;
    virtual void flushProtocolNotifications() = 0;
  };
  enum ClientTrustLevel { kUntrusted, kFullyTrusted };
  enum SessionPauseState { kWaitingForDebugger, kNotWaitingForDebugger };

  static std::unique_ptr<V8Inspector> create(v8::Isolate*, V8InspectorClient*);
  virtual ~V8Inspector() = default;
  virtual void contextCreated(const V8ContextInfo&) = 0;
  virtual void contextDestroyed(v8::Local<v8::Context>) = 0;
  virtual void unused_resetContextGroup() = 0;
  virtual void unused_contextById() = 0;
  virtual void unused_uniqueDebuggerId() = 0;
#if SW_V8_AT_LEAST(13, 0)
  virtual void unused_isolateId() = 0;
#endif
  virtual void unused_idleStarted() = 0;
  virtual void unused_idleFinished() = 0;
  virtual void unused_asyncTaskScheduled() = 0;
  virtual void unused_asyncTaskCanceled() = 0;
  virtual void unused_asyncTaskStarted() = 0;
  virtual void unused_asyncTaskFinished() = 0;
  virtual void unused_allAsyncTasksCanceled() = 0;
  virtual void unused_storeCurrentStackTrace() = 0;
  virtual void unused_externalAsyncTaskStarted() = 0;
  virtual void unused_externalAsyncTaskFinished() = 0;
  virtual void unused_exceptionThrown() = 0;
  virtual void unused_exceptionRevoked() = 0;
  virtual void unused_associateExceptionData() = 0;
  virtual std::unique_ptr<V8InspectorSession> connect(int group, Channel*,
                                                      StringView state,
                                                      ClientTrustLevel,
                                                      SessionPauseState) = 0;
  // More follows in V8's, which nobody calls.
};

}  // namespace v8_inspector

#endif  // SW_HAS_INSPECTOR

#endif  // SLOPPY_WORKERS_ISOLATE_V8_INSPECTOR_H_

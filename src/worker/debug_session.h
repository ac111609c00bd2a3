// A session of one debugger with a worker; V8 has one for each isolate in turn.
// Worker thread.
#ifndef SLOPPY_WORKERS_WORKER_DEBUG_SESSION_H_
#define SLOPPY_WORKERS_WORKER_DEBUG_SESSION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isolate/v8_inspector.h"

namespace sloppy::workers {

// Whether a message of a debugger's, JSON, calls that method of the protocol.
bool IsCallOf(std::string_view method, std::string_view message);

#if SW_HAS_INSPECTOR

v8_inspector::StringView ViewOf(std::string_view text);
std::u16string TextOf(v8_inspector::StringView view);

class DebugSession final : public v8_inspector::V8Inspector::Channel {
 public:
  explicit DebugSession(int id) : id_(id) {}

  void Attach(v8_inspector::V8Inspector* inspector, int group);
  // Attach() restores the state, breakpoints for instance.
  void Detach();
  void Dispatch(const std::string& message);
  // Pauses that would come are ignored until this is called with false.
  void IgnorePauses(bool yes);

  // Whether it has a debugger, which is then told of a pause at the next call
  // or turn of a loop.
  bool Pause();

  // A pause that was asked for, and that has not come, is asked for again.
  void RepeatPause();

  bool attached() const { return session_ != nullptr; }
  void Leave() { gone_ = true; }
  bool gone() const { return gone_; }
  // V8 is inside of a message that it was sent.
  bool in_use() const { return depth_ != 0; }

 private:
  void sendResponse(
      int id, std::unique_ptr<v8_inspector::StringBuffer> message) override;
  void sendNotification(
      std::unique_ptr<v8_inspector::StringBuffer> message) override;
  void flushProtocolNotifications() override {}
  void Say(std::u16string text);

  const int id_;
  std::vector<uint8_t> state_;
  bool paused_ = false;
  // The debugger has asked for it.
  bool ignores_pauses_ = false;
  // The debugger has asked for one, or for a step into what is called next.
  bool awaits_pause_ = false;
  std::unique_ptr<v8_inspector::V8InspectorSession> session_;
  int depth_ = 0;
  bool gone_ = false;
};

#endif  // SW_HAS_INSPECTOR

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_DEBUG_SESSION_H_

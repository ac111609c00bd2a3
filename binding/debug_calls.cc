#include "binding/debug_calls.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "base/limits_clock.h"
#include "base/live.h"
#include "binding/arguments.h"
#include "isolate/inspector_proof.h"
#include "isolate/v8_compat.h"
#include "worker/debug_hub.h"

namespace sloppy::workers {
namespace {

// Unread bytes of workers' messages: beyond that, their debugger does not read
// at all.
constexpr size_t kMaxUnread = size_t{64} << 20;

// The state of the one environment that has opened the hub; shared with its
// events.
struct Endpoint {
  Napi::ThreadSafeFunction callback;
  std::atomic<size_t> unread{0};
  // It holds the clock of limits; of the environment's thread.
  bool holds = false;
  Counted<Live::kThreadsafeFunctions> counted;
};

int IdAt(const Napi::CallbackInfo& info, size_t at) {
  return static_cast<int>(NumberAt(info, at));
}

void Deliver(const std::shared_ptr<Endpoint>& endpoint, DebugEvent event) {
  const size_t bytes = event.text.size() * sizeof(char16_t);
  const bool too_much = endpoint->unread.fetch_add(bytes) + bytes > kMaxUnread;
  if (too_much) event.text.clear();
  endpoint->callback.NonBlockingCall(
      [endpoint, bytes, event = std::move(event)](Napi::Env env,
                                                  Napi::Function callback) {
        endpoint->unread.fetch_sub(bytes);
        callback.Call({Napi::Number::New(env, static_cast<int>(event.kind)),
                       Napi::Number::New(env, event.id),
                       Napi::String::New(env, event.text)});
      });
}

void SetHolding(Endpoint* endpoint, bool holds) {
  if (std::exchange(endpoint->holds, holds) == holds) return;
  if (holds) {
    LimitsClock::Hold();
  } else {
    LimitsClock::Release();
  }
}

// Closes the hub for the environment that has opened it.
void CloseFor(std::shared_ptr<Endpoint>* endpoint) {
  if (*endpoint == nullptr) return;
  SetHolding(endpoint->get(), false);
  DebugHub::Get().Close();
  (*endpoint)->callback.Release();
  endpoint->reset();
}

std::shared_ptr<Endpoint>& EndpointOf(const Napi::CallbackInfo& info) {
  return *static_cast<std::shared_ptr<Endpoint>*>(info.Data());
}

// The part of V8's inspector that does not fit in the running executable, or an
// empty text.
std::string FlawFor(v8::Isolate* isolate) {
  const auto platform =
      PlatformBridge::FromContext(isolate->GetCurrentContext());
  return platform.ok() ? FlawOfInspector(platform) : "Node has no platform";
}

// prepare(wait, pausesAtCall) → what does not fit of V8's inspector. If that is
// nothing, isolates are debuggable from now on, and their workers wait.
Napi::Value Prepare(const Napi::CallbackInfo& info) {
  const std::string flaw = FlawFor(v8::Isolate::GetCurrent());
  if (flaw.empty()) {
    PrepareDebugging();
    DebugHub::Get().Prepare(info[0].ToBoolean(), info[1].ToBoolean());
  }
  return Napi::String::New(info.Env(), flaw);
}

// open(callback) → false if there is an endpoint in this process.
// callback(kind, id, text), see wire::DebugEventKind; the text is empty if the
// session has said too much.
Napi::Value OpenEndpoint(const Napi::CallbackInfo& info) {
  auto endpoint = std::make_shared<Endpoint>();
  endpoint->callback =
      Napi::ThreadSafeFunction::New(info.Env(), info[0].As<Napi::Function>(),
                                    "sloppy-workers debugger", 0, 1);
  const bool opened = DebugHub::Get().Open(
      [endpoint](DebugEvent event) { Deliver(endpoint, std::move(event)); });
  if (opened) {
    endpoint->callback.Unref(info.Env());
    EndpointOf(info) = std::move(endpoint);
    // Added after Node's own, so called before: the environment may end with
    // its endpoint open, and nothing may be sent there then.
    info.Env().AddCleanupHook(
        [](std::shared_ptr<Endpoint>* last) { CloseFor(last); },
        &EndpointOf(info));
  } else {
    endpoint->callback.Release();
  }
  return Napi::Boolean::New(info.Env(), opened);
}

// close(): sessions and pauses end. What was prepared and could not open is
// taken back, or no time limit of the process would hold any more.
void CloseEndpoint(const Napi::CallbackInfo& info) {
  std::shared_ptr<Endpoint>& endpoint = EndpointOf(info);
  if (endpoint == nullptr) DebugHub::Get().Withdraw();
  CloseFor(&endpoint);
}

// wait(yes): whether workers wait for runIfWaitingForDebugger when they start.
void Wait(const Napi::CallbackInfo& info) {
  DebugHub::Get().SetWait(info[0].ToBoolean());
}

// targets() → [id, title, id, title, …] of the workers.
Napi::Value Targets(const Napi::CallbackInfo& info) {
  auto list = Napi::Array::New(info.Env());
  uint32_t at = 0;
  for (const auto& [id, title] : DebugHub::Get().Targets()) {
    list[at++] = Napi::Number::New(info.Env(), id);
    list[at++] = Napi::String::New(info.Env(), title);
  }
  return list;
}

// connect(worker, session) → false for a worker that is gone.
Napi::Value Connect(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(
      info.Env(),
      DebugHub::Get().Post(IdAt(info, 0),
                           {DebugMessage::Kind::kConnect, IdAt(info, 1), {}}));
}

// send(worker, session, text): a message of the protocol, JSON.
void Send(const Napi::CallbackInfo& info) {
  DebugHub::Get().Post(IdAt(info, 0), {DebugMessage::Kind::kSend, IdAt(info, 1),
                                       info[2].As<Napi::String>().Utf8Value()});
}

// hold(yes): limits of time stand still until it is called with false, or the
// endpoint is closed. For pauses of threads that are not ours.
void Hold(const Napi::CallbackInfo& info) {
  const auto& endpoint = EndpointOf(info);
  if (endpoint != nullptr) SetHolding(endpoint.get(), info[0].ToBoolean());
}

// heldMs() → how long limits of time have stood still in this process.
Napi::Value HeldMs(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(),
                           static_cast<double>(LimitsClock::Held()) / 1e6);
}

// isHeld() → whether they do so now.
Napi::Value IsHeld(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), LimitsClock::IsHeld());
}

// cover(directory) → as prepare(). Isolates count what they execute, from now
// on.
Napi::Value Cover(const Napi::CallbackInfo& info) {
  const std::string flaw = FlawFor(v8::Isolate::GetCurrent());
  if (flaw.empty()) {
    CoverageFlag::Set(info[0].As<Napi::String>().Utf8Value());
  }
  return Napi::String::New(info.Env(), flaw);
}

// disconnect(worker, session)
void Disconnect(const Napi::CallbackInfo& info) {
  DebugHub::Get().Post(IdAt(info, 0),
                       {DebugMessage::Kind::kDisconnect, IdAt(info, 1), {}});
}

}  // namespace

void ExportDebugCalls(Napi::Env env, Napi::Object exports) {
  auto* endpoint = new std::shared_ptr<Endpoint>;
  env.AddCleanupHook([](std::shared_ptr<Endpoint>* last) { delete last; },
                     endpoint);
  auto debug = Napi::Object::New(env);
  const auto add = [&](const char* name, auto callback) {
    debug[name] = Napi::Function::New(env, callback, name, endpoint);
  };
  debug["supported"] = Napi::Boolean::New(env, Debugging::IsSupported());
  add("prepare", Prepare);
  add("open", OpenEndpoint);
  add("close", CloseEndpoint);
  add("wait", Wait);
  add("targets", Targets);
  add("connect", Connect);
  add("send", Send);
  add("disconnect", Disconnect);
  add("cover", Cover);
  add("hold", Hold);
  add("heldMs", HeldMs);
  add("isHeld", IsHeld);
  exports["debug"] = debug;
}

}  // namespace sloppy::workers

// The floor under starts, fresh isolates, fresh realms and transfers: V8 alone,
// with the platform and the limits that our workers have and nothing else of
// ours. No queue, no runtime, no way back but a future or a semaphore.
#include <napi.h>
#include <v8.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "bare_isolate.h"
#include "binding/napi_v8.h"
#include "buffer_mover.h"

namespace sloppy::workers {
namespace {

using Clock = std::chrono::steady_clock;

PlatformBridge Platform() {
  return PlatformBridge::FromContext(
      v8::Isolate::GetCurrent()->GetCurrentContext());
}

// The number of worlds that several threads have made, until the time is up.
class Tally {
 public:
  explicit Tally(std::chrono::milliseconds time) : end_(Clock::now() + time) {}
  // Any thread. Counts another, if there is time for one.
  bool Next() {
    if (Clock::now() >= end_) return false;
    ++made_;
    return true;
  }
  int made() const { return made_; }

 private:
  const Clock::time_point end_;
  std::atomic<int> made_{0};
};

// `body` on each of so many threads; (threads, ms) → how many they made.
Napi::Value Repeat(const Napi::CallbackInfo& info,
                   const std::function<void(Tally*)>& body) {
  Tally tally(
      std::chrono::milliseconds(info[1].As<Napi::Number>().Int64Value()));
  std::vector<std::thread> threads(info[0].As<Napi::Number>().Uint32Value());
  for (auto& thread : threads) thread = std::thread(body, &tally);
  for (auto& thread : threads) thread.join();
  return Napi::Number::New(info.Env(), tally.made());
}

// isolates(threads, ms): each world is an isolate with one context.
Napi::Value Isolates(const Napi::CallbackInfo& info) {
  const auto platform = Platform();
  return Repeat(info, [&](Tally* tally) {
    while (tally->Next()) BareIsolate(platform, true).RunInContext();
  });
}

// realms(threads, ms): each world is a context of the thread's isolate.
Napi::Value Realms(const Napi::CallbackInfo& info) {
  const auto platform = Platform();
  return Repeat(info, [&](Tally* tally) {
    BareIsolate isolate(platform, false);
    while (tally->Next()) isolate.RunInContext();
  });
}

// start(): milliseconds until a new thread has run something in a new isolate.
Napi::Value Start(const Napi::CallbackInfo& info) {
  const auto platform = Platform();
  std::promise<void> answer;
  const auto begin = Clock::now();
  std::thread thread([&] {
    BareIsolate isolate(platform, false);
    isolate.RunInContext();
    answer.set_value();
  });
  answer.get_future().wait();
  const auto took = Clock::now() - begin;
  thread.join();
  const std::chrono::duration<double, std::milli> ms = took;
  return Napi::Number::New(info.Env(), ms.count());
}

// mover() → { move(buffer) → its length, as another isolate sees it; end() }
Napi::Value NewMover(const Napi::CallbackInfo& info) {
  auto mover = std::make_shared<BufferMover>(Platform());
  const auto move = [mover](const Napi::CallbackInfo& call) -> Napi::Value {
    const auto buffer = ToV8(call[0]).As<v8::ArrayBuffer>();
    auto memory = buffer->GetBackingStore();
    buffer->Detach(v8::Local<v8::Value>()).Check();
    const size_t length = mover->Move(std::move(memory));
    return Napi::Number::New(call.Env(), static_cast<double>(length));
  };
  const auto end = [mover](const Napi::CallbackInfo&) { mover->End(); };
  auto made = Napi::Object::New(info.Env());
  made["move"] = Napi::Function::New(info.Env(), move);
  made["end"] = Napi::Function::New(info.Env(), end);
  return made;
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("isolates", Napi::Function::New(env, Isolates));
  exports.Set("realms", Napi::Function::New(env, Realms));
  exports.Set("start", Napi::Function::New(env, Start));
  exports.Set("mover", Napi::Function::New(env, NewMover));
  return exports;
}

}  // namespace
}  // namespace sloppy::workers

using sloppy::workers::Init;
NODE_API_MODULE(floor, Init)

// The floor under starts, fresh isolates and fresh realms: V8 alone, with the
// platform and the limits that our workers have and nothing else of ours. No
// queue, no runtime, no way back but a future.
#include <napi.h>
#include <v8.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "isolate/memory_limit.h"
#include "isolate/platform_bridge.h"
#include "isolate/task_runner.h"

namespace sloppy::workers {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kLimit = size_t{128} << 20;

class NoLoop final : public TaskRunner::Waker {
  void WakeLoop() override {}
};

// Any thread, to its end on the same.
class BareIsolate {
 public:
  BareIsolate(const PlatformBridge& platform, bool short_lived)
      : platform_(platform),
        limit_(kLimit, short_lived),
        tasks_(std::make_shared<TaskRunner>(&waker_)),
        isolate_(v8::Isolate::Allocate()),
        registration_(platform_.Register(isolate_, tasks_)) {
    v8::Isolate::CreateParams params;
    limit_.Configure(&params);
    v8::Isolate::Initialize(isolate_, params);
  }
  ~BareIsolate() {
    tasks_->Close();
    platform_.Dispose(isolate_);
  }

  // A context that is garbage afterwards.
  void RunInContext() {
    v8::Isolate::Scope entered(isolate_);
    {
      v8::HandleScope handles(isolate_);
      auto context = v8::Context::New(isolate_);
      v8::Context::Scope inside(context);
      auto source = v8::String::NewFromUtf8Literal(isolate_, "1");
      auto script = v8::Script::Compile(context, source).ToLocalChecked();
      script->Run(context).ToLocalChecked();
    }
    tasks_->RunDue();
  }

 private:
  const PlatformBridge platform_;
  MemoryLimit limit_;
  NoLoop waker_;
  std::shared_ptr<TaskRunner> tasks_;
  v8::Isolate* isolate_;
  std::unique_ptr<PlatformBridge::Registration> registration_;
};

PlatformBridge Platform() {
  return PlatformBridge::FromContext(
      v8::Isolate::GetCurrent()->GetCurrentContext());
}

// What several threads have made, until the time is up.
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

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("isolates", Napi::Function::New(env, Isolates));
  exports.Set("realms", Napi::Function::New(env, Realms));
  exports.Set("start", Napi::Function::New(env, Start));
  return exports;
}

}  // namespace
}  // namespace sloppy::workers

using sloppy::workers::Init;
NODE_API_MODULE(floor, Init)

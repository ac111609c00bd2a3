// The floor under starts, fresh isolates and fresh realms: V8 alone, with the
// platform and the limits that our workers have and nothing else of ours. No
// queue, no runtime, no way back but a condition variable.
#include <napi.h>
#include <uv.h>
#include <v8.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "isolate/memory_limit.h"
#include "isolate/platform_bridge.h"
#include "isolate/task_runner.h"

namespace sloppy::workers {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kLimit = size_t{128} << 20;
constexpr size_t kStack = size_t{4} << 20;

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

class Thread {
 public:
  explicit Thread(std::function<void()> run) : run_(std::move(run)) {
    uv_thread_options_t options{};
    options.flags = UV_THREAD_HAS_STACK_SIZE;
    options.stack_size = kStack;
    uv_thread_create_ex(
        &thread_, &options,
        [](void* self) { static_cast<Thread*>(self)->run_(); }, this);
  }
  ~Thread() { uv_thread_join(&thread_); }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

 private:
  std::function<void()> run_;
  uv_thread_t thread_{};
};

PlatformBridge Platform() {
  return PlatformBridge::FromContext(
      v8::Isolate::GetCurrent()->GetCurrentContext());
}

struct Load {
  uint32_t threads;
  std::chrono::milliseconds time;

  explicit Load(const Napi::CallbackInfo& info)
      : threads(info[0].As<Napi::Number>().Uint32Value()),
        time(info[1].As<Napi::Number>().Int64Value()) {}
};

// Each thread makes worlds until the time is up; answers how many.
Napi::Value Repeat(const Napi::CallbackInfo& info,
                   const std::function<void(const std::function<bool()>&,
                                            std::atomic<int>*)>& body) {
  const Load load(info);
  const auto end = Clock::now() + load.time;
  std::atomic<int> made{0};
  {
    std::vector<std::unique_ptr<Thread>> threads;
    for (uint32_t i = 0; i < load.threads; ++i) {
      threads.push_back(std::make_unique<Thread>(
          [&] { body([&] { return Clock::now() < end; }, &made); }));
    }
  }
  return Napi::Number::New(info.Env(), made.load());
}

// isolates(threads, ms): each world is an isolate with one context.
Napi::Value Isolates(const Napi::CallbackInfo& info) {
  const auto platform = Platform();
  return Repeat(info, [&](const auto& goes_on, std::atomic<int>* made) {
    while (goes_on()) {
      BareIsolate(platform, true).RunInContext();
      ++*made;
    }
  });
}

// realms(threads, ms): each world is a context of the thread's isolate.
Napi::Value Realms(const Napi::CallbackInfo& info) {
  const auto platform = Platform();
  return Repeat(info, [&](const auto& goes_on, std::atomic<int>* made) {
    BareIsolate isolate(platform, false);
    while (goes_on()) {
      isolate.RunInContext();
      ++*made;
    }
  });
}

// start(): milliseconds until a new thread has run something in a new isolate.
Napi::Value Start(const Napi::CallbackInfo& info) {
  const auto platform = Platform();
  std::mutex mutex;
  std::condition_variable answered;
  bool is_answered = false;
  const auto begin = Clock::now();
  Clock::duration took{};
  {
    Thread thread([&] {
      BareIsolate isolate(platform, false);
      isolate.RunInContext();
      {
        std::lock_guard lock(mutex);
        is_answered = true;
      }
      answered.notify_one();
    });
    std::unique_lock lock(mutex);
    answered.wait(lock, [&] { return is_answered; });
    took = Clock::now() - begin;
  }
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

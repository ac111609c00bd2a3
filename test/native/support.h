// The base of the in-addon tests: an isolate of ours on a thread of its own.
#ifndef SLOPPY_WORKERS_TEST_NATIVE_SUPPORT_H_
#define SLOPPY_WORKERS_TEST_NATIVE_SUPPORT_H_

#include <gtest/gtest.h>
#include <uv.h>
#include <v8.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>

#include "isolate/isolate_host.h"

namespace sloppy::workers {

inline constexpr size_t kMiB = size_t{1} << 20;
inline constexpr size_t kTestStack = 4 * kMiB;
// More than any test needs.
inline constexpr size_t kAmpleLimit = 128 * kMiB;

// The thread of the tests: Node's main thread.
inline PlatformBridge TestPlatform() {
  return PlatformBridge::FromContext(
      v8::Isolate::GetCurrent()->GetCurrentContext());
}

struct CountingLoopWaker : TaskRunner::Waker {
  void WakeLoop() override { ++wakes; }
  std::atomic<int> wakes{0};
};

using InIsolate = std::function<void(IsolateHost*, v8::Local<v8::Context>)>;

// A thread with the stack that IsolateHost is told about.
class TestThread {
 public:
  explicit TestThread(std::function<void()> run) : run_(std::move(run)) {
    uv_thread_options_t options{};
    options.flags = UV_THREAD_HAS_STACK_SIZE;
    options.stack_size = kTestStack;
    uv_thread_create_ex(
        &thread_, &options,
        [](void* self) { static_cast<TestThread*>(self)->run_(); }, this);
  }
  ~TestThread() { uv_thread_join(&thread_); }

 private:
  std::function<void()> run_;
  uv_thread_t thread_;
};

inline void WithIsolate(const PlatformBridge& platform, size_t limit,
                        const InIsolate& body) {
  TestThread thread([&] {
    CountingLoopWaker waker;
    auto host = IsolateHost::Create(
        platform, &waker, &waker,
        {limit, kTestStack,
         [](const char*, const v8::OOMDetails&) { std::abort(); }});
    ASSERT_NE(host, nullptr);
    EXPECT_EQ(IsolateHost::SlotOf(host->isolate()), &waker);
    {
      v8::Isolate::Scope entered(host->isolate());
      v8::HandleScope handles(host->isolate());
      auto context = v8::Context::New(host->isolate());
      v8::Context::Scope inside(context);
      body(host.get(), context);
    }
    host.reset();
  });
}

// The value of a script that does not throw.
inline v8::Local<v8::Value> ValueOf(v8::Isolate* isolate,
                                    v8::Local<v8::Context> context,
                                    const std::string& source) {
  auto text = v8::String::NewFromUtf8(isolate, source.c_str());
  return v8::Script::Compile(context, text.ToLocalChecked())
      .ToLocalChecked()
      ->Run(context)
      .ToLocalChecked();
}

// The script's value as text; "terminated" or the exception's text otherwise.
inline std::string Evaluate(v8::Isolate* isolate,
                            v8::Local<v8::Context> context,
                            const std::string& source) {
  v8::TryCatch caught(isolate);
  v8::Local<v8::String> text =
      v8::String::NewFromUtf8(isolate, source.c_str()).ToLocalChecked();
  v8::Local<v8::Script> script;
  v8::Local<v8::Value> value;
  if (!v8::Script::Compile(context, text).ToLocal(&script) ||
      !script->Run(context).ToLocal(&value)) {
    if (caught.HasTerminated()) return "terminated";
    value = caught.Exception();
  }
  return *v8::String::Utf8Value(isolate, value);
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_TEST_NATIVE_SUPPORT_H_

// An isolate with what ours have of Node's platform and of limits, and nothing
// else of ours.
#ifndef SLOPPY_WORKERS_BENCH_FLOOR_BARE_ISOLATE_H_
#define SLOPPY_WORKERS_BENCH_FLOOR_BARE_ISOLATE_H_

#include <v8.h>

#include <memory>

#include "isolate/memory_limit.h"
#include "isolate/platform_bridge.h"
#include "isolate/task_runner.h"

namespace sloppy::workers {

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

  v8::Isolate* get() const { return isolate_; }

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
    RunTasks();
  }

  void RunTasks() {
    tasks_->RunDue([] { return true; });
  }

 private:
  static constexpr size_t kLimit = size_t{128} << 20;

  class NoLoop final : public TaskRunner::Waker {
    void WakeLoop() override {}
  };

  const PlatformBridge platform_;
  MemoryLimit limit_;
  NoLoop waker_;
  std::shared_ptr<TaskRunner> tasks_;
  v8::Isolate* isolate_;
  std::unique_ptr<PlatformBridge::Registration> registration_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BENCH_FLOOR_BARE_ISOLATE_H_

#include "isolate/platform_bridge.h"

#include <node.h>

#include <utility>

#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

class Delegate final : public PlatformBridge::Registration,
                       public node::IsolatePlatformDelegate {
 public:
  explicit Delegate(std::shared_ptr<v8::TaskRunner> runner)
      : runner_(std::move(runner)) {}
  std::shared_ptr<v8::TaskRunner> GetForegroundTaskRunner() override {
    return runner_;
  }
  bool IdleTasksEnabled() override { return false; }

 private:
  std::shared_ptr<v8::TaskRunner> runner_;
};

}  // namespace

PlatformBridge PlatformBridge::FromContext(v8::Local<v8::Context> context) {
  PlatformBridge bridge;
  node::Environment* env = node::GetCurrentEnvironment(context);
  if (env != nullptr) {
    bridge.platform_ = node::GetMultiIsolatePlatform(env);
  }
  return bridge;
}

std::unique_ptr<PlatformBridge::Registration> PlatformBridge::Register(
    v8::Isolate* isolate, std::shared_ptr<v8::TaskRunner> runner) const {
  auto delegate = std::make_unique<Delegate>(std::move(runner));
  platform_->RegisterIsolate(isolate, delegate.get());
  return delegate;
}

void PlatformBridge::Dispose(v8::Isolate* isolate) const {
#if SW_V8_AT_LEAST(13, 0)
  platform_->DisposeIsolate(isolate);
#else
  platform_->UnregisterIsolate(isolate);
  isolate->Dispose();
#endif
}

void PlatformBridge::Post(std::unique_ptr<v8::Task> task) const {
  PostToPlatform(platform_, std::move(task));
}

}  // namespace sloppy::workers

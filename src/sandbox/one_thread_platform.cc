#include "sandbox/one_thread_platform.h"

#include <utility>

#include "isolate/v8_compat.h"

namespace sloppy::workers::sandbox {

#if SW_V8_AT_LEAST(12, 0)
std::unique_ptr<v8::Platform> WithoutDelays(v8::Platform*) { return nullptr; }
#else
namespace {

class NoDelays final : public v8::Platform {
 public:
  explicit NoDelays(v8::Platform* platform) : platform_(platform) {}

  void CallDelayedOnWorkerThread(std::unique_ptr<v8::Task>, double) override {}

  v8::PageAllocator* GetPageAllocator() override {
    return platform_->GetPageAllocator();
  }
  v8::ZoneBackingAllocator* GetZoneBackingAllocator() override {
    return platform_->GetZoneBackingAllocator();
  }
  void OnCriticalMemoryPressure() override {
    platform_->OnCriticalMemoryPressure();
  }
  int NumberOfWorkerThreads() override {
    return platform_->NumberOfWorkerThreads();
  }
  std::shared_ptr<v8::TaskRunner> GetForegroundTaskRunner(
      v8::Isolate* isolate) override {
    return platform_->GetForegroundTaskRunner(isolate);
  }
  void CallOnWorkerThread(std::unique_ptr<v8::Task> task) override {
    platform_->CallOnWorkerThread(std::move(task));
  }
  bool IdleTasksEnabled(v8::Isolate* isolate) override {
    return platform_->IdleTasksEnabled(isolate);
  }
  std::unique_ptr<v8::JobHandle> PostJob(
      v8::TaskPriority priority, std::unique_ptr<v8::JobTask> task) override {
    return platform_->PostJob(priority, std::move(task));
  }
  std::unique_ptr<v8::JobHandle> CreateJob(
      v8::TaskPriority priority, std::unique_ptr<v8::JobTask> task) override {
    return platform_->CreateJob(priority, std::move(task));
  }
  double MonotonicallyIncreasingTime() override {
    return platform_->MonotonicallyIncreasingTime();
  }
  double CurrentClockTimeMillis() override {
    return platform_->CurrentClockTimeMillis();
  }
  StackTracePrinter GetStackTracePrinter() override {
    return platform_->GetStackTracePrinter();
  }
  v8::TracingController* GetTracingController() override {
    return platform_->GetTracingController();
  }

 private:
  v8::Platform* const platform_;
};

}  // namespace

std::unique_ptr<v8::Platform> WithoutDelays(v8::Platform* platform) {
  return std::make_unique<NoDelays>(platform);
}
#endif

}  // namespace sloppy::workers::sandbox

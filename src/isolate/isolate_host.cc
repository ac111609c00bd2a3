#include "isolate/isolate_host.h"

#include <cstdint>

#include "base/pages.h"
#include "isolate/node_snapshot.h"

namespace sloppy::workers {
namespace {

// Kept free below V8's stack limit, for native code on top of JavaScript.
constexpr size_t kStackReserve = size_t{256} << 10;

}  // namespace

std::unique_ptr<IsolateHost> IsolateHost::Create(const PlatformBridge& platform,
                                                 TaskRunner::Waker* waker,
                                                 void* slot,
                                                 const Options& options) {
  if (!HasAddresses(kAddresses)) return nullptr;
  std::unique_ptr<IsolateHost> host(new IsolateHost(platform, options));
  v8::Isolate* isolate = v8::Isolate::Allocate();
  if (isolate == nullptr) return nullptr;
  isolate->SetOOMErrorHandler(options.on_out_of_memory);
  host->tasks_ = std::make_shared<TaskRunner>(waker);
  host->registration_ = platform.Register(isolate, host->tasks_);
  v8::Isolate::CreateParams params;
  host->memory_.Configure(&params);
  ChooseSnapshot(&params);
  v8::Isolate::Initialize(isolate, params);
  host->isolate_ = isolate;
  host->bootstrap_ = std::make_unique<BootstrapCode>(isolate);
  host->texts_ = std::make_unique<SharedTexts>(isolate, false);
  host->memory_.Attach(isolate, host->texts_.get());
  isolate->SetData(0, slot);
  host->libraries_ = std::make_unique<LibraryState>(isolate, &host->memory_,
                                                    options.interrupted);
  char here;
  isolate->SetStackLimit(reinterpret_cast<uintptr_t>(&here) -
                         (options.stack_bytes - kStackReserve));
  isolate->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  isolate->SetCaptureStackTraceForUncaughtExceptions(false);
  // With --abort-on-uncaught-exception V8 ends the process by itself where
  // nobody decides: for what it believes that no JavaScript catches, and for
  // terminations too. What ends a job never ends the process.
  isolate->SetAbortOnUncaughtExceptionCallback(
      [](v8::Isolate*) { return false; });
  return host;
}

IsolateHost::~IsolateHost() {
  if (isolate_ == nullptr) return;
  tasks_->Close();
  bootstrap_.reset();
  libraries_.reset();
  memory_.Detach();
  texts_.reset();
  platform_.Dispose(isolate_);
}

void IsolateHost::ClearTermination() {
  // With a termination pending, a checkpoint ends at the first microtask that
  // runs JavaScript and V8 then empties the queue.
  isolate_->TerminateExecution();
  {
    v8::TryCatch ignore(isolate_);
    v8::MicrotasksScope::PerformCheckpoint(isolate_);
  }
  isolate_->CancelTerminateExecution();
}

}  // namespace sloppy::workers

#include "isolate/bootstrap_code.h"

#include <v8-platform.h>

#include <atomic>
#include <utility>

#include "isolate/embedded_code.h"

namespace sloppy::workers {
namespace {

// The parts of the script in the code cache; kAny once it is there.
std::atomic<uint32_t> remembered_parts{0};
constexpr uint32_t kAny = uint32_t{1} << 31;
// Isolates that began before the others' parts were known could go round.
std::atomic<int> times_left{16};

}  // namespace

// Shared with the platform's thread. The first of the two decides: that thread
// begins, or the worker no longer waits for it.
class BootstrapCode::Reading {
 public:
  using Task = v8::ScriptCompiler::ConsumeCodeCacheTask;

  Reading(CodeCache::Data cached, std::unique_ptr<Task> task)
      : cached_(std::move(cached)), task_(std::move(task)) {}

  const CodeCache::Data& cached() const { return cached_; }

  // Any thread.
  void Run() {
    if (!Claim(kRunning)) return;
    task_->Run();
    state_.store(kDone, std::memory_order_release);
    state_.notify_all();
  }

  // Worker thread: a reading that has not begun never will.
  void Finish() {
    if (Claim(kTaken)) {
      task_.reset();
    } else {
      state_.wait(kRunning, std::memory_order_acquire);
    }
  }

  // Worker thread, once: V8 must not meet the task after its isolate. nullptr
  // if the platform's thread has not begun.
  std::unique_ptr<Task> Take() {
    Finish();
    return std::move(task_);
  }

 private:
  enum State { kWaiting, kRunning, kDone, kTaken };

  bool Claim(State as) {
    State waiting = kWaiting;
    return state_.compare_exchange_strong(waiting, as,
                                          std::memory_order_acq_rel);
  }

  const CodeCache::Data cached_;
  std::unique_ptr<Task> task_;
  std::atomic<State> state_{kWaiting};
};

class BootstrapCode::ReadingTask final : public v8::Task {
 public:
  explicit ReadingTask(std::shared_ptr<Reading> reading)
      : reading_(std::move(reading)) {}
  void Run() override { reading_->Run(); }

 private:
  const std::shared_ptr<Reading> reading_;
};

BootstrapCode::BootstrapCode(v8::Isolate* isolate)
    : isolate_(isolate), parts_(remembered_parts.load()) {}

BootstrapCode::~BootstrapCode() {
  if (reading_ != nullptr) reading_->Take();
}

void BootstrapCode::ReadAhead(const PlatformBridge& platform) {
  CodeCache::Data cached = CachedCodeOf(kGenBootstrap);
  if (cached == nullptr) return;
  std::unique_ptr<Reading::Task> task(
      v8::ScriptCompiler::StartConsumingCodeCache(isolate_, Borrow(cached)));
  if (task == nullptr) return;  // A flag of V8's forbids it.
  reading_ = std::make_shared<Reading>(std::move(cached), std::move(task));
  platform.Post(std::make_unique<ReadingTask>(reading_));
}

void BootstrapCode::FinishReading() {
  if (reading_ != nullptr) reading_->Finish();
}

v8::MaybeLocal<v8::UnboundScript> BootstrapCode::Get() {
  if (!script_.IsEmpty()) return script_.Get(isolate_);
  const std::shared_ptr<Reading> reading = std::move(reading_);
  v8::Local<v8::UnboundScript> script;
  if (!(reading == nullptr
            ? CompileEmbedded(isolate_, kGenBootstrap,
                              CachedCodeOf(kGenBootstrap))
            : CompileEmbedded(isolate_, kGenBootstrap, reading->cached(),
                              reading->Take()))
           .ToLocal(&script)) {
    return {};
  }
  script_.Reset(isolate_, script);
  return script;
}

void BootstrapCode::Remember(uint32_t parts) {
  parts_ |= parts | kAny;
  // Asked before every sleep: a read is all that it costs most often.
  uint32_t known = remembered_parts.load(std::memory_order_relaxed);
  if ((parts_ & ~known) == 0 || script_.IsEmpty() ||
      times_left.fetch_sub(1) <= 0 ||
      !remembered_parts.compare_exchange_strong(known, parts_)) {
    return;
  }
  v8::HandleScope scope(isolate_);
  StoreCodeOf(kGenBootstrap, script_.Get(isolate_));
}

}  // namespace sloppy::workers

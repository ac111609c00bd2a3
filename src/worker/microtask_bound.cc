#include "worker/microtask_bound.h"

namespace sloppy::workers {
namespace {

// The bound that counts on this thread: V8's promise hook has no data.
thread_local MicrotaskBound* t_counting = nullptr;

}  // namespace

void MicrotaskBound::RunCheckpoint(v8::Isolate* isolate) {
  if (depth_++ == 0) serial_.fetch_add(1, std::memory_order_relaxed);
  v8::MicrotasksScope::PerformCheckpoint(isolate);
  if (--depth_ > 0) return;
  serial_.fetch_add(1, std::memory_order_relaxed);
  if (!counting_) return;
  counting_ = false;
  isolate->SetPromiseHook(nullptr);
}

void MicrotaskBound::Look(v8::Isolate* isolate) {
  const uint64_t serial = serial_.load(std::memory_order_relaxed);
  const bool same = (serial & 1) == 1 && serial == seen_;
  seen_ = serial;
  if (same && isolate != nullptr) {
    isolate->RequestInterrupt(StartCounting, this);
  }
}

void MicrotaskBound::StartCounting(v8::Isolate* isolate, void* data) {
  auto* self = static_cast<MicrotaskBound*>(data);
  // The checkpoint may have ended before the interrupt came.
  if (self->depth_ == 0 || self->counting_) return;
  self->counting_ = true;
  self->count_ = 0;
  t_counting = self;
  isolate->SetPromiseHook(OnPromise);
}

void MicrotaskBound::OnPromise(v8::PromiseHookType type, v8::Local<v8::Promise>,
                               v8::Local<v8::Value>) {
  if (type != v8::PromiseHookType::kBefore) return;
  if (++t_counting->count_ <= t_counting->limit_) return;
  t_counting->on_exceeded_();
}

}  // namespace sloppy::workers

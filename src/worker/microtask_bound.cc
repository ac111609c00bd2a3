#include "worker/microtask_bound.h"

#include <utility>

#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// The bound that counts on this thread: V8's promise hook has no data.
thread_local MicrotaskBound* t_counting = nullptr;

}  // namespace

void MicrotaskBound::RunCheckpoint(v8::Isolate* isolate) {
  if (depth_++ == 0) serial_.fetch_add(1, std::memory_order_relaxed);
  PerformCheckpoint(isolate);
  if (--depth_ > 0) return;
  serial_.fetch_add(1, std::memory_order_relaxed);
  if (!counting_) return;
  counting_ = false;
  isolate->SetPromiseHook(nullptr);
}

void MicrotaskBound::Look(v8::Isolate* isolate) {
  const uint64_t serial = serial_.load(std::memory_order_relaxed);
  const bool same = (serial & 1) == 1 && serial == seen_;
  looks_ = same ? looks_ + 1 : 0;
  seen_ = serial;
  if (!same || isolate == nullptr) return;
  const bool counts = looks_ <= kAlways || looks_ % kOneOf == 0;
  const bool counted = counts_.exchange(counts, std::memory_order_relaxed);
  // What was said of the checkpoint before says nothing of this one.
  if (looks_ > 1 && counted == counts) return;
  isolate->RequestInterrupt(Switch, this);
}

void MicrotaskBound::Switch(v8::Isolate* isolate, void* data) {
  auto* self = static_cast<MicrotaskBound*>(data);
  // The checkpoint may have ended before the interrupt came.
  if (self->depth_ == 0) return;
  const bool counts = self->counts_.load(std::memory_order_relaxed);
  if (self->counting_ == counts) return;
  self->counting_ = counts;
  const uint64_t serial = self->serial_.load(std::memory_order_relaxed);
  if (std::exchange(self->counted_, serial) != serial) self->count_ = 0;
  t_counting = self;
  isolate->SetPromiseHook(counts ? OnPromise : nullptr);
}

void MicrotaskBound::OnPromise(v8::PromiseHookType type, v8::Local<v8::Promise>,
                               v8::Local<v8::Value>) {
  if (type != v8::PromiseHookType::kBefore) return;
  if (++t_counting->count_ <= t_counting->limit_) return;
  t_counting->on_exceeded_();
}

}  // namespace sloppy::workers

#include "binding/thread_guard.h"

#include <node.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "binding/arguments.h"
#include "isolate/heap_guard.h"
#include "worker/std_streams.h"

namespace sloppy::workers {
namespace {

// `Atomics` reads the word, so it must be a plain lock-free one.
static_assert(sizeof(std::atomic<int32_t>) == sizeof(int32_t) &&
              std::atomic<int32_t>::is_always_lock_free);

class ThreadGuard {
 public:
  ThreadGuard(v8::Isolate* isolate, node::Environment* environment,
              v8::Local<v8::Int32Array> words, size_t at)
      : environment_(environment),
        memory_(words->Buffer()->GetBackingStore()),
        word_(static_cast<std::atomic<int32_t>*>(memory_->Data()) +
              words->ByteOffset() / sizeof(int32_t) + at),
        heap_(isolate, OnHit, this) {}

  static void OnEnvironmentEnd(void* self) {
    delete static_cast<ThreadGuard*>(self);
  }

 private:
  // Node's own callback does the same.
  static void OnHit(void* data) {
    auto* self = static_cast<ThreadGuard*>(data);
    self->word_->store(1);
    node::Stop(self->environment_);
  }

  node::Environment* const environment_;
  const std::shared_ptr<v8::BackingStore> memory_;
  std::atomic<int32_t>* const word_;
  const HeapGuard heap_;
};

}  // namespace

void GuardHeap(const Napi::CallbackInfo& info) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  auto* environment = node::GetCurrentEnvironment(isolate->GetCurrentContext());
  auto* guard =
      new ThreadGuard(isolate, environment, ToV8(info[0]).As<v8::Int32Array>(),
                      static_cast<size_t>(NumberAt(info, 1)));
  napi_add_env_cleanup_hook(info.Env(), ThreadGuard::OnEnvironmentEnd, guard);
}

Napi::Value WriteSomeOf(const Napi::CallbackInfo& info) {
  const auto bytes = info[1].As<Napi::Uint8Array>();
  const size_t from = std::min(Count(NumberAt(info, 2)), bytes.ByteLength());
  const int64_t written =
      WriteSome(static_cast<int>(NumberAt(info, 0)),
                reinterpret_cast<const char*>(bytes.Data()) + from,
                bytes.ByteLength() - from);
  return Napi::Number::New(info.Env(), static_cast<double>(written));
}

}  // namespace sloppy::workers

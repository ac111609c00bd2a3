#include "worker/rejections.h"

#include <utility>

namespace sloppy::workers {

void Rejections::Note(v8::Isolate* isolate,
                      const v8::PromiseRejectMessage& message) {
  const v8::PromiseRejectEvent event = message.GetEvent();
  const bool late = event == v8::kPromiseHandlerAddedAfterReject;
  if (late ? !told_ : event != v8::kPromiseRejectWithNoHandler) return;
  noted_.push_back(
      {v8::Global<v8::Promise>(isolate, message.GetPromise()), late});
}

bool Rejections::TellAll(v8::Isolate* isolate, const Tell& tell) {
  const std::vector<Noted> batch = std::exchange(noted_, {});
  for (const Noted& noted : batch) {
    v8::HandleScope scope(isolate);
    v8::Local<v8::Promise> promise = noted.promise.Get(isolate);
    if (!noted.late && promise->HasHandler()) continue;
    told_ = true;
    if (!tell(promise, noted.late)) return false;
  }
  return true;
}

}  // namespace sloppy::workers

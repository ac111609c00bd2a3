#include "worker/rejections.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "isolate/v8_compat.h"

namespace sloppy::workers {

void Rejections::Note(v8::Isolate* isolate,
                      const v8::PromiseRejectMessage& message) {
  const v8::PromiseRejectEvent event = message.GetEvent();
  const bool late = event == v8::kPromiseHandlerAddedAfterReject;
  if (late ? !reported_ : event != v8::kPromiseRejectWithNoHandler) return;
  noted_.push_back({v8::Global<v8::Promise>(isolate, message.GetPromise()),
                    v8::Global<v8::Value>(
                        isolate, GetContinuationData(isolate).As<v8::Value>()),
                    late});
}

bool Rejections::ReportAll(v8::Isolate* isolate, const Report& report) {
  const std::vector<Noted> batch = std::exchange(noted_, {});
  for (const Noted& noted : batch) {
    v8::HandleScope scope(isolate);
    v8::Local<v8::Promise> promise = noted.promise.Get(isolate);
    if (!noted.late && promise->HasHandler()) continue;
    reported_ = true;
    const size_t before = noted_.size();
    SetContinuationData(isolate, noted.frame.Get(isolate));
    const bool reported = report(promise, noted.late);
    SetContinuationData(isolate, v8::Undefined(isolate));
    if (!reported) return false;
    // A handler that was added during the report came in time.
    const auto in_time = std::remove_if(
        noted_.begin() + static_cast<ptrdiff_t>(before), noted_.end(),
        [&promise](const Noted& note) { return note.promise == promise; });
    noted_.erase(in_time, noted_.end());
  }
  return true;
}

}  // namespace sloppy::workers

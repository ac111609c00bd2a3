#include "worker/rejections.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "isolate/v8_compat.h"

namespace sloppy::workers {

using wire::Rejection;

void Rejections::Note(v8::Isolate* isolate,
                      const v8::PromiseRejectMessage& message,
                      [[maybe_unused]] const Report& report) {
  const v8::PromiseRejectEvent event = message.GetEvent();
#if !SW_V8_AT_LEAST(14, 0)
  // Later V8s tell of none of these.
  if (event == v8::kPromiseRejectAfterResolved ||
      event == v8::kPromiseResolveAfterResolved) {
    if (!hears_again_ || message.GetValue().IsEmpty()) return;
    report(message.GetPromise(), message.GetValue(),
           event == v8::kPromiseRejectAfterResolved
               ? Rejection::kRejectedAgain
               : Rejection::kResolvedAgain);
    return;
  }
#endif
  const bool late = event == v8::kPromiseHandlerAddedAfterReject;
  if (late && !reported_) return;
  noted_.push_back({v8::Global<v8::Promise>(isolate, message.GetPromise()),
                    v8::Global<v8::Value>(
                        isolate, GetContinuationData(isolate).As<v8::Value>()),
                    late ? Rejection::kHandled : Rejection::kUnhandled});
}

bool Rejections::ReportAll(v8::Isolate* isolate, bool endless,
                           const Report& report) {
  const std::vector<Noted> batch = std::exchange(noted_, {});
  for (const Noted& noted : batch) {
    if (noted.what == Rejection::kUnhandled) continue;
    if (!ReportOne(isolate, noted, noted.what, report)) return false;
  }
  const Rejection what = endless ? Rejection::kEndless : Rejection::kUnhandled;
  for (const Noted& noted : batch) {
    if (noted.what != Rejection::kUnhandled) continue;
    if (!ReportOne(isolate, noted, what, report)) return false;
  }
  return true;
}

bool Rejections::ReportOne(v8::Isolate* isolate, const Noted& noted,
                           Rejection what, const Report& report) {
  v8::HandleScope scope(isolate);
  v8::Local<v8::Promise> promise = noted.promise.Get(isolate);
  if (noted.what == Rejection::kUnhandled && promise->HasHandler()) return true;
  reported_ = true;
  const size_t before = noted_.size();
  SetContinuationData(isolate, noted.frame.Get(isolate));
  const bool reported = report(promise, promise->Result(), what);
  SetContinuationData(isolate, v8::Undefined(isolate));
  if (!reported) return false;
  for (size_t i = before; i < noted_.size(); ++i) {
    if (noted_[i].promise == promise) {
      noted_[i].what = Rejection::kHandledMeanwhile;
    }
  }
  return true;
}

}  // namespace sloppy::workers

#include "isolate/young_collector.h"

#include <algorithm>

#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// V8 collects everything at 64 MB. Not long before that: the first calls after
// a collection find both threads asleep and their caches cold.
constexpr int64_t kRoom = int64_t{60} << 20;
// Of an array that fits into a page of the young generation, and how many such
// arrays fill the largest one.
constexpr int kElements = 12'000;
constexpr int kMostArrays = 200;

}  // namespace

YoungCollector::YoungCollector(v8::Isolate* isolate)
    : isolate_(isolate), low_(AdjustExternalMemory(isolate, 0)) {
  isolate_->AddGCEpilogueCallback(OnCollected, this);
}

YoungCollector::~YoungCollector() {
  isolate_->RemoveGCEpilogueCallback(OnCollected, this);
}

void YoungCollector::MakeRoom(size_t bytes) {
  const int64_t counted = AdjustExternalMemory(isolate_, 0);
  low_ = std::min(low_, counted);
  if (counted + static_cast<int64_t>(bytes) - low_ > kRoom) Collect();
}

// V8 has no call for it, but does it when the young generation is full.
void YoungCollector::Collect() {
  collected_ = false;
  for (int i = 0; i < kMostArrays && !collected_; ++i) {
    v8::HandleScope scope(isolate_);
    v8::Array::New(isolate_, kElements);
  }
}

void YoungCollector::OnCollected(v8::Isolate* isolate, v8::GCType,
                                 v8::GCCallbackFlags, void* data) {
  auto* self = static_cast<YoungCollector*>(data);
  self->collected_ = true;
  self->low_ = AdjustExternalMemory(isolate, 0);
}

}  // namespace sloppy::workers

#include "isolate/heap_peak.h"

#include <algorithm>
#include <utility>

namespace sloppy::workers {

void HeapPeak::Begin(v8::Isolate* isolate, const MemoryLimit* memory) {
  Forget();
  isolate_ = isolate;
  memory_ = memory;
  peak_ = 0;
  isolate->AddGCPrologueCallback(OnCollection, this);
}

int64_t HeapPeak::End() {
  if (isolate_ == nullptr) return -1;
  Look();
  Forget();
  return peak_;
}

void HeapPeak::Forget() {
  v8::Isolate* isolate = std::exchange(isolate_, nullptr);
  if (isolate != nullptr) {
    isolate->RemoveGCPrologueCallback(OnCollection, this);
  }
}

void HeapPeak::OnCollection(v8::Isolate*, v8::GCType, v8::GCCallbackFlags,
                            void* data) {
  static_cast<HeapPeak*>(data)->Look();
}

void HeapPeak::Look() {
  v8::HeapStatistics statistics;
  isolate_->GetHeapStatistics(&statistics);
  peak_ = std::max(peak_, static_cast<int64_t>(statistics.used_heap_size() +
                                               memory_->external_bytes()));
}

}  // namespace sloppy::workers

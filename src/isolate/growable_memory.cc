#include "isolate/growable_memory.h"

#include <v8-profiler.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// A search of the heap collects garbage first; it may take a tenth of the
// time at most.
constexpr int64_t kSearchShare = 10;

class WasmMemories final : public v8::QueryObjectPredicate {
 public:
  bool Filter(v8::Local<v8::Object> object) override {
    return object->IsWasmMemoryObject();
  }
};

}  // namespace

void GrowableMemory::Add(v8::Isolate* isolate, v8::Local<v8::Object> object,
                         v8::Local<v8::Value> buffer_of) {
  SetGetter(isolate, buffer_of);
  objects_.emplace_back(isolate, object);
  objects_.back().SetWeak();
  newest_.Reset(isolate, object);
}

void GrowableMemory::SetHidden(v8::Isolate* isolate,
                               v8::Local<v8::Object> instance,
                               v8::Local<v8::Value> buffer_of) {
  SetGetter(isolate, buffer_of);
  newest_.Reset(isolate, instance);
  hidden_ = true;
}

size_t GrowableMemory::Measure(v8::Isolate* isolate, bool may_collect) {
  if (hidden_ && may_collect) FindHidden(isolate);
  std::erase_if(objects_, [](const auto& object) { return object.IsEmpty(); });
  size_t sum = 0;
  largest_ = 0;
  // Goes by number: a getter's garbage collection may reset any of them.
  for (size_t i = 0; i < objects_.size(); ++i) {
    v8::HandleScope scope(isolate);
    const v8::Local<v8::Object> object = objects_[i].Get(isolate);
    if (object.IsEmpty()) continue;
    const size_t bytes = BytesOf(isolate, object);
    largest_ = std::max(largest_, bytes);
    sum += bytes;
  }
  return sum;
}

void GrowableMemory::Clear() {
  objects_.clear();
  newest_.Reset();
  buffer_of_.Reset();
  hidden_ = false;
  largest_ = 0;
}

void GrowableMemory::SetGetter(v8::Isolate* isolate,
                               v8::Local<v8::Value> buffer_of) {
  if (!buffer_of->IsFunction() || buffer_of_ == buffer_of) return;
  buffer_of_.Reset(isolate, buffer_of.As<v8::Function>());
  buffer_of_.SetWeak();
}

void GrowableMemory::FindHidden(v8::Isolate* isolate) {
  const int64_t begun = MonotonicNow();
  if (begun < search_again_) return;
  hidden_ = false;
  WasmMemories memories;
  std::vector<v8::Global<v8::Object>> found;
  isolate->GetHeapProfiler()->QueryObjects(isolate->GetCurrentContext(),
                                           &memories, &found);
  for (auto& memory : found) {
    if (Knows(memory.Get(isolate))) continue;
    memory.SetWeak();
    objects_.push_back(std::move(memory));
  }
  const int64_t ended = MonotonicNow();
  search_again_ = ended + kSearchShare * (ended - begun);
}

bool GrowableMemory::Knows(v8::Local<v8::Object> object) const {
  return std::any_of(objects_.begin(), objects_.end(),
                     [object](const auto& known) { return known == object; });
}

size_t GrowableMemory::BytesOf(v8::Isolate* isolate,
                               v8::Local<v8::Object> object) const {
  v8::Local<v8::Value> buffer = object;
  if (object->IsWasmMemoryObject()) {
    const v8::Local<v8::Function> buffer_of = buffer_of_.Get(isolate);
    v8::TryCatch terminated(isolate);
    if (buffer_of.IsEmpty() ||
        !WasmMemoryBuffer(isolate->GetCurrentContext(), object, buffer_of)
             .ToLocal(&buffer)) {
      return 0;
    }
  }
  if (buffer->IsArrayBuffer())
    return buffer.As<v8::ArrayBuffer>()->ByteLength();
  if (!buffer->IsSharedArrayBuffer()) return 0;
  return buffer.As<v8::SharedArrayBuffer>()->ByteLength();
}

}  // namespace sloppy::workers

#include "isolate/heap_guard.h"

#include <utility>

#include "isolate/heap_room.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// Code that still goes on then, inside a built-in, ends the process.
constexpr size_t kMostInAll = 2 * kMostRoom;

}  // namespace

HeapGuard::HeapGuard(v8::Isolate* isolate, OnHit on_hit, void* data)
    : isolate_(isolate), on_hit_(on_hit), data_(data) {
  PrepareProcess();
  isolate->AddNearHeapLimitCallback(OnNearHeapLimit, this);
}

HeapGuard::~HeapGuard() {
  isolate_->RemoveNearHeapLimitCallback(OnNearHeapLimit, 0);
}

size_t HeapGuard::OnNearHeapLimit(void* data, size_t current, size_t initial) {
  auto* self = static_cast<HeapGuard*>(data);
  self->isolate_->TerminateExecution();
  if (!std::exchange(self->hit_, true)) self->on_hit_(self->data_);
  if (current > initial && current - initial > kMostInAll) return current;
  return current + HeapRoom(kMostRoom);
}

}  // namespace sloppy::workers

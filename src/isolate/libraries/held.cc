#include "isolate/libraries/held.h"

#include "isolate/v8_properties.h"

namespace sloppy::workers {

LibraryState::LibraryState(v8::Isolate* isolate, MemoryLimit* memory,
                           const std::atomic<bool>* interrupted)
    : isolate_(isolate), memory_(memory), interrupted_(interrupted) {
  isolate->SetData(kSlot, this);
}

LibraryState::~LibraryState() {
  while (first_ != nullptr) delete first_;
  isolate_->SetData(kSlot, nullptr);
}

v8::Local<v8::ObjectTemplate> LibraryState::held_template() {
  if (template_.IsEmpty()) {
    v8::Local<v8::ObjectTemplate> made = v8::ObjectTemplate::New(isolate_);
    made->SetInternalFieldCount(1);
    template_.Set(isolate_, made);
  }
  return template_.Get(isolate_);
}

HeldBase::HeldBase(v8::Isolate* isolate, const void* kind, size_t bytes)
    : state_(LibraryState::Of(isolate)), kind_(kind), bytes_(bytes) {
  after_ = state_.first_;
  if (after_ != nullptr) after_->before_ = this;
  state_.first_ = this;
  ++state_.held_;
  AdjustExternalMemory(isolate,
                       static_cast<int64_t>(bytes_) - state_.freed_bytes_);
  state_.freed_bytes_ = 0;
}

HeldBase::~HeldBase() {
  (before_ == nullptr ? state_.first_ : before_->after_) = after_;
  if (after_ != nullptr) after_->before_ = before_;
  --state_.held_;
  state_.freed_bytes_ += static_cast<int64_t>(bytes_);
}

v8::MaybeLocal<v8::Object> HeldBase::Wrap(v8::Local<v8::Context> context) {
  v8::Local<v8::Object> object;
  if (!state_.held_template()->NewInstance(context).ToLocal(&object)) {
    delete this;
    return {};
  }
  Adopt(object);
  return object;
}

void HeldBase::Adopt(v8::Local<v8::Object> object) {
  SetInternalPointer(object, this);
  object_.Reset(state_.isolate_, object);
  object_.SetWeak(this, OnCollected, v8::WeakCallbackType::kParameter);
}

// Only objects of our templates have an internal field of ours.
HeldBase* HeldBase::Find(v8::Local<v8::Value> value, const void* kind) {
  if (!value->IsObject()) return nullptr;
  auto object = value.As<v8::Object>();
  if (object->InternalFieldCount() != 1 || object->IsArrayBuffer() ||
      object->IsArrayBufferView() || object->IsPromise()) {
    return nullptr;
  }
  auto* held = static_cast<HeldBase*>(InternalPointer(object));
  return held != nullptr && held->kind_ == kind ? held : nullptr;
}

// Nothing of V8 is called: the collection is still under way. A second callback
// would come later, and after this has been freed with the isolate.
void HeldBase::OnCollected(const v8::WeakCallbackInfo<HeldBase>& info) {
  HeldBase* held = info.GetParameter();
  held->object_.Reset();
  delete held;
}

}  // namespace sloppy::workers

#include "isolate/native_memory.h"

#include <cstring>

#include "isolate/libraries/output.h"
#include "isolate/memory_limit.h"
#include "isolate/v8_compat.h"
#include "payload/block_cache.h"

namespace sloppy::workers {
namespace {

// The allocator of isolates without a limit.
class Unlimited final : public v8::ArrayBuffer::Allocator {
 public:
  void* Allocate(size_t length) override {
    return BlockCache::Process().TakeZeroed(length);
  }
  void* AllocateUninitialized(size_t length) override {
    return BlockCache::Process().Take(length);
  }
  void Free(void* data, size_t length) override {
    BlockCache::Process().Give(data, length);
  }
};

// V8 hears of its bytes, as of a buffer's: otherwise it collects dead texts
// only when they fill the heap, and no block comes back for the next one.
class OutsideText final : public v8::String::ExternalOneByteStringResource {
 public:
  OutsideText(v8::Isolate* isolate, NativeMemory memory, size_t used)
      : isolate_(isolate), memory_(std::move(memory)), used_(used) {
    AdjustExternalMemory(isolate, static_cast<int64_t>(memory_.size()));
  }
  ~OutsideText() override {
    AdjustExternalMemory(isolate_, -static_cast<int64_t>(memory_.size()));
  }
  const char* data() const override {
    return reinterpret_cast<const char*>(memory_.data());
  }
  size_t length() const override { return used_; }

 private:
  v8::Isolate* const isolate_;
  const NativeMemory memory_;
  const size_t used_;
};

}  // namespace

std::shared_ptr<v8::ArrayBuffer::Allocator> AllocatorOf(v8::Isolate* isolate) {
  if (MemoryLimit* limit = MemoryLimit::Of(isolate)) return limit->allocator();
  static auto* const unlimited =
      new std::shared_ptr<v8::ArrayBuffer::Allocator>(new Unlimited);
  return *unlimited;
}

bool HasRoomFor(v8::Isolate* isolate, size_t bytes) {
  MemoryLimit* limit = MemoryLimit::Of(isolate);
  return limit == nullptr || limit->HasRoomFor(bytes);
}

NativeMemory::NativeMemory(v8::Isolate* isolate, size_t size)
    : allocator_(AllocatorOf(isolate)) {
  void* memory = allocator_->AllocateUninitialized(size);
  if (memory == nullptr) {
    // V8 does the same for JavaScript's buffers.
    isolate->LowMemoryNotification();
    memory = allocator_->AllocateUninitialized(size);
  }
  data_ = static_cast<uint8_t*>(memory);
  if (data_ != nullptr) size_ = size;
}

v8::MaybeLocal<v8::ArrayBuffer> NativeMemory::ToBuffer(v8::Isolate* isolate,
                                                       size_t used) {
  if (used == 0) return v8::ArrayBuffer::New(isolate, 0);
  if (used < size_ / 2) {
    NativeMemory smaller(isolate, used);
    if (smaller.data() == nullptr) {
      ThrowNoMemory(isolate);
      return {};
    }
    std::memcpy(smaller.data(), data_, used);
    *this = std::move(smaller);
  }
  auto* held = new NativeMemory(std::move(*this));
  return v8::ArrayBuffer::New(isolate,
                              v8::ArrayBuffer::NewBackingStore(
                                  held->data(), used,
                                  [](void*, size_t, void* memory) {
                                    delete static_cast<NativeMemory*>(memory);
                                  },
                                  held));
}

v8::MaybeLocal<v8::String> ToText(v8::Isolate* isolate, NativeMemory memory,
                                  size_t used) {
  if (used < kOutsideText) {
    return v8::String::NewFromOneByte(isolate, memory.data(),
                                      v8::NewStringType::kNormal,
                                      static_cast<int>(used));
  }
  return v8::String::NewExternalOneByte(
      isolate, new OutsideText(isolate, std::move(memory), used));
}

}  // namespace sloppy::workers

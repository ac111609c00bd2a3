#include "isolate/bindings/serializer_memory.h"

#include <cstdlib>

#include "isolate/libraries/output.h"
#include "isolate/memory_limit.h"

namespace sloppy::workers {
namespace {

// Blocks up to this size are not counted: most values are small, and V8 is told
// of each serializer.
constexpr size_t kUncounted = 1024;

}  // namespace

void* SerializerMemory::Reallocate(void* old, size_t size) {
  MemoryLimit* limit = MemoryLimit::Of(isolate_);
  if (limit != nullptr && limit->ShareOf(size) > 1) {
    has_failed_ = true;
    return nullptr;
  }
  void* block = std::realloc(old, size);
  if (block == nullptr) {
    has_failed_ = true;
    return nullptr;
  }
  size_ = size;
  counted_.reset();
  if (limit == nullptr || size <= kUncounted) return block;
  is_over_ = !limit->HasRoomNow(size);
  if (!is_over_) counted_ = limit->Lend(block, size);
  return block;
}

void SerializerMemory::Free(void* block) {
  std::free(block);
  counted_.reset();
}

bool SerializerMemory::Settle(bool has_thrown) {
  MemoryLimit* limit = MemoryLimit::Of(isolate_);
  if (has_thrown) {
    if (has_failed_ && limit != nullptr) limit->End();
    return false;
  }
  if (is_over_ && !has_failed_) {
    // Its address is not used.
    if (limit->HasRoomFor(size_)) counted_ = limit->Lend(this, size_);
    is_over_ = counted_ == nullptr;
  }
  if (!is_over_ && !has_failed_) return true;
  Refuse();
  return false;
}

void SerializerMemory::Refuse() {
  ThrowNoMemory(isolate_);
  if (MemoryLimit* limit = MemoryLimit::Of(isolate_)) limit->End();
}

v8::MaybeLocal<v8::ArrayBuffer> SerializerMemory::Take(
    std::pair<uint8_t*, size_t> bytes) {
  const auto [data, size] = bytes;
  counted_.reset();
  is_over_ = false;
  if (size == 0) {
    std::free(data);
    return v8::ArrayBuffer::New(isolate_, 0);
  }
  void* fitting = size < size_ / 2 ? std::realloc(data, size) : nullptr;
  const std::shared_ptr<void> block(fitting != nullptr ? fitting : data,
                                    std::free);
  MemoryLimit* limit = MemoryLimit::Of(isolate_);
  if (limit == nullptr) {
    return v8::ArrayBuffer::New(
        isolate_, v8::ArrayBuffer::NewBackingStore(
                      block.get(), size,
                      [](void*, size_t, void* held) {
                        delete static_cast<std::shared_ptr<void>*>(held);
                      },
                      new std::shared_ptr<void>(block)));
  }
  std::shared_ptr<v8::BackingStore> store;
  if (limit->HasRoomNow(size) || limit->HasRoomFor(size)) {
    store = limit->Lend(block.get(), size, block);
  }
  if (store == nullptr) {
    Refuse();
    return {};
  }
  return v8::ArrayBuffer::New(isolate_, std::move(store));
}

}  // namespace sloppy::workers

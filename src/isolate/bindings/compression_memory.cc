#include <cstddef>
#include <cstring>

#include "isolate/bindings/compression.h"
#include "isolate/native_memory.h"
#include "payload/block_cache.h"

namespace sloppy::workers {
namespace {

// It stands before each block of a library, so that its size is known when it
// is given back.
struct Header {
  size_t room;
  bool is_counted;
};
constexpr size_t kHeader = alignof(std::max_align_t) * 2;
static_assert(sizeof(Header) <= kHeader);

void* WithHeader(void* block, Header header) {
  if (block == nullptr) return nullptr;
  std::memcpy(block, &header, sizeof(header));
  return static_cast<uint8_t*>(block) + kHeader;
}

}  // namespace

CompressionMemory::CompressionMemory(v8::Isolate* isolate)
    : isolate_(isolate), allocator_(AllocatorOf(isolate)) {}

void* CompressionMemory::Take(void* memory, size_t size) {
  auto* self = static_cast<CompressionMemory*>(memory);
  const size_t room = size + kHeader;
  if (room < size) return nullptr;
  void* block = self->allocator_->AllocateUninitialized(room);
  if (block == nullptr) {
    self->isolate_->LowMemoryNotification();
    block = self->allocator_->AllocateUninitialized(room);
  }
  return WithHeader(block, {room, true});
}

void* CompressionMemory::TakeAlways(void* memory, size_t size) {
  if (void* block = Take(memory, size)) return block;
  static_cast<CompressionMemory*>(memory)->exceeded_ = true;
  const size_t room = size + kHeader;
  if (room < size) return nullptr;
  return WithHeader(BlockCache::Process().Take(room), {room, false});
}

void CompressionMemory::Give(void* memory, void* block) {
  if (block == nullptr) return;
  auto* self = static_cast<CompressionMemory*>(memory);
  uint8_t* start = static_cast<uint8_t*>(block) - kHeader;
  Header header;
  std::memcpy(&header, start, sizeof(header));
  if (header.is_counted) {
    self->allocator_->Free(start, header.room);
  } else {
    BlockCache::Process().Give(start, header.room);
  }
}

}  // namespace sloppy::workers

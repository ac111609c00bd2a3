#include "isolate/libraries/output.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "isolate/libraries/library_state.h"
#include "isolate/new_buffer.h"
#include "payload/block_cache.h"

namespace sloppy::workers {
namespace {

// To ask V8 for the size of its heap costs more than so few bytes.
constexpr size_t kNotAsked = size_t{64} << 10;

// A block that goes back to the cache with the last buffer over it.
struct Block {
  Block(void* memory, size_t bytes) : data(memory), size(bytes) {}
  ~Block() { BlockCache::Process().Give(data, size); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  void* const data;
  const size_t size;
};

}  // namespace

void Wipe(void* data, size_t size) {
  if (size == 0) return;
  static void* (*const volatile clear)(void*, int, size_t) = std::memset;
  clear(data, 0, size);
}

void ThrowNoMemory(v8::Isolate* isolate) {
  isolate->ThrowException(
      v8::Exception::RangeError(v8::String::NewFromUtf8Literal(
          isolate, "Array buffer allocation failed")));
}

Output::Output(v8::Isolate* isolate, size_t room) : isolate_(isolate) {
  data_ = Take(room);
  room_ = room;
}

Output::~Output() { Free(); }

void Output::Free() {
  if (data_ == nullptr) return;
  BlockCache::Process().Give(data_, std::max<size_t>(room_, 1));
  data_ = nullptr;
}

// The limit is asked first: what is over it must not be touched.
uint8_t* Output::Take(size_t room) {
  void* block = nullptr;
  if (room < kNotAsked ||
      LibraryState::Of(isolate_).memory().HasRoomFor(room)) {
    block = BlockCache::Process().Take(std::max<size_t>(room, 1));
  }
  if (block == nullptr) ThrowNoMemory(isolate_);
  return static_cast<uint8_t*>(block);
}

bool Output::Grow(size_t used, size_t room) {
  uint8_t* larger = Take(room);
  if (larger == nullptr) return false;
  std::memcpy(larger, data_, used);
  Free();
  data_ = larger;
  room_ = room;
  return true;
}

v8::MaybeLocal<v8::Uint8Array> Output::Give(size_t size) {
  if (size < BlockCache::kSmallest || size < room_ / 2) {
    v8::MaybeLocal<v8::Uint8Array> copy = NewBytes(isolate_, data_, size);
    Wipe(data_, size);
    return copy;
  }
  auto block = std::make_shared<Block>(data_, room_);
  data_ = nullptr;
  std::shared_ptr<v8::BackingStore> store =
      LibraryState::Of(isolate_).memory().Lend(block->data, size, block);
  if (store == nullptr) {
    ThrowNoMemory(isolate_);
    return {};
  }
  return v8::Uint8Array::New(v8::ArrayBuffer::New(isolate_, std::move(store)),
                             0, size);
}

v8::MaybeLocal<v8::Uint8Array> NewBytes(v8::Isolate* isolate, const void* data,
                                        size_t size) {
  v8::Local<v8::ArrayBuffer> buffer;
  if (!NewBuffer(isolate, size).ToLocal(&buffer)) return {};
  if (size > 0) std::memcpy(buffer->Data(), data, size);
  return v8::Uint8Array::New(buffer, 0, size);
}

}  // namespace sloppy::workers

// Memory that a native fills for JavaScript: a buffer's or a text's. It comes
// from BlockCache, because the system clears each page of fresh memory at its
// first touch, which costs more than most natives; and it counts in the
// isolate's memory limit.
//
// Worker thread, but for the destructors, which V8 may run on any.
#ifndef SLOPPY_WORKERS_ISOLATE_NATIVE_MEMORY_H_
#define SLOPPY_WORKERS_ISOLATE_NATIVE_MEMORY_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace sloppy::workers {

// The isolate's array buffers' allocator, in a form that may be kept.
std::shared_ptr<v8::ArrayBuffer::Allocator> AllocatorOf(v8::Isolate* isolate);

// Whether so much more would fit, after a collection if need be.
bool HasRoomFor(v8::Isolate* isolate, size_t bytes);

class NativeMemory {
 public:
  NativeMemory() = default;
  // Any content. `data()` is nullptr when there is too little memory, also
  // after a collection.
  NativeMemory(v8::Isolate* isolate, size_t size);
  NativeMemory(NativeMemory&& other) noexcept { *this = std::move(other); }
  NativeMemory& operator=(NativeMemory&& other) noexcept {
    std::swap(allocator_, other.allocator_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~NativeMemory() {
    if (data_ != nullptr) allocator_->Free(data_, size_);
  }

  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  // The first `used` bytes as a buffer, which owns this memory from then on.
  // Much more than is used is given back.
  v8::MaybeLocal<v8::ArrayBuffer> ToBuffer(v8::Isolate* isolate, size_t used);

 private:
  std::shared_ptr<v8::ArrayBuffer::Allocator> allocator_;
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

// Texts of this size and more stay outside V8's heap: V8 maps new memory for
// each long text inside.
inline constexpr size_t kOutsideText = size_t{256} << 10;

// A one-byte text of the first `used` bytes of `memory`, which should be most
// of them.
v8::MaybeLocal<v8::String> ToText(v8::Isolate* isolate, NativeMemory memory,
                                  size_t used);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_NATIVE_MEMORY_H_

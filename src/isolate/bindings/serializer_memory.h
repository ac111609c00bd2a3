// Memory that V8's serializer writes to, counted in the isolate's limit.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_SERIALIZER_MEMORY_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_SERIALIZER_MEMORY_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace sloppy::workers {

// Worker thread, JavaScript running.
class SerializerMemory {
 public:
  explicit SerializerMemory(v8::Isolate* isolate) : isolate_(isolate) {}

  // V8 points into its heap meanwhile, so that nothing may be collected: what
  // is too much is only noted, up to a size that no collection makes room for.
  void* Reallocate(void* old, size_t size);
  void Free(void* block);
  // Called when V8 has returned, which may have thrown. False when it has, or
  // when there is too little memory, also after a collection: a RangeError is
  // thrown then, and the job ends.
  bool Settle(bool has_thrown = false);
  // The bytes that V8 has released as a buffer; empty as above.
  v8::MaybeLocal<v8::ArrayBuffer> Take(std::pair<uint8_t*, size_t> bytes);

 private:
  void Refuse();

  v8::Isolate* const isolate_;
  size_t size_ = 0;
  bool is_over_ = false;
  bool has_failed_ = false;
  // The part of the limit that the memory takes.
  std::shared_ptr<v8::BackingStore> counted_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_SERIALIZER_MEMORY_H_

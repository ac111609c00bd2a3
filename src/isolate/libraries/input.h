#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_INPUT_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_INPUT_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace sloppy::workers {

// Worker thread, no JavaScript while it lives: the bytes of a view or a buffer,
// or a text as UTF-8; none of any other value.
//
// Bytes on V8's heap or in shared memory are copied (view_bytes.h in
// isolate/globals says why), and the copy is wiped in the end, because it may
// be a secret.
class Input {
 public:
  // More than `most` bytes are refused: OpenSSL counts in ints.
  Input(v8::Isolate* isolate, v8::Local<v8::Value> value,
        size_t most = std::numeric_limits<int>::max());
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // Otherwise a RangeError is thrown: too long, or no memory for a copy.
  bool ok() const { return ok_; }
  const uint8_t* data() const { return data_; }
  const char* text() const { return reinterpret_cast<const char*>(data_); }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kOnStack = 512;
  // V8 keeps arrays of up to this size on its heap.
  static constexpr size_t kOnHeap = 64;

  void Read(v8::Isolate* isolate, v8::Local<v8::Value> value);
  void ReadText(v8::Isolate* isolate, v8::Local<v8::String> text);
  void ReadView(v8::Isolate* isolate, v8::Local<v8::ArrayBufferView> view);
  uint8_t* Room(v8::Isolate* isolate, size_t size);

  // The data is never nullptr, because libraries read that as "none".
  const uint8_t* data_ = small_;
  size_t size_ = 0;
  bool ok_ = true;
  uint8_t* large_ = nullptr;
  size_t large_size_ = 0;
  uint8_t small_[kOnStack];
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_INPUT_H_

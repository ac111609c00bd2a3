// Bytes that natives of libraries hand to JavaScript.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_OUTPUT_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_OUTPUT_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sloppy::workers {

// Clears memory in a way that no compiler leaves out.
void Wipe(void* data, size_t size);

// Worker thread. Throws a RangeError.
void ThrowNoMemory(v8::Isolate* isolate);

// Worker thread. Room for bytes that become a Uint8Array. Large room is a
// block of the process's cache: it has any content, so that only the bytes that
// were written may be given. All of it counts in the isolate's memory limit.
class Output {
 public:
  // False data() when there is too little memory: a RangeError is thrown then.
  Output(v8::Isolate* isolate, size_t room);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  uint8_t* data() { return data_; }
  bool ok() const { return data_ != nullptr; }
  size_t room() const { return room_; }
  // Room for `more` bytes, with the first `used` of today's. False as above.
  bool Grow(size_t used, size_t room);
  // Called once. Empty when there is too little memory.
  v8::MaybeLocal<v8::Uint8Array> Give(size_t size);

 private:
  uint8_t* Take(size_t room);
  void Free();

  v8::Isolate* const isolate_;
  size_t room_ = 0;
  uint8_t* data_ = nullptr;
};

// Worker thread. A copy, empty as above.
v8::MaybeLocal<v8::Uint8Array> NewBytes(v8::Isolate* isolate, const void* data,
                                        size_t size);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_OUTPUT_H_

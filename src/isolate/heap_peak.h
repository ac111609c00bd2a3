// The highest use of an isolate's memory over some time: its heap grows between
// collections, so it is looked at before each of them, and at the end.
#ifndef SLOPPY_WORKERS_ISOLATE_HEAP_PEAK_H_
#define SLOPPY_WORKERS_ISOLATE_HEAP_PEAK_H_

#include <v8.h>

#include <cstdint>

#include "isolate/memory_limit.h"

namespace sloppy::workers {

// Worker thread only.
class HeapPeak {
 public:
  // REQUIRES: End() or Forget() while the isolate is there.
  void Begin(v8::Isolate* isolate, const MemoryLimit* memory);
  // Bytes in the heap and in buffers; -1 without a Begin().
  int64_t End();
  void Forget();
  // The same as Forget(), without a word to an isolate that is out of memory.
  void Drop() { isolate_ = nullptr; }

 private:
  static void OnCollection(v8::Isolate* isolate, v8::GCType type,
                           v8::GCCallbackFlags flags, void* data);
  void Look();

  v8::Isolate* isolate_ = nullptr;
  const MemoryLimit* memory_ = nullptr;
  int64_t peak_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_HEAP_PEAK_H_

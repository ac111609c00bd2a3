// Memory that V8 reserves by itself and lets grow in place, past the array
// buffer allocator: WebAssembly memories, resizable ArrayBuffers and growable
// SharedArrayBuffers. The realm's runtime/memory.js names each of them; memory
// that a WebAssembly module keeps for itself is looked for in the heap.
#ifndef SLOPPY_WORKERS_ISOLATE_GROWABLE_MEMORY_H_
#define SLOPPY_WORKERS_ISOLATE_GROWABLE_MEMORY_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sloppy::workers {

// Worker thread, isolate entered, in a HandleScope.
class GrowableMemory {
 public:
  // `object` is a buffer or a WebAssembly memory. `buffer_of` is the getter
  // of a memory's `buffer`, taken before user code could replace it, because
  // V8 14 makes the buffer only when that is called.
  void Add(v8::Isolate* isolate, v8::Local<v8::Object> object,
           v8::Local<v8::Value> buffer_of);
  // A WebAssembly instance may have memory that it does not show.
  void SetHidden(v8::Isolate* isolate, v8::Local<v8::Object> instance,
                 v8::Local<v8::Value> buffer_of);
  // The newest object stays alive until this, so that code that has filled it
  // ends for that even if the object would be collected before.
  void ReleaseNewest() { newest_.Reset(); }
  // Bytes of all that were not collected yet; what is hidden is looked for if
  // garbage may be collected now.
  size_t Measure(v8::Isolate* isolate, bool may_collect);
  // Bytes of the largest at the last Measure().
  size_t largest() const { return largest_; }
  // Whether hidden memory may be there that was not looked for yet.
  bool hidden() const { return hidden_; }
  bool empty() const { return objects_.empty() && !hidden_; }
  void Clear();

 private:
  void SetGetter(v8::Isolate* isolate, v8::Local<v8::Value> buffer_of);
  void FindHidden(v8::Isolate* isolate);
  bool Knows(v8::Local<v8::Object> object) const;
  size_t BytesOf(v8::Isolate* isolate, v8::Local<v8::Object> object) const;

  std::vector<v8::Global<v8::Object>> objects_;  // Weak.
  v8::Global<v8::Object> newest_;
  v8::Global<v8::Function> buffer_of_;  // Weak.
  bool hidden_ = false;
  size_t largest_ = 0;
  int64_t search_again_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_GROWABLE_MEMORY_H_

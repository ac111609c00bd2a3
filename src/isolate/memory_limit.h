// One memory limit for an isolate's heap and its array buffers together.
//
// There are four ways over the limit. In each of them the running JavaScript is
// terminated, and hit() is true from then on:
// 1. the heap grows: V8's near-heap-limit callback. It must give V8 room to
//    get to the next interrupt check, or V8 ends the process;
// 2. an array buffer is refused by the allocator. V8 then collects garbage
//    and asks again, and throws a RangeError if refused again; an interrupt
//    that looks after this has happened terminates if it was the last word;
// 3. heap, buffers and external texts are each below the limit but not their
//    sum: looked at after each full garbage collection, twice if the buffers
//    decide, because dead ones are freed later;
// 4. memory that V8 reserves and grows without the allocator
//    (growable_memory.h) brings the sum over the limit: looked at whenever
//    JavaScript makes it grow, and again and again while code runs, because
//    WebAssembly grows its memory by itself.
// After a hit the isolate is replaced: its limits are stretched and what it
// holds is unknown.
#ifndef SLOPPY_WORKERS_ISOLATE_MEMORY_LIMIT_H_
#define SLOPPY_WORKERS_ISOLATE_MEMORY_LIMIT_H_

#include <v8.h>

#include <atomic>
#include <cstddef>
#include <memory>

#include "isolate/growable_memory.h"
#include "isolate/shared_texts.h"

namespace sloppy::workers {

class MemoryLimit {
 public:
  // `short_lived`: the isolate is for one job.
  MemoryLimit(size_t limit_bytes, bool short_lived);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // Worker thread, in this order around the isolate's life.
  void Configure(v8::Isolate::CreateParams* params);
  void Attach(v8::Isolate* isolate, const SharedTexts* texts);
  void Detach();

  // Worker thread. That of an isolate of ours while it is attached, nullptr for
  // Node's isolates.
  static MemoryLimit* Of(v8::Isolate* isolate) {
    return static_cast<MemoryLimit*>(isolate->GetData(kSlot));
  }

  // Worker thread.
  bool hit() const { return hit_; }
  // Worker thread. What counts and refuses; it may be kept, and frees on any
  // thread.
  std::shared_ptr<v8::ArrayBuffer::Allocator> allocator() const;
  // Worker thread, attached. Memory of the caller's, which outlives the
  // isolate, counted as a buffer of JavaScript's. nullptr when there is too
  // little. The buffer keeps `keep` alive.
  std::shared_ptr<v8::BackingStore> Lend(void* memory, size_t bytes,
                                         std::shared_ptr<void> keep = nullptr);
  // Worker thread, isolate entered. Whether `bytes` more would fit, after a
  // collection if need be. Ends nothing.
  bool HasRoomFor(size_t bytes);
  // Worker thread. The same by what the allocator knows, without a collection.
  bool HasRoomNow(size_t bytes) const;
  // Any thread. `bytes` as a part of the limit.
  double ShareOf(size_t bytes) const {
    return static_cast<double>(bytes) / static_cast<double>(limit_);
  }
  // Worker thread. Bytes in array buffers, ours and V8's.
  size_t external_bytes() const;
  // Worker thread, isolate entered.
  GrowableMemory& growable() { return growable_; }
  // The same. True when growable memory takes more than there is, after a
  // garbage collection; the execution is terminated then.
  bool CheckGrowable();
  // The same at the end of a job, without a look at the heap if nothing grew.
  bool CheckAtEnd();
  // Worker thread, JavaScript running: its request is over the limit.
  void End();
  // Worker thread, isolate entered, no JavaScript on the stack. Gives back what
  // the collections since the last time have left, unless that may take long.
  void CollectAll();
  // The same after large values were dropped, however long it takes.
  void CollectDropped();
  // Any thread. There were collections since then.
  bool was_collected() const {
    return was_collected_.load(std::memory_order_relaxed);
  }
  // Any thread, while the isolate is there: has that checked by the code that
  // runs.
  void RequestCheck(v8::Isolate* isolate);

 private:
  class Allocator;

  // The slot of the isolate's data; IsolateHost has slot 0, LibraryState 1.
  static constexpr uint32_t kSlot = 2;

  static size_t OnNearHeapLimit(void* data, size_t current, size_t initial);
  static void OnGarbageCollected(v8::Isolate* isolate, v8::GCType type,
                                 v8::GCCallbackFlags flags, void* data);
  static void OnRefused(v8::Isolate* isolate, void* data);
  static void OnCheck(v8::Isolate* isolate, void* data);
  bool EndsOver();
  bool GrowableIsOver(bool may_collect);
  bool StaysOver();
  void CheckUncollected();

  const size_t limit_;
  const bool short_lived_;
  // Outlives this: buffers that left the isolate still free through it.
  std::shared_ptr<Allocator> allocator_;
  GrowableMemory growable_;
  std::atomic<bool> check_requested_{false};
  std::atomic<bool> was_collected_{false};
  v8::Isolate* isolate_ = nullptr;
  const SharedTexts* texts_ = nullptr;
  bool hit_ = false;
  bool stretched_ = false;    // The heap, beyond its limit.
  bool was_over_ = false;     // After the collection before.
  bool looked_over_ = false;  // When it was looked at last, uncollected.
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MEMORY_LIMIT_H_

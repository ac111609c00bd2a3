// Keeps a worker thread of Node's from ending the process when its heap
// reaches its limit.
//
// Node's own callback gives the thread 16 MB more and ends it. V8 asks once,
// and aborts when its next allocation does not fit: one array that doubles, a
// large JSON text, the objects that one scavenge promotes. This guard gives
// more, time and again, while the code is on its way to its termination.
#ifndef SLOPPY_WORKERS_ISOLATE_HEAP_GUARD_H_
#define SLOPPY_WORKERS_ISOLATE_HEAP_GUARD_H_

#include <v8.h>

#include <cstddef>

namespace sloppy::workers {

class HeapGuard {
 public:
  // The isolate's thread, in the middle of a collection: no JavaScript, no
  // handles. Called once for each guard.
  using OnHit = void (*)(void* data);

  // The isolate's thread. REQUIRES the isolate outlives the guard.
  HeapGuard(v8::Isolate* isolate, OnHit on_hit, void* data);
  ~HeapGuard();
  HeapGuard(const HeapGuard&) = delete;
  HeapGuard& operator=(const HeapGuard&) = delete;

 private:
  static size_t OnNearHeapLimit(void* data, size_t current, size_t initial);

  v8::Isolate* const isolate_;
  const OnHit on_hit_;
  void* const data_;
  bool hit_ = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_HEAP_GUARD_H_

// Collects the young generation before buffers that arrive make V8 collect
// everything.
//
// V8 begins a collection of everything when 64 MB of buffers have come into an
// isolate since the last one: 3 to 6 ms of a worker whose heap is small, with
// all threads of the platform. Buffers that come with a job mostly die with it,
// while they are young, and a scavenge finds those in a fraction of that. For
// buffers that JavaScript makes V8 does so by itself.
#ifndef SLOPPY_WORKERS_ISOLATE_YOUNG_COLLECTOR_H_
#define SLOPPY_WORKERS_ISOLATE_YOUNG_COLLECTOR_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>

namespace sloppy::workers {

class YoungCollector {
 public:
  // Worker thread, as all of it.
  explicit YoungCollector(v8::Isolate* isolate);
  ~YoungCollector();
  YoungCollector(const YoungCollector&) = delete;
  YoungCollector& operator=(const YoungCollector&) = delete;

  // Isolate entered. Buffers of `bytes` bytes are about to arrive.
  void MakeRoom(size_t bytes);

 private:
  static void OnCollected(v8::Isolate* isolate, v8::GCType type,
                          v8::GCCallbackFlags flags, void* data);
  void Collect();

  v8::Isolate* const isolate_;
  // The least that V8 has counted since the last collection, which it frees
  // what it found dead after.
  int64_t low_;
  bool collected_ = false;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_YOUNG_COLLECTOR_H_

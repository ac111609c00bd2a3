// A HeapGuard for a worker thread of Node's, whose pool has no isolates.
#ifndef SLOPPY_WORKERS_BINDING_THREAD_GUARD_H_
#define SLOPPY_WORKERS_BINDING_THREAD_GUARD_H_

#include <napi.h>

namespace sloppy::workers {

// guardHeap(words, at): from now on this thread ends when its code takes more
// heap than it may have, as with `worker.terminate()`, and the shared words[at]
// is 1. REQUIRES a worker thread of Node's that has no guard yet.
void GuardHeap(const Napi::CallbackInfo& info);

// writeSome(fd, bytes, from) → see worker/std_streams.h.
Napi::Value WriteSomeOf(const Napi::CallbackInfo& info);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_THREAD_GUARD_H_

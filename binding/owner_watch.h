// The end of a process with its owner from its first moment on, when nothing of
// ours runs there yet, or it stands still.
#ifndef SLOPPY_WORKERS_BINDING_OWNER_WATCH_H_
#define SLOPPY_WORKERS_BINDING_OWNER_WATCH_H_

#include <napi.h>

namespace sloppy::workers {

// makeEnds() → `{ ours, theirs }`, the descriptors of the two ends of a
// socket, of which no other process gets one; undefined where there is no such
// thing.
Napi::Value MakeEnds(const Napi::CallbackInfo& info);

// startWatch(theirs, pid) closes that descriptor here. The system kills the
// process, which has it as well, once nobody has `ours`: nothing may ever be
// written there. With 0 nothing is watched.
void StartWatch(const Napi::CallbackInfo& info);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_OWNER_WATCH_H_

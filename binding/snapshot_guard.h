// Refuses where an isolate would end the process (isolate/node_snapshot.h).
#ifndef SLOPPY_WORKERS_BINDING_SNAPSHOT_GUARD_H_
#define SLOPPY_WORKERS_BINDING_SNAPSHOT_GUARD_H_

#include <napi.h>

namespace sloppy::workers {

// Called before the first isolate. Throws an Error with the code
// ERR_NODE_SNAPSHOT.
void RequireSnapshot(Napi::Env env);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_SNAPSHOT_GUARD_H_

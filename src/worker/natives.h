// The functions that a realm's own JavaScript gets from C++: arguments are
// unpacked, the worker is called, nothing is decided here. User code cannot get
// hold of them.
#ifndef SLOPPY_WORKERS_WORKER_NATIVES_H_
#define SLOPPY_WORKERS_WORKER_NATIVES_H_

#include <v8.h>

#include "pool/env_core.h"

namespace sloppy::workers {

// Worker thread, `context` entered. The natives of the realm `realm_id`.
v8::MaybeLocal<v8::Object> MakeNatives(v8::Isolate* isolate,
                                       v8::Local<v8::Context> context,
                                       int32_t realm_id,
                                       const PoolConfig& config);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_NATIVES_H_

#ifndef SLOPPY_WORKERS_BINDING_POOL_CALLS_H_
#define SLOPPY_WORKERS_BINDING_POOL_CALLS_H_

#include <napi.h>

#include "binding/env_state.h"

namespace sloppy::workers {

// Owner. Adds the functions about a pool as a whole, for
// lib/executors/isolate/isolate-pool.js. Each unpacks its arguments, makes one
// call, and packs the answer.
void ExportPoolCalls(Napi::Env env, Napi::Object exports, EnvState* state);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_POOL_CALLS_H_

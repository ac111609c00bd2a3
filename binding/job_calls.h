#ifndef SLOPPY_WORKERS_BINDING_JOB_CALLS_H_
#define SLOPPY_WORKERS_BINDING_JOB_CALLS_H_

#include <napi.h>

#include "binding/env_state.h"

namespace sloppy::workers {

// Owner. Adds the functions about one job, for
// lib/executors/isolate/isolate-pool.js.
void ExportJobCalls(Napi::Env env, Napi::Object exports, EnvState* state);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_JOB_CALLS_H_

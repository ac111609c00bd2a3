#ifndef SLOPPY_WORKERS_BINDING_THREAD_CALLS_H_
#define SLOPPY_WORKERS_BINDING_THREAD_CALLS_H_

#include <napi.h>

#include "binding/env_state.h"

namespace sloppy::workers {

// Owner. Adds the functions about single workers of a pool, for
// lib/executors/isolate: who they are, what waits for one, what a tool asks of
// one. Each unpacks its arguments, makes one call, and packs the answer.
void ExportThreadCalls(Napi::Env env, Napi::Object exports, EnvState* state);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_THREAD_CALLS_H_

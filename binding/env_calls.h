#ifndef SLOPPY_WORKERS_BINDING_ENV_CALLS_H_
#define SLOPPY_WORKERS_BINDING_ENV_CALLS_H_

#include <napi.h>

#include "binding/env_state.h"

namespace sloppy::workers {

// Owner. Adds the functions that concern the environment and all of its pools:
// entries, shapes of payloads, its loop, its end.
void ExportEnvCalls(Napi::Env env, Napi::Object exports, EnvState* state);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_ENV_CALLS_H_

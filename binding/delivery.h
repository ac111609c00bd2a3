#ifndef SLOPPY_WORKERS_BINDING_DELIVERY_H_
#define SLOPPY_WORKERS_BINDING_DELIVERY_H_

#include <napi.h>

#include "binding/env_state.h"

namespace sloppy::workers {

// Owner. Adds memory(), take() and takeEvent().
void ExportDelivery(Napi::Env env, Napi::Object exports, EnvState* state);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_DELIVERY_H_

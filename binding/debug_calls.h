// The endpoint's way to the workers that it debugs: it runs in a thread of its
// own, which opens no EnvState.
#ifndef SLOPPY_WORKERS_BINDING_DEBUG_CALLS_H_
#define SLOPPY_WORKERS_BINDING_DEBUG_CALLS_H_

#include <napi.h>

namespace sloppy::workers {

// exports.debug, see debug_calls.cc.
void ExportDebugCalls(Napi::Env env, Napi::Object exports);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_DEBUG_CALLS_H_

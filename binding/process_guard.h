// The guard of a process of `runtime: 'process'`, before the user's code.
#ifndef SLOPPY_WORKERS_BINDING_PROCESS_GUARD_H_
#define SLOPPY_WORKERS_BINDING_PROCESS_GUARD_H_

#include <napi.h>

namespace sloppy::workers {

// guardProcess(owner, exitCode) → whether the system ends this process with its
// owner, the process of that number. It ends with `exitCode` when its heap
// reaches its limit. REQUIRES the main thread, once.
Napi::Value GuardProcess(const Napi::CallbackInfo& info);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_PROCESS_GUARD_H_

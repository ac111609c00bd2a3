// Helpers that all natives of a realm use.
#ifndef SLOPPY_WORKERS_WORKER_NATIVE_CALLS_H_
#define SLOPPY_WORKERS_WORKER_NATIVE_CALLS_H_

#include <v8.h>

#include "isolate/isolate_host.h"
#include "isolate/native_functions.h"
#include "worker/worker_thread.h"

namespace sloppy::workers {

using NativeInfo = v8::FunctionCallbackInfo<v8::Value>;

// The worker, or nullptr when the calling realm was replaced.
inline WorkerThread* WorkerOf(const NativeInfo& info) {
  auto* worker =
      static_cast<WorkerThread*>(IsolateHost::SlotOf(info.GetIsolate()));
  return worker->IsCurrentRealm(info.Data().As<v8::Int32>()->Value()) ? worker
                                                                      : nullptr;
}

inline v8::Local<v8::Context> ContextOf(const NativeInfo& info) {
  return info.GetIsolate()->GetCurrentContext();
}

// rare() → the natives of src/runtime/natives.js.
void Rare(const NativeInfo& info);

// Parts of those.
NativeFunctions LifeNatives();
NativeFunctions MemoryNatives();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_NATIVE_CALLS_H_

// Natives by which the runtime tells of memory that V8 counts nowhere else.
// They stand apart because each has to do with MemoryLimit, and none with a
// job.
#include "isolate/native_functions.h"
#include "worker/native_calls.h"

namespace sloppy::workers {
namespace {

using Info = NativeInfo;

// grown(object, known, bufferOf) → over: a buffer or WebAssembly memory that
// V8 grows in place has just been made or has grown. True when the memory limit
// ends the execution.
void Grown(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr || !info[0]->IsObject()) return;
  MemoryLimit& memory = worker->memory();
  if (!info[1]->IsTrue()) {
    memory.growable().Add(info.GetIsolate(), info[0].As<v8::Object>(), info[2]);
  }
  info.GetReturnValue().Set(memory.CheckGrowable());
}

// memoryRefused(): WebAssembly code was refused what only the maximum that
// runtime/wasm-memory.js gave it forbids.
void MemoryRefused(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker != nullptr) worker->memory().End();
}

// hidesMemory(instance, bufferOf): it may have memory of its own.
void HidesMemory(const Info& info) {
  WorkerThread* worker = WorkerOf(info);
  if (worker == nullptr || !info[0]->IsObject()) return;
  worker->memory().growable().SetHidden(info.GetIsolate(),
                                        info[0].As<v8::Object>(), info[1]);
}

constexpr NativeFunction kMemoryFunctions[] = {
    {"grown", Grown},
    {"hidesMemory", HidesMemory},
    {"memoryRefused", MemoryRefused},
};

}  // namespace

NativeFunctions MemoryNatives() { return kMemoryFunctions; }

}  // namespace sloppy::workers

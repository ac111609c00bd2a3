#ifndef SLOPPY_WORKERS_ISOLATE_WASM_NATIVES_H_
#define SLOPPY_WORKERS_ISOLATE_WASM_NATIVES_H_

#include "isolate/native_functions.h"

namespace sloppy::workers {

// Natives that tell of values of WebAssembly what V8 alone knows.
NativeFunctions WasmNatives();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_WASM_NATIVES_H_

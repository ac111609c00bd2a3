// The parts of internalBinding('buffer').
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_BUFFER_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_BUFFER_H_

#include "isolate/native_functions.h"

namespace sloppy::workers {

// Any thread: constant tables, each of a file.
NativeFunctions BufferTextNatives();
NativeFunctions BufferSearchNatives();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_BUFFER_H_

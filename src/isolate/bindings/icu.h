// The decoders of internalBinding('icu'), over ICU's converters.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_ICU_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_ICU_H_

#include "isolate/native_functions.h"

namespace sloppy::workers {

// Any thread: constant. Called only where FindIcuConverters() has found them.
NativeFunctions IcuConverterNatives();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_ICU_H_

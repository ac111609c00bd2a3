// The place at which a function of the owner's is written, for debuggers.
#ifndef SLOPPY_WORKERS_BINDING_FUNCTION_PLACE_H_
#define SLOPPY_WORKERS_BINDING_FUNCTION_PLACE_H_

#include <napi.h>

namespace sloppy::workers {

// placeOf(fn) → [name, line, column, sourceMapUrl] of its script and in it,
// from 0; undefined for what has none. A function's place is that of its
// parameters.
Napi::Value PlaceOf(const Napi::CallbackInfo& info);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_FUNCTION_PLACE_H_

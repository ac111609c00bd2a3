// Values that the codec does not carry as bytes of V8's structured clone, for
// pools with `payload: 'clone'`. lib/protocol/codec/cloner.js calls these.
//
// Used by the owner's isolate and the workers' alike.
#ifndef SLOPPY_WORKERS_ISOLATE_PAYLOAD_CLONE_H_
#define SLOPPY_WORKERS_ISOLATE_PAYLOAD_CLONE_H_

#include "isolate/native_functions.h"

namespace sloppy::workers {

// Any thread: a constant table.
//
// - pack(value, transfer, maxBytes, report, is, isLossy) → [bytes, ...moved,
//   ...copied, ...shared], what is beside the bytes; a string of the bytes
//   if they are few and nothing is beside them; undefined for a value that is
//   refused. `transfer`: the ArrayBuffers to move, or undefined. They are not
//   detached. `report`: a Float64Array, whose [1] becomes the number of moved
//   and copied buffers, [2] all bytes, or the reason of the refusal, [3] the
//   number of moved buffers, [4] 1 if a WebAssembly.Module is shared.
//   `is(octets)`: whether a Uint8Array is one of Node's Buffers.
//   `isLossy(prototype)`: whether an object of that prototype is more than its
//   properties.
// - unpack(parts, beside, adopt) → the value, of what pack() gave; `beside`:
//   the number of moved and copied buffers; `adopt(octets)` makes one of Node's
//   Buffers of a Uint8Array.
NativeFunctions PayloadCloneNatives();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_PAYLOAD_CLONE_H_

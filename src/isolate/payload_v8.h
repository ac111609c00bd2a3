// Payload parts to and from V8. The codec (lib/protocol/codec.js) decides
// what the parts mean; here they are only copied, or moved where they may be.
//
// Used by the owner's isolate and the workers' alike.
#ifndef SLOPPY_WORKERS_ISOLATE_PAYLOAD_V8_H_
#define SLOPPY_WORKERS_ISOLATE_PAYLOAD_V8_H_

#include <v8.h>

#include "isolate/shared_texts.h"
#include "payload/payload.h"

namespace sloppy::workers {

// The result of the codec's encode(), as call arguments.
struct EncodedParts {
  int kind = 0;
  double number = 0;
  v8::Local<v8::Value> slots;  // Float64Array, for structured values.
  uint32_t slot_count = 0;
  v8::Local<v8::Value> text;  // string or undefined
  v8::Local<v8::Value> more;  // [texts, buffers, moved] or undefined
};

// The arguments of the codec's functions: a number, 0 for anything else, and
// the six parts from `first` on.
double NumberAt(const v8::FunctionCallbackInfo<v8::Value>& info, int index);
EncodedParts PartsAt(const v8::FunctionCallbackInfo<v8::Value>& info,
                     int first);

// The isolate's thread. Copies the parts out of the isolate; buffers marked
// as moved are detached from it. False when memory is short or the codec cannot
// have made the parts; the payload is then empty.
bool ReadParts(SharedTexts* shared, v8::Local<v8::Context> context,
               const EncodedParts& parts, Payload* payload);

// The decoder's view of a payload.
struct DecodedParts {
  v8::Local<v8::Value> text;  // string or undefined
  v8::Local<v8::Value> more;  // [ownSlots, furtherTexts, buffers] or undefined
};

// The isolate's thread. Moves a payload into the isolate. Slots are copied to
// `scratch` when `scratch_room` has the space, otherwise they come as a
// Float64Array of their own in `more`. False when an allocation failed or
// execution is being terminated.
bool GiveParts(SharedTexts* shared, v8::Local<v8::Context> context,
               Payload* payload, double* scratch, uint32_t scratch_room,
               DecodedParts* parts);

// Any thread. A copy, which shares only memory that never changes, or that
// JavaScript shares; false when memory is short.
bool CopyPayload(const Payload& from, Payload* to);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_PAYLOAD_V8_H_

// Shared values (pool/shared_values.h) to and from V8.
#ifndef SLOPPY_WORKERS_ISOLATE_SHARED_VALUE_V8_H_
#define SLOPPY_WORKERS_ISOLATE_SHARED_VALUE_V8_H_

#include <v8.h>

#include <memory>

#include "isolate/memory_limit.h"
#include "isolate/payload_v8.h"
#include "pool/shared_values.h"

namespace sloppy::workers {

// The owner's thread. nullptr when memory is short or the codec cannot have
// made the parts.
std::shared_ptr<const SharedValue> ReadSharedValue(
    SharedTexts* texts, v8::Local<v8::Context> context,
    const EncodedParts& parts);

// The isolate's thread, entered. A payload of the value for this isolate, whose
// buffers count against its limit. False when there is too little memory, also
// after a collection.
bool GiveSharedValue(const SharedValue& value, MemoryLimit* memory,
                     Payload* to);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_SHARED_VALUE_V8_H_

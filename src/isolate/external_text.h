// Strings whose characters stay outside V8's heap, in the block they came in.
#ifndef SLOPPY_WORKERS_ISOLATE_EXTERNAL_TEXT_H_
#define SLOPPY_WORKERS_ISOLATE_EXTERNAL_TEXT_H_

#include <v8.h>

#include <cstddef>

#include "payload/payload.h"

namespace sloppy::workers {

// All on the isolate's thread; a thread has one isolate at a time.

// Before a new isolate's first text.
void BeginExternalTexts();

// Takes the block over. V8 learns of its size, so that it collects dead ones
// before they pile up. A failure is out of memory.
v8::MaybeLocal<v8::String> NewExternalText(v8::Isolate* isolate, Text* text);

// Bytes in the isolate's texts that were not collected yet.
size_t ExternalTextBytes();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_EXTERNAL_TEXT_H_

// The natives that the realm's globals (src/runtime/globals) need and
// JavaScript has not: structured clone, looks into objects, facts of the
// process. Nothing here knows workers or jobs. User code cannot reach them.
#ifndef SLOPPY_WORKERS_ISOLATE_GLOBALS_HOST_NATIVES_H_
#define SLOPPY_WORKERS_ISOLATE_GLOBALS_HOST_NATIVES_H_

#include <v8.h>

#include "isolate/native_functions.h"

namespace sloppy::workers {

// Any thread: constant tables, one per file of this folder.
NativeFunctions SystemNatives();
NativeFunctions CloneNatives();
NativeFunctions ContinuationNatives();
NativeFunctions PackageNatives();

// Worker thread, `context` entered. Adds what V8 itself has of them; false when
// an exception is pending.
bool AddContinuation(v8::Isolate* isolate, v8::Local<v8::Context> context,
                     v8::Local<v8::Object> natives);

// Worker thread, `context` entered. An object with all of the above.
v8::MaybeLocal<v8::Object> MakeHostNatives(v8::Isolate* isolate,
                                           v8::Local<v8::Context> context);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_GLOBALS_HOST_NATIVES_H_

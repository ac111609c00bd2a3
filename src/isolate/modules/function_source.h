// Pool functions travel as source text; here they become functions again.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_FUNCTION_SOURCE_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_FUNCTION_SOURCE_H_

#include <v8.h>

#include "job/entry_table.h"

namespace sloppy::workers {

// Worker thread, `context` entered. { kind, call, sees }: for a function entry
// `call` is the compiled function, for an export its name. Throws the
// SyntaxError of a source that does not compile.
v8::MaybeLocal<v8::Object> MakeEntry(v8::Isolate* isolate,
                                     v8::Local<v8::Context> context,
                                     const Entry& entry);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_FUNCTION_SOURCE_H_

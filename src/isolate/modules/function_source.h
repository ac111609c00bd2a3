// Pool functions travel as source text; here they become functions again.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_FUNCTION_SOURCE_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_FUNCTION_SOURCE_H_

#include <v8.h>

#include "job/entry_table.h"

namespace sloppy::workers {

// Worker thread, `context` entered. What the source of a function entry is
// worth: the function, or a pair with what it imports. Throws the SyntaxError
// of one that does not compile.
v8::MaybeLocal<v8::Value> CompileSource(v8::Isolate* isolate,
                                        v8::Local<v8::Context> context,
                                        const Entry& entry);

// { kind, call, sees, share }: for a function entry `call` is what
// CompileSource makes of it, unless that is `compiled` already; for an export
// its name. `share`: its text as a part of the isolate's memory limit.
v8::MaybeLocal<v8::Object> MakeEntry(v8::Isolate* isolate,
                                     v8::Local<v8::Context> context,
                                     const Entry& entry,
                                     v8::MaybeLocal<v8::Function> compiled);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_FUNCTION_SOURCE_H_

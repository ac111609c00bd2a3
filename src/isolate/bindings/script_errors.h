// Errors of scripts of node:vm, which show the line that threw them.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_SCRIPT_ERRORS_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_SCRIPT_ERRORS_H_

#include <v8.h>

namespace sloppy::workers {

// Worker thread. Puts file, line and the text of that line in front of the
// error's stack, as Node does, once for each error. Nothing for values that are
// no objects, and while execution is being terminated.
void ShowLine(v8::Isolate* isolate, const v8::TryCatch& caught);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_SCRIPT_ERRORS_H_

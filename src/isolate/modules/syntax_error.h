// Errors of parsing and linking have no stack that says where.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_SYNTAX_ERROR_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_SYNTAX_ERROR_H_

#include <v8.h>

#include <cstddef>
#include <string>

namespace sloppy::workers {

// Worker thread, `context` entered. File and line of a message, the text of
// that line unless it has more than `longest` units, and marks below the
// columns; each ends with a line feed.
std::string ShownLine(v8::Isolate* isolate, v8::Local<v8::Context> context,
                      v8::Local<v8::Message> message, size_t longest);

// Worker thread, `context` entered. Throws what was caught again, with file,
// line and the source line put in front of its stack, as Node shows it.
void ShowPosition(v8::Isolate* isolate, v8::Local<v8::Context> context,
                  v8::TryCatch* caught);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_SYNTAX_ERROR_H_

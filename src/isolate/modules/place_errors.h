// Why what an import names by its place, a path or a URL, cannot be a module's
// file: with Node's codes.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_PLACE_ERRORS_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_PLACE_ERRORS_H_

#include <v8.h>

#include <string>

namespace sloppy::workers {

// Worker thread. Throws, and returns true, if no file can have that name,
// which leads to `path`.
bool RefuseName(v8::Isolate* isolate, const std::string& specifier,
                const std::string& path);

// The same for a file that is not there.
void ThrowMissing(v8::Isolate* isolate, const std::string& specifier,
                  const std::string& path, const std::string& importer);

// The name before it is compiled; empty if it has no such name.
std::string UncompiledName(const std::string& name);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_PLACE_ERRORS_H_

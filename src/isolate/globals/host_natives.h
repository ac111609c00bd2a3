// What the realm's globals (src/runtime/globals) need and JavaScript has not:
// text encodings, structured clone, looks into objects, facts of the process.
// Nothing here knows workers or jobs. User code cannot reach them.
#ifndef SLOPPY_WORKERS_ISOLATE_GLOBALS_HOST_NATIVES_H_
#define SLOPPY_WORKERS_ISOLATE_GLOBALS_HOST_NATIVES_H_

#include <v8.h>

namespace sloppy::workers {

struct HostNative {
  const char* name;
  v8::FunctionCallback callback;
};

// Any thread: constant tables, one per file of this folder.
struct HostNatives {
  const HostNative* items;
  size_t count;
};
HostNatives TextNatives();
HostNatives InspectNatives();
HostNatives SystemNatives();
HostNatives CloneNatives();
HostNatives PackageNatives();

// Worker thread, `context` entered. An object with all of the above.
v8::MaybeLocal<v8::Object> MakeHostNatives(v8::Isolate* isolate,
                                           v8::Local<v8::Context> context);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_GLOBALS_HOST_NATIVES_H_

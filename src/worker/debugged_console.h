// The console of a realm that is debugged: V8's own tells debuggers, and the
// runtime's, which takes its place, prints. Worker thread.
#ifndef SLOPPY_WORKERS_WORKER_DEBUGGED_CONSOLE_H_
#define SLOPPY_WORKERS_WORKER_DEBUGGED_CONSOLE_H_

#include <v8.h>

namespace sloppy::workers {

class DebuggedConsole {
 public:
  // Called before any code has run in the context.
  void Begin(v8::Local<v8::Context> context);
  // Called before the context goes.
  void End() { console_.Reset(); }
  // The functions of `own` call those of V8 first from now on. No JavaScript
  // lies between, because the frame that a debugger shows is the topmost.
  void Share(v8::Local<v8::Context> context, v8::Local<v8::Object> own);

 private:
  v8::Global<v8::Object> console_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_DEBUGGED_CONSOLE_H_

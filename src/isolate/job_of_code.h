// Whose code it is that executes, where jobs share a realm: V8 carries a job's
// number along with promise reactions, src/runtime/host.js with timers. It is
// carried as it is until somebody asks for the frame, to put the stores of
// AsyncLocalStorage beside it: a number costs a tiny job nothing.
//
// Worker thread only, a context entered.
#ifndef SLOPPY_WORKERS_ISOLATE_JOB_OF_CODE_H_
#define SLOPPY_WORKERS_ISOLATE_JOB_OF_CODE_H_

#include <v8.h>

namespace sloppy::workers {

// What is called from now on is job `seq`'s, or nobody's with 0.
void EnterJob(v8::Isolate* isolate, double seq);
// 0 for code that belongs to none. The job may be over.
double JobOfCode(v8::Isolate* isolate);
// An object that SetContinuationData() takes and object spread copies, or
// undefined.
v8::Local<v8::Value> FrameOfCode(v8::Isolate* isolate);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_JOB_OF_CODE_H_

// Knows the job whose code executes, where jobs share a realm: V8 carries a
// job's number along with promise reactions, src/runtime/host.js with timers.
// Where stores of AsyncLocalStorage stand before it, it is the last `rest` of
// their frames (src/runtime/globals/node/async_hooks.js), because a number
// alone costs a tiny job nothing.
//
// Worker thread only, a context entered.
#ifndef SLOPPY_WORKERS_ISOLATE_JOB_OF_CODE_H_
#define SLOPPY_WORKERS_ISOLATE_JOB_OF_CODE_H_

#include <v8.h>

namespace sloppy::workers {

// Code that is called from now on belongs to job `seq`, or to none with 0.
void EnterJob(v8::Isolate* isolate, double seq);
// 0 for code that belongs to none. The job may be over.
double JobOfCode(v8::Isolate* isolate);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_JOB_OF_CODE_H_

#ifndef SLOPPY_WORKERS_ISOLATE_NEW_BUFFER_H_
#define SLOPPY_WORKERS_ISOLATE_NEW_BUFFER_H_

#include <v8.h>

#include <cstddef>

namespace sloppy::workers {

// Worker thread, JavaScript running. An ArrayBuffer as `new ArrayBuffer(bytes)`
// makes it. Empty if there is too little memory: a RangeError is thrown then.
// V8's own functions end the isolate instead, and with it the thread.
v8::MaybeLocal<v8::ArrayBuffer> NewBuffer(v8::Isolate* isolate, size_t bytes);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_NEW_BUFFER_H_

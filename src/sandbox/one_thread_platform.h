// The platform of V8 in a process of one thread.
#ifndef SLOPPY_WORKERS_SANDBOX_ONE_THREAD_PLATFORM_H_
#define SLOPPY_WORKERS_SANDBOX_ONE_THREAD_PLATFORM_H_

#include <v8-platform.h>

#include <memory>

namespace sloppy::workers::sandbox {

// The platform that V8 itself is told of, which goes on for as long as the
// process; nullptr stands for the platform as it is. The one of V8 11 calls a
// thread that does not exist for tasks with a delay, which WebAssembly has for
// its statistics alone: here they never run.
std::unique_ptr<v8::Platform> WithoutDelays(v8::Platform* platform);

}  // namespace sloppy::workers::sandbox

#endif  // SLOPPY_WORKERS_SANDBOX_ONE_THREAD_PLATFORM_H_

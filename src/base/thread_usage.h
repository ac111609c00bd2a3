// CPU time of the calling thread, in its two parts.
#ifndef SLOPPY_WORKERS_BASE_THREAD_USAGE_H_
#define SLOPPY_WORKERS_BASE_THREAD_USAGE_H_

#include <cstdint>

namespace sloppy::workers {

struct ThreadUsage {
  int64_t user_micros = 0;
  int64_t system_micros = 0;
};

// Any thread, of itself. Zeros where the platform cannot tell.
ThreadUsage CurrentThreadUsage();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_THREAD_USAGE_H_

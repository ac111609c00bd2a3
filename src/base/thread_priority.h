// The priority of a thread for the system.
#ifndef SLOPPY_WORKERS_BASE_THREAD_PRIORITY_H_
#define SLOPPY_WORKERS_BASE_THREAD_PRIORITY_H_

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace sloppy::workers {

// Makes the current thread by so much less urgent, and those that it starts.
// Only Linux has a niceness of a thread; elsewhere nothing happens.
inline void LowerPriority([[maybe_unused]] int nice) {
#ifdef __linux__
  if (nice <= 0) return;
  // The calling thread is meant by 0. Numbers beyond 19 mean 19.
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + nice);
#endif
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_THREAD_PRIORITY_H_

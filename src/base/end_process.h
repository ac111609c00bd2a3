// The end of the process where going on would corrupt memory: with a message
// and in every build, because an abort that says nothing cannot be looked into.
#ifndef SLOPPY_WORKERS_BASE_END_PROCESS_H_
#define SLOPPY_WORKERS_BASE_END_PROCESS_H_

#include <cstdio>
#include <cstdlib>

namespace sloppy::workers {

// Any thread. Prints `what` and `why` as one sentence.
[[noreturn]] inline void EndProcess(const char* what, const char* why) {
  std::fprintf(stderr, "sloppy-workers: %s %s\n", what, why);
  std::fflush(stderr);
  std::abort();
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_END_PROCESS_H_

// Text of workers on the process's standard streams.
#ifndef SLOPPY_WORKERS_WORKER_STD_STREAMS_H_
#define SLOPPY_WORKERS_WORKER_STD_STREAMS_H_

#include <cstddef>

namespace sloppy::workers {

// Any thread. Writes all of it before it returns, one text at a time, so
// that it is out whatever happens to the worker next.
void WriteToStandardStream(int fd, const char* text, size_t length);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_STD_STREAMS_H_

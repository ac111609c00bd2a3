// Text of workers on the process's standard streams. A thread that blocks in
// write() cannot be ended, so here none does: a reader that stands still (a
// stopped pager, a terminal after Ctrl-S) costs at most what its jobs may cost.
#ifndef SLOPPY_WORKERS_WORKER_STD_STREAMS_H_
#define SLOPPY_WORKERS_WORKER_STD_STREAMS_H_

#include <cstddef>
#include <cstdint>
#include <functional>

namespace sloppy::workers {

// The time for which a stream that takes nothing is waited for. After that
// texts are dropped until it takes something again.
inline constexpr int64_t kStreamPatience = 5'000'000'000;

// Any thread. Writes all of it before it returns, one text at a time, so that
// it is out whatever happens to the worker next. Waits for the reader while
// `may_wait` says so, which must be quick.
void WriteToStandardStream(int fd, const char* text, size_t length,
                           const std::function<bool()>& may_wait);

// Any thread, without waiting (Windows: as long as the reader wants). Bytes
// written; kFull if the stream takes none now, kBroken if it never will.
enum StreamState : int64_t { kBroken = 0, kFull = -1 };
int64_t WriteSome(int fd, const char* text, size_t length);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_STD_STREAMS_H_

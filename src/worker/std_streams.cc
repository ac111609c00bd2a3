#include "worker/std_streams.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"

#if defined(_WIN32)
#include <uv.h>
#else
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace sloppy::workers {
namespace {

constexpr int kSliceMs = 20;

// The turns of those who write, and whether the last text was given up.
class Stream {
 public:
  // False when the caller may not wait for its turn any more.
  bool Take(const std::function<bool()>& may_wait) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (taken_) {
      if (!may_wait()) return false;
      given_.WaitFor(mutex_, std::chrono::milliseconds(kSliceMs));
    }
    taken_ = true;
    return true;
  }
  void Give() SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    taken_ = false;
    given_.NotifyOne();
  }

  // Belongs to the one whose turn it is: the stream has taken nothing for long.
  bool is_stalled = false;

 private:
  Mutex mutex_;
  CondVar given_;
  bool taken_ SW_GUARDED_BY(mutex_) = false;
};

#if defined(_WIN32)

int64_t Write(int fd, const char* text, size_t length) {
  uv_buf_t buffer =
      uv_buf_init(const_cast<char*>(text), static_cast<unsigned>(length));
  uv_fs_t request;
  const int written =
      uv_fs_write(nullptr, &request, fd, &buffer, 1, -1, nullptr);
  uv_fs_req_cleanup(&request);
  return written > 0 ? written : written == UV_EAGAIN ? kFull : kBroken;
}

void WaitUntilWritable(int) { uv_sleep(1); }

#else

bool IsWritable(int fd, int ms) {
  pollfd asked{fd, POLLOUT, 0};
  return poll(&asked, 1, ms) > 0;
}

template <typename Call>
int64_t Retried(Call call) {
  ssize_t written;
  do {
    written = call();
  } while (written < 0 && errno == EINTR);
  if (written > 0) return written;
  const bool is_full = written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  return is_full ? kFull : kBroken;
}

// A pipe or terminal, whose flags are others' as well: an open file of our own
// does not block.
int64_t WriteToOwn(int fd, const char* text, size_t length) {
  int own = -1;
#if defined(__linux__)
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  own = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
#endif
  if (own < 0) {
    // A pipe that is writable has room for this much.
    if (!IsWritable(fd, 0)) return kFull;
    const size_t part = std::min<size_t>(length, 512);
    return Retried([&] { return write(fd, text, part); });
  }
  const int64_t written = Retried([&] { return write(own, text, length); });
  close(own);
  return written;
}

int64_t Write(int fd, const char* text, size_t length) {
  struct stat facts;
  if (fstat(fd, &facts) != 0) return kBroken;
  if (S_ISSOCK(facts.st_mode)) {
    return Retried([&] { return send(fd, text, length, MSG_DONTWAIT); });
  }
  if (S_ISFIFO(facts.st_mode) || S_ISCHR(facts.st_mode)) {
    return WriteToOwn(fd, text, length);
  }
  return Retried([&] { return write(fd, text, length); });
}

// It waits in any case, because there may be less room than a text needs.
void WaitUntilWritable(int fd) {
  if (IsWritable(fd, kSliceMs)) poll(nullptr, 0, 1);
}

#endif

void WriteAll(Stream* stream, int fd, const char* text, size_t length,
              const std::function<bool()>& may_wait) {
  int64_t until = 0;
  while (length > 0) {
    const int64_t written = WriteSome(fd, text, length);
    if (written == kBroken) return;
    if (written > 0) {
      text += written;
      length -= static_cast<size_t>(written);
      stream->is_stalled = false;
      until = 0;
      continue;
    }
    const int64_t now = MonotonicNow();
    if (until == 0) until = now + kStreamPatience;
    stream->is_stalled = stream->is_stalled || now >= until;
    if (stream->is_stalled || !may_wait()) return;
    WaitUntilWritable(fd);
  }
}

}  // namespace

int64_t WriteSome(int fd, const char* text, size_t length) {
  // The number fits on every system then.
  return Write(fd, text, std::min(length, size_t{1} << 20));
}

void WriteToStandardStream(int fd, const char* text, size_t length,
                           const std::function<bool()>& may_wait) {
  static auto* const streams = new Stream[2];
  Stream* stream = &streams[fd == 2 ? 1 : 0];
  if (!stream->Take(may_wait)) return;
  WriteAll(stream, fd, text, length, may_wait);
  stream->Give();
}

}  // namespace sloppy::workers

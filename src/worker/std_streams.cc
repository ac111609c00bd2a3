#include "worker/std_streams.h"

#include <uv.h>

#include "base/mutex.h"

namespace sloppy::workers {

void WriteToStandardStream(int fd, const char* text, size_t length) {
  static Mutex* const mutex = new Mutex;
  MutexLock lock(*mutex);
  int refusals = 0;
  while (length > 0) {
    uv_buf_t buffer =
        uv_buf_init(const_cast<char*>(text), static_cast<unsigned>(length));
    uv_fs_t request;
    const int written =
        uv_fs_write(nullptr, &request, fd, &buffer, 1, -1, nullptr);
    uv_fs_req_cleanup(&request);
    if (written > 0) {
      text += written;
      length -= static_cast<size_t>(written);
      refusals = 0;
    } else if (written == UV_EAGAIN && ++refusals < 5000) {
      // A pipe that somebody made non-blocking, with a slow reader.
      uv_sleep(1);
    } else {
      return;
    }
  }
}

}  // namespace sloppy::workers

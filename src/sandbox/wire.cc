#include "sandbox/wire.h"

#include <errno.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sandbox/exit_codes.h"

namespace sloppy::workers::sandbox {
namespace {

constexpr int kSocket = 0;
constexpr uint32_t kMark = 0x31465753;
constexpr size_t kReadBytes = size_t{64} << 10;

struct Header {
  uint32_t mark = kMark;
  uint32_t kind = 0;
  uint32_t number = 0;
  uint32_t length = 0;
};

bool HasInput(int wait_ms) {
  pollfd socket = {kSocket, POLLIN, 0};
  int came = 0;
  do {
    came = poll(&socket, 1, wait_ms);
  } while (came < 0 && errno == EINTR);
  return came != 0;
}

// An owner that has closed its end sends nothing.
void WriteAll(iovec* parts, int count) {
  while (count > 0) {
    const ssize_t wrote = writev(kSocket, parts, count);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EAGAIN) {
      pollfd socket = {kSocket, POLLOUT, 0};
      poll(&socket, 1, -1);
      continue;
    }
    if (wrote <= 0) _exit(kOwnerGone);
    auto left = static_cast<size_t>(wrote);
    while (count > 0 && left >= parts->iov_len) {
      left -= parts->iov_len;
      ++parts;
      --count;
    }
    if (count == 0) return;
    parts->iov_base = static_cast<char*>(parts->iov_base) + left;
    parts->iov_len -= left;
  }
}

// Waits for the next bytes.
size_t ReadSome(char* to, size_t size) {
  for (;;) {
    const ssize_t got = read(kSocket, to, size);
    if (got > 0) return static_cast<size_t>(got);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) {
      HasInput(-1);
      continue;
    }
    _exit(kOwnerGone);
  }
}

}  // namespace

std::string_view BodyReader::Bytes(size_t count) {
  if (count > left_.size()) _exit(kProtocol);
  const std::string_view bytes = left_.substr(0, count);
  left_.remove_prefix(count);
  return bytes;
}

bool Wire::Receive(int wait_ms, Frame* frame) {
  if (back_.empty()) return Next(wait_ms, frame);
  *frame = std::move(back_.front());
  back_.pop_front();
  return true;
}

Frame Wire::Await(Kind kind) {
  Frame frame;
  for (;;) {
    Next(-1, &frame);
    if (frame.kind == kind) return frame;
    PutBack(std::move(frame));
  }
}

void Wire::Send(Kind kind, uint32_t number, std::string_view head,
                std::string_view rest) {
  Header header;
  header.kind = static_cast<uint32_t>(kind);
  header.number = number;
  header.length = static_cast<uint32_t>(head.size() + rest.size());
  iovec parts[] = {{&header, sizeof(header)},
                   {const_cast<char*>(head.data()), head.size()},
                   {const_cast<char*>(rest.data()), rest.size()}};
  WriteAll(parts, 3);
}

bool Wire::Next(int wait_ms, Frame* frame) {
  if (!FillHeader(wait_ms)) return false;
  Header header;
  std::memcpy(&header, in_.get() + from_, sizeof(header));
  if (header.mark != kMark || header.kind > UINT8_MAX) _exit(kProtocol);
  from_ += sizeof(header);
  frame->kind = static_cast<Kind>(header.kind);
  frame->number = header.number;
  const size_t there = std::min(size_t{header.length}, to_ - from_);
  frame->body.reserve(header.length);
  frame->body.assign(in_.get() + from_, there);
  from_ += there;
  // The rest of a frame that has begun comes.
  frame->body.resize(header.length);
  for (size_t had = there; had < header.length;) {
    had += ReadSome(frame->body.data() + had, header.length - had);
  }
  return true;
}

bool Wire::FillHeader(int wait_ms) {
  if (in_ == nullptr) in_.reset(new char[kReadBytes]);
  while (to_ - from_ < sizeof(Header)) {
    // A read waits by itself, with one call of the system less.
    if (wait_ms >= 0 && !HasInput(wait_ms)) return false;
    std::memmove(in_.get(), in_.get() + from_, to_ - from_);
    to_ -= from_;
    from_ = 0;
    to_ += ReadSome(in_.get() + to_, kReadBytes - to_);
  }
  return true;
}

}  // namespace sloppy::workers::sandbox

// Frames between the process of a sandbox and its owner, on descriptor 0:
// lib/wire/frames.js has the same. Little endian: the mark, the kind (one byte,
// three that are 0), a number, the length of the body.
//
// The owner is believed: its frames decide what this process is. One that makes
// no sense ends the process.
#ifndef SLOPPY_WORKERS_SANDBOX_WIRE_H_
#define SLOPPY_WORKERS_SANDBOX_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace sloppy::workers::sandbox {

// lib/executors/sandbox/kinds.js has them as well.
enum class Kind : uint8_t {
  // The frames to the process.
  kStart = 1,    // The settings that its jobs have in common.
  kEntry = 2,    // Number: its id. A function that jobs call.
  kForget = 3,   // Number: the id of an entry that is not called again.
  kJob = 4,      // Number: the job's.
  kMail = 5,     // Number: of the job, or 0. A value for it.
  kCancel = 6,   // Number: the job's.
  kReason = 7,   // Number: the job's. Why it is cancelled.
  kLeave = 8,    // Clear up, and end.
  kListens = 9,  // Number: whether the owner hears of uncaught errors.
  kInitData = 10,
  kAnswer = 11,  // Answers kFile. Number: the result.
  // Loads modules with all that they import, and runs none. Number: whether to
  // read what they name, and load later.
  kGraph = 12,
  kBegin = 13,    // The start goes on: `init`, the pool's module.
  kShare = 14,    // Number: of a value that jobs may see. The value.
  kUnshare = 15,  // Number: of one that no job sees any more.
  kHears = 16,    // Number: whether the owner hears what is printed.
  kAskCode = 17,  // Tell the compiled runtime, before anybody's code runs.
  kCode = 18,  // Number: of an embedded source. Its code, from another process.
  // The frames to the owner.
  kHello = 64,    // The layers that hold. Once, and first.
  kReady = 65,    // Jobs may come.
  kFailed = 66,   // The start has failed.
  kDone = 67,     // Number: the job's. Its end.
  kMessage = 68,  // Number: of the job, or 0. A value for the owner.
  kFile = 69,     // Number: what is asked about a path.
  kLoaded = 70,   // The files for which kGraph asked are there, or not.
  kTook = 71,     // A shared value was decoded.
  // Number: of an embedded source. Its code; without any, that was all.
  kCodeMade = 72,
};

struct Frame {
  Kind kind = Kind::kStart;
  uint32_t number = 0;
  std::string body;
};

// Reads what a body consists of.
class BodyReader {
 public:
  explicit BodyReader(std::string_view body) : left_(body) {}
  uint32_t U32() { return Take<uint32_t>(); }
  double F64() { return Take<double>(); }
  // The next `count` bytes.
  std::string_view Bytes(size_t count);
  // The bytes that follow their number.
  std::string_view Text() { return Bytes(U32()); }
  std::string_view Rest() { return Bytes(left_.size()); }

 private:
  template <typename T>
  T Take() {
    T value;
    std::memcpy(&value, Bytes(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view left_;
};

template <typename T>
void Append(std::string* to, T value) {
  to->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

class Wire {
 public:
  // Waits so many milliseconds for the next frame, for ever with -1. False if
  // none has come.
  bool Receive(int wait_ms, Frame* frame);
  // A frame that came while another was awaited is received before the rest.
  void PutBack(Frame frame) { back_.push_back(std::move(frame)); }
  // Reads what there is without waiting; true for each frame that `take` wants,
  // which is then received no more.
  template <typename Take>
  void Look(Take take) {
    Frame frame;
    while (Next(0, &frame)) {
      if (!take(frame)) PutBack(std::move(frame));
    }
  }
  // Waits for a frame of that kind, and puts back those before it.
  Frame Await(Kind kind);

  // Waits until the owner has room for it.
  void Send(Kind kind, uint32_t number, std::string_view head,
            std::string_view rest = {});

 private:
  // Reads from the socket.
  bool Next(int wait_ms, Frame* frame);
  bool FillHeader(int wait_ms);

  std::deque<Frame> back_;
  // The bytes that were read and not taken are from `from_` to `to_`.
  std::unique_ptr<char[]> in_;
  size_t from_ = 0;
  size_t to_ = 0;
};

}  // namespace sloppy::workers::sandbox

#endif  // SLOPPY_WORKERS_SANDBOX_WIRE_H_

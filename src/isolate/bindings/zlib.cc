// The class Zlib of internalBinding('zlib').
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "isolate/bindings/compression.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/libraries/libraries.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

// Node's numbers.
enum Mode {
  kNone,
  kDeflate,
  kInflate,
  kGzip,
  kGunzip,
  kDeflateRaw,
  kInflateRaw,
  kUnzip,
};

constexpr uint8_t kMagic[] = {0x1F, 0x8B};
// Node does since 26, because what follows half a member cannot be read.
constexpr bool kResetsOnlyWhole = SW_V8_AT_LEAST(14, 0);

const char* NameOf(int status) {
  switch (status) {
    case Z_OK:
      return "Z_OK";
    case Z_STREAM_END:
      return "Z_STREAM_END";
    case Z_NEED_DICT:
      return "Z_NEED_DICT";
    case Z_ERRNO:
      return "Z_ERRNO";
    case Z_STREAM_ERROR:
      return "Z_STREAM_ERROR";
    case Z_DATA_ERROR:
      return "Z_DATA_ERROR";
    case Z_MEM_ERROR:
      return "Z_MEM_ERROR";
    case Z_BUF_ERROR:
      return "Z_BUF_ERROR";
    case Z_VERSION_ERROR:
      return "Z_VERSION_ERROR";
    default:
      return "Z_UNKNOWN_ERROR";
  }
}

class ZlibStream final : public Compression {
 public:
  ZlibStream(v8::Isolate* isolate, int mode) : memory_(isolate), mode_(mode) {}
  ~ZlibStream() override { End(); }

  void Init(int window_bits, int level, int memory_level, int strategy,
            std::vector<uint8_t> dictionary, bool is_one_member) {
    End();
    is_one_member_ = is_one_member;
    level_ = level;
    memory_level_ = memory_level;
    strategy_ = strategy;
    window_bits_ = window_bits;
    if (mode_ == kGzip || mode_ == kGunzip) window_bits_ += 16;
    if (mode_ == kUnzip) window_bits_ += 32;
    if (mode_ == kDeflateRaw || mode_ == kInflateRaw) window_bits_ *= -1;
    dictionary_ = std::move(dictionary);
    status_ = Z_OK;
  }

  void Run(CompressionWork* work) override {
    if (Begin() && status_ != Z_OK) return;
    if (mode_ == kNone) {
      status_ = Z_STREAM_ERROR;
      return;
    }
    if (mode_ == kUnzip) FindOut(*work);
    if (!waiting_.empty() && !GiveWaiting(work)) {
      status_ = Z_OK;
      return;
    }
    // Deflate without compression makes its blocks of what it is given.
    const size_t most = IsDeflate() && level_ == 0
                            ? std::numeric_limits<uint32_t>::max()
                            : kPiece;
    for (;;) {
      const size_t in = std::min(work->in_left, most);
      const size_t out = std::min<size_t>(work->out_left,
                                          std::numeric_limits<uint32_t>::max());
      const bool is_last = in == work->in_left;
      stream_.next_in = const_cast<uint8_t*>(work->in);
      stream_.avail_in = static_cast<uint32_t>(in);
      stream_.next_out = work->out;
      stream_.avail_out = static_cast<uint32_t>(out);
      Step(is_last ? work->flush : Z_NO_FLUSH);
      const size_t used = in - stream_.avail_in;
      if (work->in != nullptr) work->in += used;
      work->in_left -= used;
      const size_t made = out - stream_.avail_out;
      if (work->out != nullptr) work->out += made;
      work->out_left -= made;
      stream_.next_in = nullptr;
      stream_.next_out = nullptr;
      if (mode_ == kGunzip && !is_one_member_ && status_ == Z_STREAM_END &&
          work->in_left > 0 && *work->in != 0 && !is_last) {
        // The next member begins in the next piece.
        Reset();
        if (status_ != Z_OK) return;
        continue;
      }
      if (is_last || status_ != Z_OK || work->out_left == 0 ||
          work->is_interrupted()) {
        return;
      }
    }
  }

  CompressionError Check(const CompressionWork& work) const override {
    switch (status_) {
      case Z_OK:
      case Z_BUF_ERROR:
        if (work.out_left != 0 && work.flush == Z_FINISH) {
          return Error("unexpected end of file");
        }
        return {};
      case Z_STREAM_END:
        return {};
      case Z_NEED_DICT:
        return Error(dictionary_.empty() ? "Missing dictionary"
                                         : "Bad dictionary");
      default:
        return Error("Zlib error");
    }
  }

  CompressionError Reset() override {
    if (Begin() && status_ != Z_OK) {
      return Error("Failed to init stream before reset");
    }
    if (kResetsOnlyWhole && mode_ == kGzip && stream_.total_out > 0 &&
        !has_ended_) {
      return {
          "Cannot reset a gzip stream with an incomplete member; end the "
          "stream or start a new gzip compressor",
          "ERR_ZLIB_INCOMPLETE_FRAME", Z_STREAM_ERROR};
    }
    status_ = Z_OK;
    has_ended_ = false;
    waiting_.clear();
    if (IsDeflate()) {
      status_ = zlib_.deflateReset(&stream_);
    } else if (mode_ != kNone && mode_ != kUnzip) {
      status_ = zlib_.inflateReset(&stream_);
    }
    return status_ == Z_OK ? SetDictionary() : Error("Failed to reset stream");
  }

  CompressionError SetParams(int level, int strategy) override {
    if (Begin() && status_ != Z_OK) {
      return Error("Failed to init stream before set parameters");
    }
    status_ = Z_OK;
    if (mode_ == kDeflate || mode_ == kDeflateRaw) {
      ChangeParams(level, strategy);
      level_ = level;
    }
    return status_ == Z_OK || status_ == Z_BUF_ERROR
               ? CompressionError()
               : Error("Failed to set parameters");
  }

 private:
  bool IsDeflate() const {
    return mode_ == kDeflate || mode_ == kGzip || mode_ == kDeflateRaw;
  }

  // zlib first writes out what it was given with the old ones. JavaScript has
  // flushed most times, so that it is nothing.
  void ChangeParams(int level, int strategy) {
    uint8_t room[1024];
    do {
      stream_.next_out = room;
      stream_.avail_out = sizeof(room);
      stream_.avail_in = 0;
      status_ = zlib_.deflateParams(&stream_, level, strategy);
      waiting_.insert(waiting_.end(), room, stream_.next_out);
    } while (status_ == Z_BUF_ERROR && stream_.avail_out == 0);
    stream_.next_out = nullptr;
  }

  // False when there is no room for more.
  bool GiveWaiting(CompressionWork* work) {
    const size_t size = std::min(waiting_.size(), work->out_left);
    if (size > 0) {
      std::memcpy(work->out, waiting_.data(), size);
      waiting_.erase(waiting_.begin(), waiting_.begin() + size);
      work->out += size;
      work->out_left -= size;
    }
    return work->out_left > 0;
  }

  static void* Take(void* memory, unsigned count, unsigned size) {
    return CompressionMemory::Take(memory, size_t{count} * size);
  }

  // The memory is taken when it is needed. True when that is now.
  bool Begin() {
    if (has_begun_) return false;
    if (mode_ == kNone) {
      status_ = Z_STREAM_ERROR;
      return true;
    }
    stream_ = {};
    stream_.zalloc = Take;
    stream_.zfree = CompressionMemory::Give;
    stream_.opaque = &memory_;
    status_ = IsDeflate()
                  ? zlib_.deflateInit2_(&stream_, level_, Z_DEFLATED,
                                        window_bits_, memory_level_, strategy_,
                                        ZLIB_VERSION, sizeof(stream_))
                  : zlib_.inflateInit2_(&stream_, window_bits_, ZLIB_VERSION,
                                        sizeof(stream_));
    if (status_ != Z_OK) {
      dictionary_.clear();
      mode_ = kNone;
      return true;
    }
    has_begun_ = true;
    has_ended_ = false;
    SetDictionary();
    return true;
  }

  void End() {
    if (!has_begun_) return;
    if (IsDeflate()) {
      zlib_.deflateEnd(&stream_);
    } else {
      zlib_.inflateEnd(&stream_);
    }
    has_begun_ = false;
    waiting_.clear();
  }

  CompressionError SetDictionary() {
    if (dictionary_.empty()) return {};
    status_ = Z_OK;
    const auto size = static_cast<uint32_t>(dictionary_.size());
    if (mode_ == kDeflate || mode_ == kDeflateRaw) {
      status_ = zlib_.deflateSetDictionary(&stream_, dictionary_.data(), size);
    } else if (mode_ == kInflateRaw) {
      status_ = zlib_.inflateSetDictionary(&stream_, dictionary_.data(), size);
    }
    return status_ == Z_OK ? CompressionError()
                           : Error("Failed to set dictionary");
  }

  // Whether unzip() has gzip or zlib before it, by the first two bytes.
  void FindOut(const CompressionWork& work) {
    const uint8_t* next = work.in_left > 0 ? work.in : nullptr;
    if (magic_read_ == 0) {
      if (next == nullptr) return;
      if (*next != kMagic[0]) {
        mode_ = kInflate;
        return;
      }
      magic_read_ = 1;
      ++next;
      if (work.in_left == 1) return;
    }
    if (next == nullptr) return;
    if (*next == kMagic[1]) {
      magic_read_ = 2;
      mode_ = kGunzip;
    } else {
      mode_ = kInflate;
    }
  }

  void Step(int flush) {
    if (IsDeflate()) {
      status_ = zlib_.deflate(&stream_, flush);
      has_ended_ = has_ended_ || status_ == Z_STREAM_END;
      return;
    }
    status_ = zlib_.inflate(&stream_, flush);
    if (mode_ != kInflateRaw && status_ == Z_NEED_DICT &&
        !dictionary_.empty()) {
      status_ =
          zlib_.inflateSetDictionary(&stream_, dictionary_.data(),
                                     static_cast<uint32_t>(dictionary_.size()));
      if (status_ == Z_OK) {
        status_ = zlib_.inflate(&stream_, flush);
      } else if (status_ == Z_DATA_ERROR) {
        // Tells a wrong dictionary from wrong input.
        status_ = Z_NEED_DICT;
      }
    }
    // Another member, or what is behind the last. Zeros are padding.
    while (stream_.avail_in > 0 && mode_ == kGunzip && !is_one_member_ &&
           status_ == Z_STREAM_END && stream_.next_in[0] != 0) {
      Reset();
      status_ = zlib_.inflate(&stream_, flush);
    }
  }

  CompressionError Error(const char* message) const {
    return {stream_.msg != nullptr ? stream_.msg : message, NameOf(status_),
            status_};
  }

  const Zlib& zlib_ = *FindZlib();
  CompressionMemory memory_;
  z_stream stream_{};
  int mode_;
  int level_ = 0;
  int memory_level_ = 0;
  int strategy_ = 0;
  int window_bits_ = 0;
  int status_ = Z_OK;
  int magic_read_ = 0;
  bool has_begun_ = false;
  bool is_one_member_ = false;  // Bytes after gzip's first are left over.
  bool has_ended_ = false;      // Deflate, since it was reset
  std::vector<uint8_t> dictionary_;
  std::vector<uint8_t> waiting_;  // output that had no room
};

// JavaScript lets fractions pass; Node drops them.
bool ReadInt(const Info& info, int index, int least, int most, int* number) {
  if (info[index]->IsNumber()) {
    const double whole = std::trunc(info[index].As<v8::Number>()->Value());
    if (whole >= least && whole <= most) {
      *number = static_cast<int>(whole);
      return true;
    }
  }
  ThrowCoded(info.GetIsolate(), MakeRangeError, "ERR_OUT_OF_RANGE",
             "A parameter of the stream is out of range");
  return false;
}

std::unique_ptr<Compression> Create(const Info& info) {
  int mode;
  if (!ReadInt(info, 0, kDeflate, kUnzip, &mode)) return nullptr;
  return std::make_unique<ZlibStream>(info.GetIsolate(), mode);
}

// init(windowBits, level, memLevel, strategy, result, callback, dictionary,
//      rejectGarbageAfterEnd), the last since Node 24
bool Init(const Info& info, Compression* stream, CompressionError*) {
  int window_bits;
  int level;
  int memory_level;
  int strategy;
  if (!ReadInt(info, 0, 0, 15, &window_bits) ||
      !ReadInt(info, 1, -1, 9, &level) ||
      !ReadInt(info, 2, 1, 9, &memory_level) ||
      !ReadInt(info, 3, Z_DEFAULT_STRATEGY, Z_FIXED, &strategy)) {
    return false;
  }
  std::vector<uint8_t> dictionary;
  if (info[6]->IsArrayBufferView()) {
    const ViewBytes bytes(info[6]);
    if (!bytes.Check(info.GetIsolate())) return false;
    // No window is larger.
    constexpr size_t kMost = size_t{1} << 20;
    const size_t size = std::min(bytes.size(), kMost);
    dictionary.assign(bytes.data(), bytes.data() + size);
  }
  static_cast<ZlibStream*>(stream)->Init(window_bits, level, memory_level,
                                         strategy, std::move(dictionary),
                                         info[7]->IsTrue());
  return true;
}

constexpr CompressionClass kZlib = {"Zlib", Create,  Init,
                                    {4, 5}, Z_BLOCK, size_t{64} << 10};

}  // namespace

bool AddZlibClass(v8::Isolate* isolate, v8::Local<v8::Context> context,
                  v8::Local<v8::Object> binding) {
  return AddCompressionClass(isolate, context, binding, &kZlib);
}

}  // namespace sloppy::workers

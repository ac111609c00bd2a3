// The classes BrotliEncoder and BrotliDecoder of internalBinding('zlib').
#include <algorithm>
#include <cstring>
#include <vector>

#include "isolate/bindings/compression.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/libraries/libraries.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

constexpr int kProcess = 0;   // BROTLI_OPERATION_PROCESS
constexpr int kFinish = 2;    // BROTLI_OPERATION_FINISH
constexpr int kMetadata = 3;  // BROTLI_OPERATION_EMIT_METADATA
constexpr int kQuality = 1;   // BROTLI_PARAM_QUALITY
constexpr int kSizeHint = 5;
constexpr int kDefaultQuality = 11;
constexpr uint32_t kUnset = ~uint32_t{0};

// The functions that only newer versions have.
struct Dictionaries {
  static const Dictionaries& Get() {
    static const Dictionaries found;
    return found;
  }

  using Prepare = void* (*)(int type, size_t, const uint8_t*, int quality,
                            SwBrotliAlloc, SwBrotliFree, void*);
  using Destroy = void (*)(void*);
  using AttachPrepared = int (*)(BrotliEncoderStateStruct*, const void*);
  using Attach = int (*)(BrotliDecoderStateStruct*, int type, size_t,
                         const uint8_t*);
  template <typename F>
  static F Find(const char* name) {
    return reinterpret_cast<F>(FindSymbol(name));
  }
  const Prepare prepare = Find<Prepare>("BrotliEncoderPrepareDictionary");
  const Destroy destroy =
      Find<Destroy>("BrotliEncoderDestroyPreparedDictionary");
  const AttachPrepared attach_prepared =
      Find<AttachPrepared>("BrotliEncoderAttachPreparedDictionary");
  const Attach attach = Find<Attach>("BrotliDecoderAttachDictionary");
};

// The parts that both directions have.
class BrotliStream : public Compression {
 public:
  explicit BrotliStream(v8::Isolate* isolate) : memory_(isolate) {}

  // An error where there is no memory or a dictionary does not fit.
  virtual CompressionError Begin() = 0;
  virtual bool SetParam(int key, uint32_t value) = 0;
  void SetDictionary(const ViewBytes& bytes) {
    dictionary_.assign(bytes.data(), bytes.data() + bytes.size());
  }

  CompressionError Reset() override { return Begin(); }

 protected:
  CompressionMemory memory_;
  std::vector<uint8_t> dictionary_;
};

CompressionError InitError() {
  return {"Initialization failed", "ERR_ZLIB_INITIALIZATION_FAILED", -1};
}

class BrotliEncoderStream final : public BrotliStream {
 public:
  using BrotliStream::BrotliStream;
  ~BrotliEncoderStream() override { End(); }

  CompressionError Begin() override {
    End();
    memory_.Forget();
    state_ = brotli_.BrotliEncoderCreateInstance(
        CompressionMemory::TakeAlways, CompressionMemory::Give, &memory_);
    quality_ = kDefaultQuality;
    taken_ = 0;
    has_hint_ = false;
    ok_ = true;
    if (state_ == nullptr || memory_.exceeded()) return InitError();
    if (dictionary_.empty()) return {};
    const Dictionaries& more = Dictionaries::Get();
    if (more.prepare == nullptr || more.attach_prepared == nullptr) {
      return InitError();
    }
    prepared_ = more.prepare(0, dictionary_.size(), dictionary_.data(),
                             kDefaultQuality, CompressionMemory::TakeAlways,
                             CompressionMemory::Give, &memory_);
    if (prepared_ == nullptr) {
      return {"Failed to prepare brotli dictionary",
              "ERR_ZLIB_DICTIONARY_LOAD_FAILED", -1};
    }
    if (more.attach_prepared(state_, prepared_) == 0) {
      return {"Failed to attach brotli dictionary",
              "ERR_ZLIB_DICTIONARY_LOAD_FAILED", -1};
    }
    return {};
  }

  bool SetParam(int key, uint32_t value) override {
    if (key == kQuality) quality_ = static_cast<int>(value);
    if (key == kSizeHint && value != 0) has_hint_ = true;
    return brotli_.BrotliEncoderSetParameter(state_, key, value) != 0;
  }

  void Run(CompressionWork* work) override {
    if (state_ == nullptr) {
      ok_ = false;
      return;
    }
    // Told of all that is there, because it chooses its ways by that.
    if (taken_ == 0 && !has_hint_ && work->in_left > kSlowPiece) {
      brotli_.BrotliEncoderSetParameter(
          state_, kSizeHint,
          static_cast<uint32_t>(std::min(work->in_left, kMostHint)));
      has_hint_ = true;
    }
    for (;;) {
      const size_t in = work->flush == kMetadata
                            ? work->in_left
                            : std::min(work->in_left, PieceSize());
      const bool is_last = in == work->in_left;
      size_t left = in;
      const uint8_t* next = work->in;
      ok_ = brotli_.BrotliEncoderCompressStream(
                state_, is_last ? work->flush : kProcess, &left, &next,
                &work->out_left, &work->out, nullptr) != 0 &&
            !memory_.exceeded();
      work->in = next;
      work->in_left -= in - left;
      taken_ += in - left;
      if (is_last || !ok_ || left > 0 || work->out_left == 0 ||
          work->is_interrupted()) {
        return;
      }
    }
  }

  CompressionError Check(const CompressionWork&) const override {
    return ok_ ? CompressionError()
               : CompressionError{"Compression failed",
                                  "ERR_BROTLI_COMPRESSION_FAILED", -1};
  }

 private:
  static constexpr size_t kSlowPiece = size_t{128} << 10;
  static constexpr size_t kMostHint = size_t{1} << 30;

  // The two fast qualities make blocks of what they are given, up to the size
  // of the window, 2^24 at the most; and no hint was possible after the first
  // call.
  size_t PieceSize() const {
    if (quality_ <= 1) return size_t{1} << 24;
    return has_hint_ || taken_ >= kPiece ? kSlowPiece : kPiece;
  }

  void End() {
    if (state_ != nullptr) brotli_.BrotliEncoderDestroyInstance(state_);
    state_ = nullptr;
    if (prepared_ != nullptr) Dictionaries::Get().destroy(prepared_);
    prepared_ = nullptr;
  }

  const Brotli& brotli_ = *FindBrotli();
  BrotliEncoderStateStruct* state_ = nullptr;
  void* prepared_ = nullptr;
  int quality_ = kDefaultQuality;
  size_t taken_ = 0;
  bool has_hint_ = false;
  bool ok_ = true;
};

class BrotliDecoderStream final : public BrotliStream {
 public:
  using BrotliStream::BrotliStream;
  ~BrotliDecoderStream() override { End(); }

  CompressionError Begin() override {
    End();
    state_ = brotli_.BrotliDecoderCreateInstance(
        CompressionMemory::Take, CompressionMemory::Give, &memory_);
    error_ = 0;
    if (state_ == nullptr) return InitError();
    if (dictionary_.empty()) return {};
    const Dictionaries& more = Dictionaries::Get();
    if (more.attach == nullptr) return InitError();
    if (more.attach(state_, 0, dictionary_.size(), dictionary_.data()) == 0) {
      return {"Failed to attach brotli dictionary",
              "ERR_ZLIB_DICTIONARY_LOAD_FAILED", -1};
    }
    return {};
  }

  bool SetParam(int key, uint32_t value) override {
    return brotli_.BrotliDecoderSetParameter(state_, key, value) != 0;
  }

  void Run(CompressionWork* work) override {
    if (state_ == nullptr) return;
    for (;;) {
      const size_t in = std::min(work->in_left, kPiece);
      const bool is_last = in == work->in_left;
      size_t left = in;
      const uint8_t* next = work->in;
      // Output is taken from a window: pieces of it cost nothing.
      size_t room = std::min(work->out_left, kPiece);
      const size_t most = room;
      result_ = brotli_.BrotliDecoderDecompressStream(
          state_, &left, &next, &room, &work->out, nullptr);
      work->out_left -= most - room;
      work->in = next;
      work->in_left -= in - left;
      if (result_ == kFailed) {
        error_ = brotli_.BrotliDecoderGetErrorCode(state_);
        return;
      }
      // A decoder that needs input may still have output.
      const bool has_more_room = room == 0 && work->out_left > 0;
      const bool goes_on =
          (result_ == kNeedsOutput && has_more_room) ||
          (result_ == kNeedsInput && (has_more_room || !is_last));
      if (!goes_on || work->is_interrupted()) return;
    }
  }

  CompressionError Check(const CompressionWork& work) const override {
    if (error_ != 0) {
      return {"Decompression failed",
              std::string("ERR_") + brotli_.BrotliDecoderErrorString(error_),
              error_};
    }
    if (work.flush == kFinish && result_ == kNeedsInput) {
      return {"unexpected end of file", "Z_BUF_ERROR", Z_BUF_ERROR};
    }
    return {};
  }

 private:
  static constexpr int kFailed = 0;  // BROTLI_DECODER_RESULT_…
  static constexpr int kNeedsInput = 2;
  static constexpr int kNeedsOutput = 3;

  void End() {
    if (state_ != nullptr) brotli_.BrotliDecoderDestroyInstance(state_);
    state_ = nullptr;
  }

  const Brotli& brotli_ = *FindBrotli();
  BrotliDecoderStateStruct* state_ = nullptr;
  int result_ = 1;
  int error_ = 0;
};

template <typename Stream>
std::unique_ptr<Compression> Create(const Info& info) {
  return std::make_unique<Stream>(info.GetIsolate());
}

// init(params, result, callback, dictionary)
bool Init(const Info& info, Compression* compression, CompressionError* error) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsUint32Array()) {
    ThrowArgument(isolate, "argument must be a Uint32Array");
    return false;
  }
  auto* stream = static_cast<BrotliStream*>(compression);
  if (info[3]->IsArrayBufferView()) {
    const ViewBytes bytes(info[3]);
    if (!bytes.Check(isolate)) return false;
    stream->SetDictionary(bytes);
  }
  *error = stream->Begin();
  if (error->IsError()) return true;
  const ViewBytes params(info[0]);
  if (!params.Check(isolate)) return false;
  for (size_t i = 0; i < params.size() / sizeof(uint32_t); ++i) {
    uint32_t value;
    std::memcpy(&value, params.data() + i * sizeof(value), sizeof(value));
    if (value == kUnset || stream->SetParam(static_cast<int>(i), value)) {
      continue;
    }
    *error = InitError();
    return true;
  }
  return true;
}

constexpr CompressionClass kEncoder = {
    "BrotliEncoder", Create<BrotliEncoderStream>, Init, {1, 2}, kMetadata,
    size_t{1} << 20};
constexpr CompressionClass kDecoder = {
    "BrotliDecoder", Create<BrotliDecoderStream>, Init, {1, 2}, kMetadata,
    size_t{64} << 10};

}  // namespace

bool AddBrotliClasses(v8::Isolate* isolate, v8::Local<v8::Context> context,
                      v8::Local<v8::Object> binding) {
  return FindBrotli() == nullptr ||
         (AddCompressionClass(isolate, context, binding, &kEncoder) &&
          AddCompressionClass(isolate, context, binding, &kDecoder));
}

}  // namespace sloppy::workers

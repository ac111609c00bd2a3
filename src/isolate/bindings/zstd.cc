// The classes ZstdCompress and ZstdDecompress of internalBinding('zlib').
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "isolate/bindings/compression.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/libraries/libraries.h"
#include "isolate/platform_bridge.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

constexpr int kContinue = 0;  // ZSTD_e_continue
constexpr int kEnd = 2;       // ZSTD_e_end
// Changes that Node itself has made to zstd's streams since 24 and 26, and
// since a later 24.
constexpr bool kIsLate24 = IsNodeSince(24, 22);
constexpr bool kChecksEnds = SW_V8_AT_LEAST(13, 0);
constexpr bool kReadsManyFrames = SW_V8_AT_LEAST(14, 0) || kIsLate24;
constexpr bool kResetsOnlyWhole = SW_V8_AT_LEAST(14, 0);
constexpr bool kKeepsParams =
    SW_V8_AT_LEAST(14, 0) || kIsLate24;  // Takes effect at reset()
constexpr size_t kMagic = 4;             // Bytes that begin a frame
constexpr int kWrongSize = 72;           // ZSTD_error_srcSize_wrong
constexpr int kWrongStage = 60;          // ZSTD_error_stage_wrong
constexpr uint32_t kUnset = ~uint32_t{0};
constexpr unsigned long long kUnknownSize = ~0ULL;

struct ErrorName {
  int code;
  const char* name;
};
// zstd_errors.h
constexpr ErrorName kErrors[] = {
    {1, "GENERIC"},
    {10, "prefix_unknown"},
    {12, "version_unsupported"},
    {14, "frameParameter_unsupported"},
    {16, "frameParameter_windowTooLarge"},
    {20, "corruption_detected"},
    {22, "checksum_wrong"},
    {24, "literals_headerWrong"},
    {30, "dictionary_corrupted"},
    {32, "dictionary_wrong"},
    {34, "dictionaryCreation_failed"},
    {40, "parameter_unsupported"},
    {41, "parameter_combination_unsupported"},
    {42, "parameter_outOfBound"},
    {44, "tableLog_tooLarge"},
    {46, "maxSymbolValue_tooLarge"},
    {48, "maxSymbolValue_tooSmall"},
    {50, "stabilityCondition_notRespected"},
    {60, "stage_wrong"},
    {62, "init_missing"},
    {64, "memory_allocation"},
    {66, "workSpace_tooSmall"},
    {70, "dstSize_tooSmall"},
    {72, "srcSize_wrong"},
    {74, "dstBuffer_null"},
    {80, "noForwardProgress_destFull"},
    {82, "noForwardProgress_inputEmpty"},
};

class ZstdStream : public Compression {
 public:
  explicit ZstdStream(v8::Isolate* isolate) : memory_(isolate) {}

  virtual CompressionError Begin() = 0;
  virtual bool SetParam(int key, int value) = 0;
  void SetDictionary(const ViewBytes& bytes) {
    dictionary_.assign(bytes.data(), bytes.data() + bytes.size());
  }

  void KeepParams(std::vector<std::pair<int, int>> params) {
    params_ = std::move(params);
  }

  CompressionError Reset() override {
    CompressionError error = Begin();
    if (!kKeepsParams || error.IsError()) return error;
    for (const auto& [key, value] : params_) SetParam(key, value);
    return error;
  }

 protected:
  SwZstdMemory Memory() {
    return {CompressionMemory::Take, CompressionMemory::Give, &memory_};
  }
  // Notes an error. False when there is one.
  bool Note(size_t result) {
    error_ =
        zstd_.ZSTD_isError(result) != 0 ? zstd_.ZSTD_getErrorCode(result) : 0;
    return error_ == 0;
  }
  CompressionError Error() const {
    if (error_ == 0) return {};
    const char* name = "GENERIC";
    for (const ErrorName& each : kErrors) {
      if (each.code == error_) name = each.name;
    }
    return {zstd_.ZSTD_getErrorString(error_),
            std::string("ZSTD_error_") + name, error_};
  }
  static CompressionError InitError() {
    return {"Could not initialize zstd instance",
            "ERR_ZLIB_INITIALIZATION_FAILED", -1};
  }
  static CompressionError DictionaryError() {
    return {"Failed to load zstd dictionary", "ERR_ZLIB_DICTIONARY_LOAD_FAILED",
            -1};
  }

  const Zstd& zstd_ = *FindZstd();
  CompressionMemory memory_;
  std::vector<uint8_t> dictionary_;
  std::vector<std::pair<int, int>> params_;
  int error_ = 0;
};

class ZstdCompressStream final : public ZstdStream {
 public:
  using ZstdStream::ZstdStream;
  ~ZstdCompressStream() override { zstd_.ZSTD_freeCCtx(context_); }

  void SetPledgedSize(unsigned long long size) { pledged_ = size; }

  CompressionError Begin() override {
    zstd_.ZSTD_freeCCtx(context_);
    error_ = 0;
    taken_ = 0;
    has_begun_ = false;
    is_within_frame_ = false;
    context_ = zstd_.ZSTD_createCCtx_advanced(Memory());
    if (context_ == nullptr) return InitError();
    if (!dictionary_.empty() &&
        !Note(zstd_.ZSTD_CCtx_loadDictionary(context_, dictionary_.data(),
                                             dictionary_.size()))) {
      return DictionaryError();
    }
    if (!Note(zstd_.ZSTD_CCtx_setPledgedSrcSize(context_, pledged_))) {
      return {"Could not set pledged src size",
              "ERR_ZLIB_INITIALIZATION_FAILED", -1};
    }
    return {};
  }

  CompressionError Reset() override {
    if (!kResetsOnlyWhole || !is_within_frame_) return ZstdStream::Reset();
    return {
        "Cannot reset a zstd stream with an incomplete frame; end the frame or "
        "discard the output produced so far",
        "ERR_ZLIB_INCOMPLETE_FRAME", kWrongStage};
  }

  bool SetParam(int key, int value) override {
    return zstd_.ZSTD_isError(
               zstd_.ZSTD_CCtx_setParameter(context_, key, value)) == 0;
  }

  void Run(CompressionWork* work) override {
    if (context_ == nullptr || error_ != 0) return;
    const size_t all = work->in_left;
    if (!has_begun_ && work->flush == kEnd && all > kPiece) {
      // zstd does this itself, whatever was promised, when a first call gives
      // it all of the input.
      if (!Note(zstd_.ZSTD_CCtx_setPledgedSrcSize(context_, all))) return;
    }
    has_begun_ = true;
    for (;;) {
      // One block, but for what fits into one call.
      const size_t size = work->in_left <= kPiece && all <= kPiece
                              ? work->in_left
                              : std::min(work->in_left, size_t{128} << 10);
      const bool is_last = size == work->in_left;
      SwZstdInput in{work->in, size, 0};
      SwZstdOutput out{work->out, work->out_left, 0};
      left_ = zstd_.ZSTD_compressStream2(context_, &out, &in,
                                         is_last ? work->flush : kContinue);
      const bool ok = Note(left_);
      if (work->in != nullptr) work->in += in.at;
      work->in_left -= in.at;
      taken_ += in.at;
      if (work->out != nullptr) work->out += out.at;
      work->out_left -= out.at;
      is_within_frame_ = (is_within_frame_ || out.at > 0) &&
                         !(is_last && work->flush == kEnd && left_ == 0);
      if (!ok || is_last || work->out_left == 0 || work->is_interrupted()) {
        break;
      }
    }
    // zstd itself forgets what was promised when it gets all at once.
    if (kChecksEnds && error_ == 0 && left_ == 0 && work->flush == kEnd &&
        work->in_left == 0 && pledged_ != kUnknownSize && taken_ != pledged_) {
      error_ = kWrongSize;
    }
  }

  CompressionError Check(const CompressionWork&) const override {
    return Error();
  }

 private:
  ZSTD_CCtx_s* context_ = nullptr;
  unsigned long long pledged_ = kUnknownSize;
  unsigned long long taken_ = 0;
  size_t left_ = 0;
  bool has_begun_ = false;
  bool is_within_frame_ = false;  // Output has begun one, and not ended it.
};

// Whether more than garbage comes behind a frame.
bool BeginsFrame(const uint8_t* data, size_t size) {
  constexpr uint8_t kFrame[kMagic] = {0x28, 0xB5, 0x2F, 0xFD};
  constexpr uint8_t kSkippable[] = {0x2A, 0x4D, 0x18};
  const size_t known = std::min(size, kMagic);
  if (std::memcmp(data, kFrame, known) == 0) return true;
  return (data[0] & 0xF0) == 0x50 &&
         std::memcmp(data + 1, kSkippable, known - 1) == 0;
}

class ZstdDecompressStream final : public ZstdStream {
 public:
  using ZstdStream::ZstdStream;
  ~ZstdDecompressStream() override { zstd_.ZSTD_freeDCtx(context_); }

  CompressionError Begin() override {
    zstd_.ZSTD_freeDCtx(context_);
    error_ = 0;
    left_ = 0;
    has_frame_ = false;
    read_ = 0;
    context_ = zstd_.ZSTD_createDCtx_advanced(Memory());
    if (context_ == nullptr) return InitError();
    if (!dictionary_.empty() &&
        !Note(zstd_.ZSTD_DCtx_loadDictionary(context_, dictionary_.data(),
                                             dictionary_.size()))) {
      return DictionaryError();
    }
    return {};
  }

  bool SetParam(int key, int value) override {
    return zstd_.ZSTD_isError(
               zstd_.ZSTD_DCtx_setParameter(context_, key, value)) == 0;
  }

  void Run(CompressionWork* work) override {
    if (context_ == nullptr || error_ != 0) return;
    for (;;) {
      if (has_frame_ && read_ == 0 &&
          (work->in_left == 0 ||
           (kReadsManyFrames && !BeginsFrame(work->in, work->in_left)))) {
        return;
      }
      const size_t size = std::min(work->in_left, kPiece);
      const bool is_last = size == work->in_left;
      SwZstdInput in{work->in, size, 0};
      SwZstdOutput out{work->out, work->out_left, 0};
      left_ = zstd_.ZSTD_decompressStream(context_, &out, &in);
      const bool ok = Note(left_);
      if (work->in != nullptr) work->in += in.at;
      work->in_left -= in.at;
      read_ += in.at;
      if (work->out != nullptr) work->out += out.at;
      work->out_left -= out.at;
      if (ok && left_ == 0) {
        has_frame_ = true;
        read_ = 0;
      }
      if (!ok || work->out_left == 0 || work->is_interrupted()) return;
      if (left_ == 0 ? !kReadsManyFrames || work->in_left == 0
                     : is_last || in.at < size) {
        return;
      }
    }
  }

  CompressionError Check(const CompressionWork& work) const override {
    // A little that looks like another frame is garbage.
    const bool is_garbage = kReadsManyFrames && has_frame_ && read_ < kMagic;
    if (kChecksEnds && error_ == 0 && work.flush == kEnd && left_ != 0 &&
        !is_garbage && work.in_left == 0 && work.out_left != 0) {
      return {"unexpected end of file", "Z_BUF_ERROR", Z_BUF_ERROR};
    }
    return Error();
  }

 private:
  ZSTD_DCtx_s* context_ = nullptr;
  // The bytes that zstd wants to have; 0 at the end of a frame.
  size_t left_ = 0;
  // One is whole; bytes of the one after that.
  bool has_frame_ = false;
  size_t read_ = 0;
};

template <typename Stream>
std::unique_ptr<Compression> Create(const Info& info) {
  return std::make_unique<Stream>(info.GetIsolate());
}

// init(params, pledgedSize, result, callback, dictionary)
bool Begin(const Info& info, ZstdStream* stream, CompressionError* error) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsUint32Array()) {
    ThrowArgument(isolate, "argument must be a Uint32Array");
    return false;
  }
  if (info[4]->IsArrayBufferView()) {
    const ViewBytes bytes(info[4]);
    if (!bytes.Check(isolate)) return false;
    stream->SetDictionary(bytes);
  }
  *error = stream->Begin();
  if (error->IsError()) return true;
  const ViewBytes params(info[0]);
  if (!params.Check(isolate)) return false;
  // The parameters are those that zstd has, because it takes no others.
  std::vector<std::pair<int, int>> taken;
  for (size_t i = 0; i < params.size() / sizeof(uint32_t); ++i) {
    uint32_t value;
    std::memcpy(&value, params.data() + i * sizeof(value), sizeof(value));
    if (value == kUnset) continue;
    taken.emplace_back(static_cast<int>(i), static_cast<int>(value));
    if (stream->SetParam(taken.back().first, taken.back().second)) continue;
    *error = {"Setting parameter failed", "ERR_ZLIB_INITIALIZATION_FAILED", -1};
    return true;
  }
  stream->KeepParams(std::move(taken));
  return true;
}

bool InitCompress(const Info& info, Compression* compression,
                  CompressionError* error) {
  auto* stream = static_cast<ZstdCompressStream*>(compression);
  if (info[1]->IsNumber()) stream->SetPledgedSize(PlainIndex(info[1]));
  return Begin(info, stream, error);
}

bool InitDecompress(const Info& info, Compression* compression,
                    CompressionError* error) {
  return Begin(info, static_cast<ZstdStream*>(compression), error);
}

constexpr CompressionClass kCompress = {
    "ZstdCompress", Create<ZstdCompressStream>, InitCompress, {2, 3}, kEnd,
    size_t{1} << 20};
constexpr CompressionClass kDecompress = {"ZstdDecompress",
                                          Create<ZstdDecompressStream>,
                                          InitDecompress,
                                          {2, 3},
                                          kEnd,
                                          size_t{256} << 10};

}  // namespace

bool AddZstdClasses(v8::Isolate* isolate, v8::Local<v8::Context> context,
                    v8::Local<v8::Object> binding) {
  return FindZstd() == nullptr ||
         (AddCompressionClass(isolate, context, binding, &kCompress) &&
          AddCompressionClass(isolate, context, binding, &kDecompress));
}

}  // namespace sloppy::workers

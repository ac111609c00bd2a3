// Slices and writes of internalBinding('buffer'), and texts alone.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/buffer.h"
#include "isolate/bindings/byte_codecs.h"
#include "isolate/bindings/byte_texts.h"
#include "isolate/bindings/utf8.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/libraries/output.h"
#include "isolate/native_memory.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

// Of the functions that are methods of a buffer in some Nodes and take it as
// their first argument in others: the buffer, and where the arguments begin.
struct Subject {
  explicit Subject(const Info& info) {
    if (info.This()->IsArrayBufferView()) {
      view = info.This();
    } else {
      view = info[0];
      first = 1;
    }
  }
  bool Check(const Info& info) const {
    if (view->IsArrayBufferView()) return true;
    ThrowArgument(info.GetIsolate(), "argument must be a buffer");
    return false;
  }
  size_t size() const { return view.As<v8::ArrayBufferView>()->ByteLength(); }

  v8::Local<v8::Value> view;
  int first = 0;
};

// False when something is thrown.
bool ReadOr(const Info& info, int index, size_t otherwise, size_t* number) {
  const Index read = ReadIndex(info, index, otherwise, number);
  if (read == Index::kNegative) ThrowIndex(info.GetIsolate());
  return read == Index::kFine;
}

// [buffer.]xSlice([buffer,] start, end) → text
template <TextEncoding kEncoding>
void Slice(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Subject subject(info);
  if (!subject.Check(info)) return;
  const size_t before = subject.size();
  if (before == 0) return info.GetReturnValue().SetEmptyString();
  size_t start;
  size_t end;
  if (!ReadOr(info, subject.first, 0, &start) ||
      !ReadOr(info, subject.first + 1, before, &end)) {
    return;
  }
  // The Nodes that have methods look at the start as well.
  if (end <= start && subject.first != 0) {
    return info.GetReturnValue().SetEmptyString();
  }
  end = std::max(end, start);
  if (end > before) return ThrowIndex(isolate);
  const ViewBytes bytes(subject.view);
  if (!bytes.Check(isolate)) return;
  // A value that was read as an index may have made the view smaller.
  end = std::min(end, bytes.size());
  start = std::min(start, end);
  v8::Local<v8::String> text;
  if (BytesToText(isolate, bytes.data() + start, end - start, kEncoding)
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

// [buffer.]xWrite([buffer,] text, offset, length) → bytes written
template <TextEncoding kEncoding>
void Write(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Subject subject(info);
  if (!subject.Check(info)) return;
  const int first = subject.first;
  if (!info[first]->IsString()) {
    return ThrowArgument(isolate, "argument must be a string");
  }
  const size_t before = subject.size();
  size_t offset;
  size_t most;
  if (!ReadOr(info, first + 1, 0, &offset)) return;
  if (offset > before) {
    return ThrowCoded(isolate, MakeRangeError, "ERR_BUFFER_OUT_OF_BOUNDS",
                      "\"offset\" is outside of buffer bounds");
  }
  if (!ReadOr(info, first + 2, before - offset, &most)) return;
  const BytesInPlace to(subject.view);
  offset = std::min(offset, to.size);
  most = std::min(most, to.size - offset);
  const size_t written =
      most == 0 ? 0
                : TextToBytes(isolate, info[first].As<v8::String>(), kEncoding,
                              to.data + offset, most);
  // A number of V8's heap is made only for what no small one holds.
  if (written <= 0x7FFFFFFF) {
    info.GetReturnValue().Set(static_cast<int32_t>(written));
  } else {
    info.GetReturnValue().Set(static_cast<double>(written));
  }
}

// bytesOf(text, encoding, length) → a view of what is written of `length`
// bytes, which nobody has cleared before
void BytesOf(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsString()) {
    return ThrowArgument(isolate, "argument must be a string");
  }
  const auto text = info[0].As<v8::String>();
  // No unit becomes more than three bytes.
  const size_t size = std::min(PlainIndex(info[2]),
                               3 * static_cast<size_t>(text->Length()) + 3);
  NativeMemory memory(isolate, size);
  if (memory.data() == nullptr) return ThrowNoMemory(isolate);
  const size_t written = TextToBytes(
      isolate, text,
      static_cast<TextEncoding>(PlainIndex(info[1]) % kTextEncodings),
      memory.data(), size);
  std::memset(memory.data() + written, 0, size - written);
  v8::Local<v8::ArrayBuffer> buffer;
  if (memory.ToBuffer(isolate, size).ToLocal(&buffer)) {
    info.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, written));
  }
}

// byteLengthUtf8(text) → bytes
void ByteLengthUtf8(const Info& info) {
  if (!info[0]->IsString()) {
    return ThrowArgument(info.GetIsolate(), "argument must be a string");
  }
  const auto text = info[0].As<v8::String>();
  info.GetReturnValue().Set(
      static_cast<double>(LengthInUtf8(info.GetIsolate(), text)));
}

// stringLengthUtf8(bytes) → units of the text that they are
void StringLengthUtf8(const Info& info) {
  const ViewBytes bytes(ViewOfAll(info[0]));
  v8::Isolate* isolate = info.GetIsolate();
  if (!bytes.Check(isolate)) return;
  v8::Local<v8::String> text;
  if (IsAscii(bytes.data(), bytes.size())) {
    info.GetReturnValue().Set(static_cast<double>(bytes.size()));
  } else if (BytesToText(isolate, bytes.data(), bytes.size(),
                         TextEncoding::kUtf8)
                 .ToLocal(&text)) {
    info.GetReturnValue().Set(text->Length());
  }
}

// One-byte units of a text, on the stack where they are few.
class Units {
 public:
  Units(v8::Isolate* isolate, v8::Local<v8::String> text)
      : size_(static_cast<size_t>(text->Length())) {
    if (size_ > sizeof(little_)) {
      large_ = NativeMemory(isolate, size_);
      data_ = large_.data();
      if (data_ == nullptr) return;
    }
    WriteOneByte(isolate, text, data_);
  }
  // Otherwise there was no memory for them.
  bool Check(v8::Isolate* isolate) const {
    if (data_ == nullptr) ThrowNoMemory(isolate);
    return data_ != nullptr;
  }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  size_t size_;
  NativeMemory large_;
  uint8_t little_[1024];
  uint8_t* data_ = little_;
};

// Calls use(data, size) with the units of a one-byte text, which lie where they
// are or are copied. False when there was no memory for the copy.
template <typename Use>
bool WithUnits(v8::Isolate* isolate, v8::Local<v8::String> text, Use use) {
  {
    const UnitsInPlace in_place(isolate, text);
    if (in_place.data() != nullptr) {
      use(in_place.data(), static_cast<size_t>(text->Length()));
      return true;
    }
  }
  const Units units(isolate, text);
  if (!units.Check(isolate)) return false;
  use(units.data(), units.size());
  return true;
}

// btoa(text) → Base64, -1 where a unit is no byte
void Btoa(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsString()) {
    return ThrowArgument(isolate, "argument must be a string");
  }
  const auto text = info[0].As<v8::String>();
  if (!text->ContainsOnlyOneByte()) return info.GetReturnValue().Set(-1);
  const size_t length = Base64Room(static_cast<size_t>(text->Length()));
  if (length > static_cast<size_t>(v8::String::kMaxLength)) {
    return ThrowTextTooLong(isolate);
  }
  NativeMemory letters(isolate, length);
  if (letters.data() == nullptr) return ThrowNoMemory(isolate);
  v8::Local<v8::String> made;
  if (WithUnits(isolate, text,
                [&](const uint8_t* data, size_t size) {
                  EncodeBase64(data, size, false, letters.data());
                }) &&
      ToText(isolate, std::move(letters), length).ToLocal(&made)) {
    info.GetReturnValue().Set(made);
  }
}

// atob(Base64) → text, or why not: kOneLetterLeft or kBadLetter
void Atob(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsString()) {
    return ThrowArgument(isolate, "argument must be a string");
  }
  const auto text = info[0].As<v8::String>();
  if (!text->ContainsOnlyOneByte()) {
    return info.GetReturnValue().Set(static_cast<int>(kBadLetter));
  }
  NativeMemory bytes(isolate, static_cast<size_t>(text->Length()));
  if (bytes.data() == nullptr) return ThrowNoMemory(isolate);
  int64_t decoded = 0;
  if (!WithUnits(isolate, text, [&](const uint8_t* data, size_t size) {
        decoded = DecodeForgiving(data, size, bytes.data());
      })) {
    return;
  }
  if (decoded < 0) {
    return info.GetReturnValue().Set(static_cast<int>(decoded));
  }
  const auto size = static_cast<size_t>(decoded);
  v8::Local<v8::String> made;
  // Spaces may be most of the text.
  const bool is_full = size >= bytes.size() / 2;
  if ((is_full
           ? ToText(isolate, std::move(bytes), size)
           : BytesToText(isolate, bytes.data(), size, TextEncoding::kLatin1))
          .ToLocal(&made)) {
    info.GetReturnValue().Set(made);
  }
}

// Nodes before 24 refuse it.
constexpr bool kRefusesDetached = !SW_V8_AT_LEAST(13, 0);

template <bool (*kIs)(const uint8_t*, size_t)>
void Validate(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const bool detached =
      info[0]->IsArrayBuffer() && info[0].As<v8::ArrayBuffer>()->WasDetached();
  if (detached && kRefusesDetached) {
    return ThrowCoded(isolate, MakePlainError, "ERR_INVALID_STATE",
                      "Cannot validate on a detached buffer");
  }
  const ViewBytes bytes(ViewOfAll(info[0]));
  if (!bytes.Check(isolate)) return;
  info.GetReturnValue().Set(kIs(bytes.data(), bytes.size()));
}

// isLatin1(text) → whether each unit is a byte
void IsLatin1(const Info& info) {
  if (!info[0]->IsString()) {
    return ThrowArgument(info.GetIsolate(), "argument must be a string");
  }
  info.GetReturnValue().Set(info[0].As<v8::String>()->ContainsOnlyOneByte());
}

constexpr NativeFunction kBufferTextsNatives[] = {
    {"asciiSlice", Slice<TextEncoding::kAscii>},
    {"base64Slice", Slice<TextEncoding::kBase64>},
    {"base64urlSlice", Slice<TextEncoding::kBase64Url>},
    {"latin1Slice", Slice<TextEncoding::kLatin1>},
    {"hexSlice", Slice<TextEncoding::kHex>},
    {"ucs2Slice", Slice<TextEncoding::kUtf16>},
    {"utf8Slice", Slice<TextEncoding::kUtf8>},
    {"asciiWrite", Write<TextEncoding::kAscii>},
    {"asciiWriteStatic", Write<TextEncoding::kAscii>},
    {"base64Write", Write<TextEncoding::kBase64>},
    {"base64urlWrite", Write<TextEncoding::kBase64Url>},
    {"latin1Write", Write<TextEncoding::kLatin1>},
    {"latin1WriteStatic", Write<TextEncoding::kLatin1>},
    {"hexWrite", Write<TextEncoding::kHex>},
    {"ucs2Write", Write<TextEncoding::kUtf16>},
    {"utf8Write", Write<TextEncoding::kUtf8>},
    {"utf8WriteStatic", Write<TextEncoding::kUtf8>},
    {"bytesOf", BytesOf},
    {"byteLengthUtf8", ByteLengthUtf8},
    {"stringLengthUtf8", StringLengthUtf8},
    {"btoa", Btoa},
    {"atob", Atob},
    {"isUtf8", Validate<IsUtf8>},
    {"isAscii", Validate<IsAscii>},
    {"isLatin1", IsLatin1},
};

}  // namespace

NativeFunctions BufferTextNatives() { return kBufferTextsNatives; }

}  // namespace sloppy::workers

#include "isolate/bindings/byte_texts.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/byte_codecs.h"
#include "isolate/bindings/utf8.h"
#include "isolate/libraries/output.h"
#include "isolate/native_memory.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using MaybeText = v8::MaybeLocal<v8::String>;

// Shorter results are put together on the stack.
constexpr size_t kOnStack = 2048;

MaybeText Made(v8::Isolate* isolate, MaybeText text) {
  if (text.IsEmpty()) ThrowTextTooLong(isolate);
  return text;
}

bool IsTooLong(size_t length) {
  return length > static_cast<size_t>(v8::String::kMaxLength);
}

// A one-byte text of `length` units that `write` writes.
template <typename Write>
MaybeText Written(v8::Isolate* isolate, size_t length, Write write) {
  if (IsTooLong(length)) {
    ThrowTextTooLong(isolate);
    return {};
  }
  if (length <= kOnStack) {
    uint8_t units[kOnStack];
    write(units);
    return Made(isolate, v8::String::NewFromOneByte(isolate, units,
                                                    v8::NewStringType::kNormal,
                                                    static_cast<int>(length)));
  }
  NativeMemory memory(isolate, length);
  if (memory.data() == nullptr) {
    ThrowNoMemory(isolate);
    return {};
  }
  write(memory.data());
  return Made(isolate, ToText(isolate, std::move(memory), length));
}

MaybeText OneByteText(v8::Isolate* isolate, const uint8_t* data, size_t size) {
  if (size < kOutsideText) {
    return Made(isolate, v8::String::NewFromOneByte(isolate, data,
                                                    v8::NewStringType::kNormal,
                                                    static_cast<int>(size)));
  }
  return Written(isolate, size,
                 [&](uint8_t* to) { std::memcpy(to, data, size); });
}

// Room for `size` units, on the stack where they are few.
template <typename Unit>
class Room {
 public:
  Room(v8::Isolate* isolate, size_t size) {
    if (size <= std::size(on_stack_)) {
      units_ = on_stack_;
      return;
    }
    memory_ = NativeMemory(isolate, size * sizeof(Unit));
    units_ = reinterpret_cast<Unit*>(memory_.data());
  }
  // nullptr when there is too little memory.
  Unit* units() const { return units_; }
  // Empty where the stack is enough.
  NativeMemory TakeMemory() { return std::move(memory_); }

 private:
  Unit on_stack_[kOnStack / sizeof(Unit)];
  NativeMemory memory_;
  Unit* units_;
};

MaybeText Utf8Text(v8::Isolate* isolate, const uint8_t* data, size_t size) {
  if (IsAscii(data, size)) return OneByteText(isolate, data, size);
  // V8 takes an int, and finds out that a text is too long only afterwards.
  if (size / 3 > static_cast<size_t>(v8::String::kMaxLength) ||
      size > 0x7FFFFFFF) {
    ThrowTextTooLong(isolate);
    return {};
  }
  size_t count = 0;
  Room<uint8_t> bytes(isolate, size);
  if (bytes.units() != nullptr &&
      Utf8ToLatin1(data, size, bytes.units(), &count) == size) {
    NativeMemory memory = bytes.TakeMemory();
    return memory.data() == nullptr
               ? OneByteText(isolate, bytes.units(), count)
               : Made(isolate, ToText(isolate, std::move(memory), count));
  }
  const Room<uint16_t> units(isolate, size);
  if (units.units() != nullptr &&
      Utf8ToUtf16(data, size, units.units(), &count) == size) {
    return Made(isolate, v8::String::NewFromTwoByte(isolate, units.units(),
                                                    v8::NewStringType::kNormal,
                                                    static_cast<int>(count)));
  }
  // The text with a mark for each byte that is not UTF-8.
  return Made(isolate, v8::String::NewFromUtf8(
                           isolate, reinterpret_cast<const char*>(data),
                           v8::NewStringType::kNormal, static_cast<int>(size)));
}

MaybeText Utf16Text(v8::Isolate* isolate, const uint8_t* data, size_t size) {
  const size_t units = size / 2;
  if (IsTooLong(units)) {
    ThrowTextTooLong(isolate);
    return {};
  }
  NativeMemory aligned;
  const bool is_aligned =
      reinterpret_cast<uintptr_t>(data) % alignof(uint16_t) == 0;
  if (!is_aligned) {
    aligned = NativeMemory(isolate, 2 * units);
    if (aligned.data() == nullptr) {
      ThrowNoMemory(isolate);
      return {};
    }
    std::memcpy(aligned.data(), data, 2 * units);
  }
  return Made(
      isolate,
      v8::String::NewFromTwoByte(
          isolate,
          reinterpret_cast<const uint16_t*>(is_aligned ? data : aligned.data()),
          v8::NewStringType::kNormal, static_cast<int>(units)));
}

// The units of a text, piece by piece. `take(units, count)` says whether to go
// on.
template <typename Unit, typename Take>
void EachPiece(v8::Isolate* isolate, v8::Local<v8::String> text, size_t length,
               Take take) {
  // A multiple of four, for Base64.
  constexpr size_t kPiece = 8192;
  if constexpr (sizeof(Unit) == 1) {
    const UnitsInPlace in_place(isolate, text);
    if (in_place.data() != nullptr) {
      for (size_t at = 0; at < length; at += kPiece) {
        const size_t count = std::min(kPiece, length - at);
        if (!take(in_place.data() + at, count)) return;
      }
      return;
    }
  }
  Unit piece[kPiece];
  for (size_t at = 0; at < length; at += kPiece) {
    const size_t count = std::min(kPiece, length - at);
    if constexpr (sizeof(Unit) == 1) {
      WriteOneBytePart(isolate, text, static_cast<int>(at),
                       static_cast<int>(count), piece);
    } else {
      WriteTwoBytePart(isolate, text, static_cast<int>(at),
                       static_cast<int>(count), piece);
    }
    if (!take(piece, count)) return;
  }
}

template <typename Unit>
size_t HexToBytes(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* to,
                  size_t room) {
  size_t written = 0;
  const size_t digits =
      std::min(static_cast<size_t>(text->Length()) / 2, room) * 2;
  EachPiece<Unit>(isolate, text, digits, [&](const Unit* piece, size_t count) {
    const size_t bytes = DecodeHex(piece, count, to + written, room - written);
    written += bytes;
    return bytes == count / 2;
  });
  return written;
}

// All units at once, because a group of letters may begin anywhere.
template <typename Unit>
size_t Base64ToBytes(v8::Isolate* isolate, v8::Local<v8::String> text,
                     uint8_t* to, size_t room) {
  const size_t length = static_cast<size_t>(text->Length());
  if constexpr (sizeof(Unit) == 1) {
    const UnitsInPlace in_place(isolate, text);
    if (in_place.data() != nullptr) {
      return DecodeBase64(in_place.data(), length, to, room);
    }
  }
  constexpr size_t kShort = 1024;
  Unit little[kShort];
  NativeMemory large;
  Unit* units = little;
  if (length > kShort) {
    large = NativeMemory(isolate, length * sizeof(Unit));
    if (large.data() == nullptr) return 0;
    units = reinterpret_cast<Unit*>(large.data());
  }
  if constexpr (sizeof(Unit) == 1) {
    WriteOneByte(isolate, text, units);
  } else {
    WriteTwoByte(isolate, text, units);
  }
  return DecodeBase64(units, length, to, room);
}

size_t Latin1ToBytes(v8::Isolate* isolate, v8::Local<v8::String> text,
                     uint8_t* to, size_t room) {
  const size_t units = std::min(static_cast<size_t>(text->Length()), room);
  WriteOneBytePart(isolate, text, 0, static_cast<int>(units), to);
  return units;
}

size_t Utf16ToBytes(v8::Isolate* isolate, v8::Local<v8::String> text,
                    uint8_t* to, size_t room) {
  const size_t units = std::min(static_cast<size_t>(text->Length()), room / 2);
  if (reinterpret_cast<uintptr_t>(to) % alignof(uint16_t) == 0) {
    WriteTwoBytePart(isolate, text, 0, static_cast<int>(units),
                     reinterpret_cast<uint16_t*>(to));
    return 2 * units;
  }
  EachPiece<uint16_t>(isolate, text, units,
                      [&](const uint16_t* piece, size_t count) {
                        std::memcpy(to, piece, 2 * count);
                        to += 2 * count;
                        return true;
                      });
  return 2 * units;
}

// Whole characters, as long as there is room. Gives the bytes written.
size_t Latin1PieceToUtf8(const uint8_t* piece, size_t count, uint8_t* to,
                         size_t room, size_t* read) {
  if (count + CountHigh(piece, count) <= room) {
    *read = count;
    return Latin1ToUtf8(piece, count, to);
  }
  size_t written = 0;
  size_t i = 0;
  for (; i < count; ++i) {
    const size_t bytes = piece[i] < 0x80 ? 1 : 2;
    if (written + bytes > room) break;
    written += Latin1ToUtf8(piece + i, 1, to + written);
  }
  *read = i;
  return written;
}

}  // namespace

v8::MaybeLocal<v8::String> BytesToText(v8::Isolate* isolate,
                                       const uint8_t* data, size_t size,
                                       TextEncoding encoding) {
  if (size == 0) return v8::String::Empty(isolate);
  switch (encoding) {
    case TextEncoding::kAscii:
      if (IsAscii(data, size)) return OneByteText(isolate, data, size);
      return Written(isolate, size,
                     [&](uint8_t* to) { ToSevenBits(data, size, to); });
    case TextEncoding::kLatin1:
      if (IsTooLong(size)) break;
      return OneByteText(isolate, data, size);
    case TextEncoding::kUtf16:
      return Utf16Text(isolate, data, size);
    case TextEncoding::kHex:
      return Written(isolate, 2 * size,
                     [&](uint8_t* to) { EncodeHex(data, size, to); });
    case TextEncoding::kBase64:
    case TextEncoding::kBase64Url: {
      const bool url = encoding == TextEncoding::kBase64Url;
      const size_t length =
          url ? size / 3 * 4 + (size % 3 == 0 ? 0 : size % 3 + 1)
              : Base64Room(size);
      return Written(isolate, length,
                     [&](uint8_t* to) { EncodeBase64(data, size, url, to); });
    }
    case TextEncoding::kUtf8:
    case TextEncoding::kBuffer:
      return Utf8Text(isolate, data, size);
  }
  ThrowTextTooLong(isolate);
  return {};
}

size_t TextToBytes(v8::Isolate* isolate, v8::Local<v8::String> text,
                   TextEncoding encoding, uint8_t* to, size_t room) {
  if (room == 0) return 0;
  const bool one_byte = text->IsOneByte();
  switch (encoding) {
    case TextEncoding::kAscii:
    case TextEncoding::kLatin1:
      return Latin1ToBytes(isolate, text, to, room);
    case TextEncoding::kUtf16:
      return Utf16ToBytes(isolate, text, to, room);
    case TextEncoding::kHex:
      return one_byte ? HexToBytes<uint8_t>(isolate, text, to, room)
                      : HexToBytes<uint16_t>(isolate, text, to, room);
    case TextEncoding::kBase64:
    case TextEncoding::kBase64Url:
      return one_byte ? Base64ToBytes<uint8_t>(isolate, text, to, room)
                      : Base64ToBytes<uint16_t>(isolate, text, to, room);
    case TextEncoding::kUtf8:
    case TextEncoding::kBuffer:
      break;
  }
  size_t read = 0;
  return TextToUtf8(isolate, text, to, room, &read);
}

// Most texts are one byte a unit, which V8's own function does not use in every
// Node.
size_t TextToUtf8(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* to,
                  size_t room, size_t* read) {
  *read = 0;
  if (!text->IsOneByte()) {
    return WriteUtf8(isolate, text, reinterpret_cast<char*>(to), room, read);
  }
  const auto length = static_cast<size_t>(text->Length());
  if (length <= room) {
    const UnitsInPlace in_place(isolate, text);
    const uint8_t* units = in_place.data();
    if (units != nullptr && length + CountHigh(units, length) <= room) {
      *read = length;
      return Latin1ToUtf8(units, length, to);
    }
  }
  size_t written = 0;
  EachPiece<uint8_t>(isolate, text, length,
                     [&](const uint8_t* piece, size_t count) {
                       size_t done = 0;
                       written += Latin1PieceToUtf8(piece, count, to + written,
                                                    room - written, &done);
                       *read += done;
                       return done == count;
                     });
  return written;
}

size_t TextRoom(v8::Isolate* isolate, v8::Local<v8::String> text,
                TextEncoding encoding) {
  const auto length = static_cast<size_t>(text->Length());
  switch (encoding) {
    case TextEncoding::kAscii:
    case TextEncoding::kLatin1:
      return length;
    case TextEncoding::kUtf16:
      return 2 * length;
    case TextEncoding::kHex:
      return length / 2;
    case TextEncoding::kBase64:
    case TextEncoding::kBase64Url:
      return length / 4 * 3 + 3;
    case TextEncoding::kUtf8:
    case TextEncoding::kBuffer:
      break;
  }
  return LengthInUtf8(isolate, text);
}

size_t LengthInUtf8(v8::Isolate* isolate, v8::Local<v8::String> text) {
  if (text->IsOneByte()) {
    const auto length = static_cast<size_t>(text->Length());
    const UnitsInPlace in_place(isolate, text);
    if (in_place.data() != nullptr) {
      return length + CountHigh(in_place.data(), length);
    }
  }
  return Utf8Length(isolate, text);
}

}  // namespace sloppy::workers

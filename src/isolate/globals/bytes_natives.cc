#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string_view>

#include "base/protocol_gen.h"
#include "isolate/globals/host_natives.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

namespace ByteEncoding = wire::ByteEncoding;

// Characters of a text that are looked at together, on the stack.
constexpr size_t kPiece = 8192;
constexpr int kNotMine = -1;

constexpr char kAlphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kUrlAlphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr char kHexDigits[] = "0123456789abcdef";

using Values = std::array<int8_t, 256>;

constexpr Values MakeSextets() {
  Values values{};
  values.fill(-1);
  for (int i = 0; i < 64; ++i) {
    values[static_cast<uint8_t>(kAlphabet[i])] = static_cast<int8_t>(i);
    values[static_cast<uint8_t>(kUrlAlphabet[i])] = static_cast<int8_t>(i);
  }
  return values;
}

constexpr Values MakeNibbles() {
  Values values{};
  values.fill(-1);
  for (int i = 0; i < 10; ++i) values['0' + i] = static_cast<int8_t>(i);
  for (int i = 0; i < 6; ++i) {
    values['a' + i] = static_cast<int8_t>(10 + i);
    values['A' + i] = static_cast<int8_t>(10 + i);
  }
  return values;
}

constexpr Values kSextets = MakeSextets();
constexpr Values kNibbles = MakeNibbles();

// A whole number from 0 to `most`.
size_t IndexAt(const Info& info, int index, size_t most) {
  const v8::Local<v8::Value> value = info[index];
  if (!value->IsNumber()) return 0;
  const double number = value.As<v8::Number>()->Value();
  if (!(number > 0)) return 0;
  return number >= static_cast<double>(most) ? most
                                             : static_cast<size_t>(number);
}

uint32_t EncodingAt(const Info& info, int index) {
  constexpr uint32_t kUnknown = ~uint32_t{0};
  return info[index]->IsUint32() ? info[index].As<v8::Uint32>()->Value()
                                 : kUnknown;
}

void ThrowTooLong(v8::Isolate* isolate) {
  isolate->ThrowException(v8::Exception::RangeError(
      v8::String::NewFromUtf8Literal(isolate, "Invalid string length")));
}

void Return(const Info& info, v8::MaybeLocal<v8::String> made) {
  v8::Local<v8::String> text;
  if (made.ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  } else {
    ThrowTooLong(info.GetIsolate());
  }
}

v8::MaybeLocal<v8::String> OneByte(v8::Isolate* isolate, const uint8_t* data,
                                   size_t size) {
  return v8::String::NewFromOneByte(isolate, data, v8::NewStringType::kNormal,
                                    static_cast<int>(size));
}

size_t HexTo(uint8_t* to, const uint8_t* data, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    to[2 * i] = static_cast<uint8_t>(kHexDigits[data[i] >> 4]);
    to[2 * i + 1] = static_cast<uint8_t>(kHexDigits[data[i] & 15]);
  }
  return 2 * size;
}

size_t Base64To(uint8_t* to, const uint8_t* data, size_t size, bool url) {
  const char* alphabet = url ? kUrlAlphabet : kAlphabet;
  uint8_t* out = to;
  const auto put = [&out, alphabet](uint32_t sextet) {
    *out++ = static_cast<uint8_t>(alphabet[sextet & 63]);
  };
  size_t i = 0;
  for (; i + 3 <= size; i += 3) {
    const uint32_t bits = static_cast<uint32_t>(data[i]) << 16 |
                          static_cast<uint32_t>(data[i + 1]) << 8 | data[i + 2];
    put(bits >> 18);
    put(bits >> 12);
    put(bits >> 6);
    put(bits);
  }
  const size_t rest = size - i;
  if (rest == 0) return static_cast<size_t>(out - to);
  const uint32_t bits = static_cast<uint32_t>(data[i]) << 16 |
                        (rest == 2 ? data[i + 1] : 0U) << 8;
  put(bits >> 18);
  put(bits >> 12);
  if (rest == 2) put(bits >> 6);
  if (!url) {
    for (size_t k = rest; k < 3; ++k) *out++ = '=';
  }
  return static_cast<size_t>(out - to);
}

size_t AsciiTo(uint8_t* to, const uint8_t* data, size_t size) {
  for (size_t i = 0; i < size; ++i) to[i] = data[i] & 0x7F;
  return size;
}

// A text that takes a copy of up to `room` bytes to make.
template <typename Write>
void ReturnWritten(const Info& info, size_t room, Write write) {
  constexpr size_t kOnStack = 1024;
  uint8_t little[kOnStack];
  std::unique_ptr<uint8_t[]> large;
  uint8_t* to = little;
  if (room > kOnStack) {
    large.reset(new (std::nothrow) uint8_t[room]);
    to = large.get();
    if (to == nullptr) return ThrowTooLong(info.GetIsolate());
  }
  Return(info, OneByte(info.GetIsolate(), to, write(to)));
}

void ReturnUtf16(const Info& info, const uint8_t* data, size_t size) {
  const size_t units = size / 2;
  std::unique_ptr<uint16_t[]> aligned;
  if (reinterpret_cast<uintptr_t>(data) % alignof(uint16_t) != 0) {
    aligned.reset(new (std::nothrow) uint16_t[units]);
    if (aligned == nullptr) return ThrowTooLong(info.GetIsolate());
    std::memcpy(aligned.get(), data, 2 * units);
  }
  Return(info, v8::String::NewFromTwoByte(
                   info.GetIsolate(),
                   aligned != nullptr ? aligned.get()
                                      : reinterpret_cast<const uint16_t*>(data),
                   v8::NewStringType::kNormal, static_cast<int>(units)));
}

bool HasC1(const uint8_t* data, size_t size) {
  return std::any_of(data, data + size,
                     [](uint8_t byte) { return (byte & 0xE0) == 0x80; });
}

// bytesToText(bytes, encoding, start, end) → text, undefined for Windows 1252
// that is not Latin 1
void BytesToText(const Info& info) {
  const ViewBytes bytes(info[0]);
  if (!bytes.Check(info.GetIsolate())) return;
  const size_t end = IndexAt(info, 3, bytes.size());
  const size_t start = IndexAt(info, 2, end);
  const uint8_t* data = bytes.data() + start;
  const size_t size = end - start;
  if (size == 0) return info.GetReturnValue().SetEmptyString();
  // Twice as much, in hexadecimal digits, still counts as an int.
  if (size > std::numeric_limits<int>::max() / 2) {
    return ThrowTooLong(info.GetIsolate());
  }
  switch (const uint32_t encoding = EncodingAt(info, 1)) {
    case ByteEncoding::kWindows1252:
      if (HasC1(data, size)) return;
      [[fallthrough]];
    case ByteEncoding::kLatin1:
      return Return(info, OneByte(info.GetIsolate(), data, size));
    case ByteEncoding::kAscii:
      return ReturnWritten(info, size, [data, size](uint8_t* to) {
        return AsciiTo(to, data, size);
      });
    case ByteEncoding::kUtf16:
      return ReturnUtf16(info, data, size);
    case ByteEncoding::kHex:
      return ReturnWritten(info, 2 * size, [data, size](uint8_t* to) {
        return HexTo(to, data, size);
      });
    case ByteEncoding::kBase64:
    case ByteEncoding::kBase64Url:
      return ReturnWritten(
          info, (size + 2) / 3 * 4, [data, size, encoding](uint8_t* to) {
            return Base64To(to, data, size,
                            encoding == ByteEncoding::kBase64Url);
          });
    case ByteEncoding::kUtf8:
      return Return(info,
                    v8::String::NewFromUtf8(
                        info.GetIsolate(), reinterpret_cast<const char*>(data),
                        v8::NewStringType::kNormal, static_cast<int>(size)));
    default:
      return;
  }
}

// The characters of a text, piece by piece.
template <typename Take>
void EachPiece(v8::Isolate* isolate, v8::Local<v8::String> text, size_t length,
               Take take) {
  uint8_t piece[kPiece];
  for (size_t at = 0; at < length; at += kPiece) {
    const size_t count = std::min(kPiece, length - at);
    WriteOneBytePart(isolate, text, static_cast<int>(at),
                     static_cast<int>(count), piece);
    if (!take(piece, count)) return;
  }
}

// As far as the digits are some.
int WriteHex(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* to,
             size_t room) {
  const size_t digits =
      std::min(static_cast<size_t>(text->Length()) / 2, room) * 2;
  size_t written = 0;
  EachPiece(isolate, text, digits, [&](const uint8_t* piece, size_t count) {
    for (size_t i = 0; i < count; i += 2) {
      const int high = kNibbles[piece[i]];
      const int low = kNibbles[piece[i + 1]];
      if (high < 0 || low < 0) return false;
      to[written++] = static_cast<uint8_t>(high << 4 | low);
    }
    return true;
  });
  return static_cast<int>(written);
}

// Without white space and other characters that Node passes over.
int WriteBase64(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* to,
                size_t room) {
  size_t length = static_cast<size_t>(text->Length());
  uint8_t last[2] = {0, 0};
  if (length >= 2) {
    WriteOneBytePart(isolate, text, static_cast<int>(length - 2), 2, last);
    if (last[1] == '=') length -= last[0] == '=' ? 2 : 1;
  }
  if (length % 4 == 1 || length / 4 * 3 + length % 4 * 3 / 4 > room) {
    return kNotMine;
  }
  size_t written = 0;
  uint32_t bits = 0;
  size_t held = 0;
  bool is_mine = true;
  EachPiece(isolate, text, length, [&](const uint8_t* piece, size_t count) {
    size_t i = 0;
    // Pieces are multiples of four.
    for (; i + 4 <= count; i += 4) {
      const int a = kSextets[piece[i]];
      const int b = kSextets[piece[i + 1]];
      const int c = kSextets[piece[i + 2]];
      const int d = kSextets[piece[i + 3]];
      if ((a | b | c | d) < 0) return is_mine = false;
      const auto four = static_cast<uint32_t>(a << 18 | b << 12 | c << 6 | d);
      to[written++] = static_cast<uint8_t>(four >> 16);
      to[written++] = static_cast<uint8_t>(four >> 8);
      to[written++] = static_cast<uint8_t>(four);
    }
    for (; i < count; ++i, ++held) {
      const int value = kSextets[piece[i]];
      if (value < 0) return is_mine = false;
      bits = bits << 6 | static_cast<uint32_t>(value);
    }
    return true;
  });
  if (!is_mine) return kNotMine;
  if (held == 2) to[written++] = static_cast<uint8_t>(bits >> 4);
  if (held == 3) {
    to[written++] = static_cast<uint8_t>(bits >> 10);
    to[written++] = static_cast<uint8_t>(bits >> 2);
  }
  return static_cast<int>(written);
}

int WriteUtf16(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* to,
               size_t room) {
  const size_t units = std::min(static_cast<size_t>(text->Length()), room / 2);
  uint16_t piece[kPiece];
  for (size_t at = 0; at < units; at += kPiece) {
    const size_t count = std::min(kPiece, units - at);
    WriteTwoBytePart(isolate, text, static_cast<int>(at),
                     static_cast<int>(count), piece);
    std::memcpy(to + 2 * at, piece, 2 * count);
  }
  return static_cast<int>(2 * units);
}

int WriteText(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* to,
              size_t room, uint32_t encoding) {
  // Node writes the low byte of each unit, for ASCII as well.
  if (encoding == ByteEncoding::kLatin1 || encoding == ByteEncoding::kAscii) {
    const size_t units = std::min(static_cast<size_t>(text->Length()), room);
    WriteOneBytePart(isolate, text, 0, static_cast<int>(units), to);
    return static_cast<int>(units);
  }
  if (encoding == ByteEncoding::kUtf16)
    return WriteUtf16(isolate, text, to, room);
  // Low bytes of other characters would look like digits.
  if (!text->ContainsOnlyOneByte()) return kNotMine;
  if (encoding == ByteEncoding::kHex) return WriteHex(isolate, text, to, room);
  if (encoding == ByteEncoding::kBase64 ||
      encoding == ByteEncoding::kBase64Url) {
    return WriteBase64(isolate, text, to, room);
  }
  return kNotMine;
}

// writeText(text, bytes, encoding, start, end) → bytes written, -1 for a text
// that this decoder does not know
void WriteTextTo(const Info& info) {
  info.GetReturnValue().Set(kNotMine);
  if (!info[0]->IsString() || !info[1]->IsArrayBufferView()) return;
  auto view = info[1].As<v8::ArrayBufferView>();
  const size_t end = IndexAt(info, 4, view->ByteLength());
  const size_t start = IndexAt(info, 3, end);
  if (end == start) return info.GetReturnValue().Set(0);
  v8::Local<v8::ArrayBuffer> buffer = view->Buffer();
  uint8_t* data = static_cast<uint8_t*>(buffer->Data()) + view->ByteOffset();
  info.GetReturnValue().Set(WriteText(info.GetIsolate(),
                                      info[0].As<v8::String>(), data + start,
                                      end - start, EncodingAt(info, 2)));
}

// utf8Length(text) → bytes
void Utf8LengthOf(const Info& info) {
  info.GetReturnValue().Set(static_cast<double>(
      Utf8Length(info.GetIsolate(), info[0].As<v8::String>())));
}

// compareBytes(a, b) → -1, 0 or 1
void CompareBytes(const Info& info) {
  const ViewBytes a(info[0]);
  const ViewBytes b(info[1]);
  if (!a.Check(info.GetIsolate()) || !b.Check(info.GetIsolate())) return;
  const size_t common = std::min(a.size(), b.size());
  int order = common == 0 ? 0 : std::memcmp(a.data(), b.data(), common);
  if (order == 0) order = (a.size() > b.size()) - (a.size() < b.size());
  info.GetReturnValue().Set((order > 0) - (order < 0));
}

// findBytes(bytes, wanted, from) → index, -1 if there is none
void FindBytes(const Info& info) {
  const ViewBytes bytes(info[0]);
  if (!bytes.Check(info.GetIsolate())) return;
  const ViewBytes wanted(info[1]);
  if (!wanted.Check(info.GetIsolate())) return;
  const size_t from = IndexAt(info, 2, bytes.size());
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()),
                             bytes.size());
  const size_t found =
      all.find(std::string_view(reinterpret_cast<const char*>(wanted.data()),
                                wanted.size()),
               from);
  info.GetReturnValue().Set(
      found == std::string_view::npos ? -1.0 : static_cast<double>(found));
}

constexpr NativeFunction kNatives[] = {
    {"bytesToText", BytesToText}, {"writeText", WriteTextTo},
    {"utf8Length", Utf8LengthOf}, {"compareBytes", CompareBytes},
    {"findBytes", FindBytes},
};

}  // namespace

NativeFunctions BytesNatives() { return kNatives; }

}  // namespace sloppy::workers

#include "isolate/bindings/byte_codecs.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "isolate/bindings/wide_codecs.h"
#include "isolate/bindings/wide_decoders.h"

namespace sloppy::workers {
namespace {

constexpr char kAlphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kUrlAlphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr char kHexDigits[] = "0123456789abcdef";

using Values = std::array<int8_t, 256>;

constexpr Values MakeSextets(bool both) {
  Values values{};
  values.fill(-1);
  for (int i = 0; i < 64; ++i) {
    values[static_cast<uint8_t>(kAlphabet[i])] = static_cast<int8_t>(i);
    if (both) {
      values[static_cast<uint8_t>(kUrlAlphabet[i])] = static_cast<int8_t>(i);
    }
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

constexpr Values kSextets = MakeSextets(true);
constexpr Values kStrictSextets = MakeSextets(false);
constexpr Values kNibbles = MakeNibbles();

// Two digits for each byte, as they lie in memory.
constexpr auto kHexPairs = [] {
  std::array<std::array<uint8_t, 2>, 256> pairs{};
  for (size_t i = 0; i < 256; ++i) {
    pairs[i] = {static_cast<uint8_t>(kHexDigits[i >> 4]),
                static_cast<uint8_t>(kHexDigits[i & 15])};
  }
  return pairs;
}();

// The value of a unit in a table, -1 where it is not a byte.
template <typename Unit>
int ValueOf(const Values& values, Unit unit) {
  if constexpr (sizeof(Unit) > 1) {
    if (unit > 0xFF) return -1;
  }
  return values[static_cast<uint8_t>(unit)];
}

bool IsSpace(uint8_t unit) {
  return unit == ' ' || unit == '\t' || unit == '\n' || unit == '\f' ||
         unit == '\r';
}

// Bits that are not whole bytes yet.
class Bits {
 public:
  explicit Bits(uint8_t* to, size_t room) : to_(to), room_(room) {}

  // False when there is no more room.
  bool Put(int sextet) {
    bits_ = bits_ << 6 | static_cast<uint32_t>(sextet);
    if (++held_ == 1) return written_ < room_;
    if (written_ == room_) return false;
    to_[written_++] = static_cast<uint8_t>(bits_ >> (8 - 2 * held_));
    held_ &= 3;
    return true;
  }
  bool AtGroup() const { return held_ == 0; }
  size_t written() const { return written_; }
  size_t room() const { return room_ - written_; }
  uint8_t* end() const { return to_ + written_; }
  void Skip(size_t bytes) { written_ += bytes; }

 private:
  uint8_t* const to_;
  const size_t room_;
  size_t written_ = 0;
  uint32_t bits_ = 0;
  uint32_t held_ = 0;
};

// Whole groups of letters of the alphabet, or of both. Gives the letters read.
template <typename Unit>
size_t TakeGroups(const Unit* letters, size_t length, bool both, Bits* bits) {
  const Values& values = both ? kSextets : kStrictSextets;
  size_t i = 0;
  if constexpr (sizeof(Unit) == 1) {
    uint8_t* end = bits->end();
    i = DecodeBase64Wide(letters, length, both, &end, bits->room());
    bits->Skip(static_cast<size_t>(end - bits->end()));
  }
  for (; i + 4 <= length && bits->room() >= 3; i += 4) {
    const int a = ValueOf(values, letters[i]);
    const int b = ValueOf(values, letters[i + 1]);
    const int c = ValueOf(values, letters[i + 2]);
    const int d = ValueOf(values, letters[i + 3]);
    if ((a | b | c | d) < 0) break;
    const auto four = static_cast<uint32_t>(a << 18 | b << 12 | c << 6 | d);
    uint8_t* at = bits->end();
    at[0] = static_cast<uint8_t>(four >> 16);
    at[1] = static_cast<uint8_t>(four >> 8);
    at[2] = static_cast<uint8_t>(four);
    bits->Skip(3);
  }
  return i;
}

}  // namespace

size_t EncodeBase64(const uint8_t* data, size_t size, bool url, uint8_t* to) {
  const char* alphabet = url ? kUrlAlphabet : kAlphabet;
  uint8_t* out = to;
  size_t i = EncodeBase64Wide(data, size, url, &out);
  const auto put = [&out, alphabet](uint32_t sextet) {
    *out++ = static_cast<uint8_t>(alphabet[sextet & 63]);
  };
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

size_t EncodeHex(const uint8_t* data, size_t size, uint8_t* to) {
  for (size_t i = 0; i < size; ++i) {
    std::memcpy(to + 2 * i, kHexPairs[data[i]].data(), 2);
  }
  return 2 * size;
}

template <typename Unit>
size_t DecodeBase64(const Unit* letters, size_t length, uint8_t* to,
                    size_t room) {
  Bits bits(to, room);
  size_t i = 0;
  while (i < length) {
    if (bits.AtGroup()) {
      // Whole groups of letters, which is what most texts are.
      i += TakeGroups(letters + i, length - i, true, &bits);
      if (i == length) break;
    }
    const Unit letter = letters[i++];
    if (letter == '=') break;
    const int value = ValueOf(kSextets, letter);
    if (value >= 0 && !bits.Put(value)) break;
  }
  return bits.written();
}

template size_t DecodeBase64(const uint8_t*, size_t, uint8_t*, size_t);
template size_t DecodeBase64(const uint16_t*, size_t, uint8_t*, size_t);

template <typename Unit>
size_t DecodeHex(const Unit* digits, size_t length, uint8_t* to, size_t room) {
  const size_t pairs = std::min(length / 2, room);
  for (size_t i = 0; i < pairs; ++i) {
    const int high = ValueOf(kNibbles, digits[2 * i]);
    const int low = ValueOf(kNibbles, digits[2 * i + 1]);
    if ((high | low) < 0) return i;
    to[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return pairs;
}

template size_t DecodeHex(const uint8_t*, size_t, uint8_t*, size_t);
template size_t DecodeHex(const uint16_t*, size_t, uint8_t*, size_t);

int64_t DecodeForgiving(const uint8_t* letters, size_t length, uint8_t* to) {
  Bits bits(to, length);
  size_t count = 0;
  size_t padding = 0;
  for (size_t i = 0; i < length; ++i) {
    if (bits.AtGroup() && padding == 0) {
      const size_t read = TakeGroups(letters + i, length - i, false, &bits);
      count += read;
      i += read;
      if (i == length) break;
    }
    const uint8_t letter = letters[i];
    if (IsSpace(letter)) continue;
    if (letter == '=') {
      if (++padding > 2) return kBadLetter;
      continue;
    }
    const int value = kStrictSextets[letter];
    if (value < 0 || padding > 0) return kBadLetter;
    bits.Put(value);
    ++count;
  }
  if (count % 4 == 1) return kOneLetterLeft;
  if (padding > 0 && (count + padding) % 4 != 0) return kBadLetter;
  return static_cast<int64_t>(bits.written());
}

}  // namespace sloppy::workers

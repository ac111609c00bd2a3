#include "isolate/bindings/utf8.h"

#include <algorithm>
#include <cstring>

#include "isolate/bindings/wide_codecs.h"
#include "isolate/bindings/wide_decoders.h"
#include "isolate/libraries/simdutf.h"

namespace sloppy::workers {
namespace {

// nullptr where simdutf is not there, and for texts that are read before its
// functions are found and called.
const Simdutf* SimdutfFor(size_t size) {
  constexpr size_t kWorthIt = 64;
  return size < kWorthIt ? nullptr : FindSimdutf();
}
const char* AsChars(const uint8_t* data) {
  return reinterpret_cast<const char*>(data);
}

constexpr uint64_t kHighBits = 0x8080808080808080u;

// The number of continuation bytes that follow `lead`, and the bounds of the
// first of them (Unicode, table 3-7). -1 for a byte that starts no character.
struct Sequence {
  int rest;
  uint8_t low;
  uint8_t high;
};

Sequence SequenceOf(uint8_t lead) {
  if (lead < 0x80) return {0, 0, 0};
  if (lead < 0xC2) return {-1, 0, 0};
  if (lead < 0xE0) return {1, 0x80, 0xBF};
  if (lead == 0xE0) return {2, 0xA0, 0xBF};
  if (lead == 0xED) return {2, 0x80, 0x9F};
  if (lead < 0xF0) return {2, 0x80, 0xBF};
  if (lead == 0xF0) return {3, 0x90, 0xBF};
  if (lead < 0xF4) return {3, 0x80, 0xBF};
  if (lead == 0xF4) return {3, 0x80, 0x8F};
  return {-1, 0, 0};
}

uint64_t WordAt(const uint8_t* data) {
  uint64_t word;
  std::memcpy(&word, data, sizeof(word));
  return word;
}

size_t SkipAscii(const uint8_t* data, size_t size) {
  size_t i = 0;
  while (i + 32 <= size && ((WordAt(data + i) | WordAt(data + i + 8) |
                             WordAt(data + i + 16) | WordAt(data + i + 24)) &
                            kHighBits) == 0) {
    i += 32;
  }
  while (i < size && data[i] < 0x80) ++i;
  return i;
}

// One character. Gives how many bytes it has, 0 for what is not UTF-8.
// REQUIRES: size > 0.
size_t ReadCharacter(const uint8_t* data, size_t size, uint32_t* code) {
  const uint8_t lead = data[0];
  const Sequence sequence = SequenceOf(lead);
  if (sequence.rest == 0) {
    *code = lead;
    return 1;
  }
  if (sequence.rest < 0 || size <= static_cast<size_t>(sequence.rest)) return 0;
  if (data[1] < sequence.low || data[1] > sequence.high) return 0;
  uint32_t value = lead & (0x3Fu >> sequence.rest);
  value = value << 6 | (data[1] & 0x3Fu);
  for (int k = 2; k <= sequence.rest; ++k) {
    if ((data[k] & 0xC0) != 0x80) return 0;
    value = value << 6 | (data[k] & 0x3Fu);
  }
  *code = value;
  return static_cast<size_t>(sequence.rest) + 1;
}

// The place where the wide functions are tried again after one has stopped.
size_t EndOfPart(size_t from, size_t size) {
  constexpr size_t kPart = 32;
  return from + std::min(kPart, size - from);
}

}  // namespace

bool IsAscii(const uint8_t* data, size_t size) {
  return SkipAscii(data, size) == size;
}

bool IsUtf8(const uint8_t* data, size_t size) {
  if (const Simdutf* simdutf = SimdutfFor(size)) {
    return simdutf->validate_utf8(AsChars(data), size);
  }
  size_t i = 0;
  while (i < size) {
    i += SkipUtf8Wide(data + i, size - i);
    uint32_t code;
    for (const size_t end = EndOfPart(i, size); i < end;) {
      const size_t read = ReadCharacter(data + i, size - i, &code);
      if (read == 0) return false;
      i += read;
    }
  }
  return true;
}

size_t CountHigh(const uint8_t* data, size_t size) {
  if (const Simdutf* simdutf = SimdutfFor(size)) {
    return simdutf->utf8_length_from_latin1(AsChars(data), size) - size;
  }
  size_t count = 0;
  size_t i = CountHighWide(data, size, &count);
  for (; i < size; ++i) count += data[i] >> 7;
  return count;
}

void ToSevenBits(const uint8_t* data, size_t size, uint8_t* to) {
  size_t i = 0;
  for (; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
    const uint64_t word = WordAt(data + i) & ~kHighBits;
    std::memcpy(to + i, &word, sizeof(word));
  }
  for (; i < size; ++i) to[i] = data[i] & 0x7F;
}

size_t Latin1ToUtf8(const uint8_t* data, size_t size, uint8_t* to) {
  if (const Simdutf* simdutf = SimdutfFor(size)) {
    return simdutf->convert_latin1_to_utf8(AsChars(data), size,
                                           reinterpret_cast<char*>(to));
  }
  uint8_t* out = to;
  for (size_t i = Latin1ToUtf8Wide(data, size, &out); i < size; ++i) {
    if (data[i] < 0x80) {
      *out++ = data[i];
    } else {
      *out++ = static_cast<uint8_t>(0xC0 | data[i] >> 6);
      *out++ = static_cast<uint8_t>(0x80 | (data[i] & 0x3F));
    }
  }
  return static_cast<size_t>(out - to);
}

size_t Utf8ToLatin1(const uint8_t* data, size_t size, uint8_t* to,
                    size_t* units) {
  if (const Simdutf* simdutf = SimdutfFor(size)) {
    *units = simdutf->convert_utf8_to_latin1(AsChars(data), size,
                                             reinterpret_cast<char*>(to));
    if (*units > 0) return size;
  }
  uint8_t* out = to;
  size_t i = 0;
  bool is_latin1 = true;
  while (i < size && is_latin1) {
    i += Utf8ToLatin1Wide(data + i, size - i, &out);
    uint32_t code;
    for (const size_t end = EndOfPart(i, size); i < end;) {
      const size_t read = ReadCharacter(data + i, size - i, &code);
      is_latin1 = read > 0 && code <= 0xFF;
      if (!is_latin1) break;
      *out++ = static_cast<uint8_t>(code);
      i += read;
    }
  }
  *units = static_cast<size_t>(out - to);
  return i;
}

size_t Utf8ToUtf16(const uint8_t* data, size_t size, uint16_t* to,
                   size_t* units) {
  if (const Simdutf* simdutf = SimdutfFor(size)) {
    *units = simdutf->convert_utf8_to_utf16le(AsChars(data), size,
                                              reinterpret_cast<char16_t*>(to));
    if (*units > 0) return size;
  }
  uint16_t* out = to;
  size_t i = 0;
  bool is_valid = true;
  while (i < size && is_valid) {
    i += Utf8ToUtf16Wide(data + i, size - i, &out);
    uint32_t code;
    for (const size_t end = EndOfPart(i, size); i < end;) {
      const size_t read = ReadCharacter(data + i, size - i, &code);
      is_valid = read > 0;
      if (!is_valid) break;
      i += read;
      if (code <= 0xFFFF) {
        *out++ = static_cast<uint16_t>(code);
      } else {
        *out++ = static_cast<uint16_t>(0xD7C0 + (code >> 10));
        *out++ = static_cast<uint16_t>(0xDC00 | (code & 0x3FF));
      }
    }
  }
  *units = static_cast<size_t>(out - to);
  return i;
}

}  // namespace sloppy::workers

#include "isolate/bindings/wide_codecs.h"

#include <algorithm>
#include <cstring>

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define SW_WIDE_X64 1
#endif

namespace sloppy::workers {
namespace {

#if SW_WIDE_X64

// For each pattern of high bits in 8 bytes, which of the 16 bytes that they
// could become are there.
struct Kept {
  uint8_t index[256][16];
  uint8_t count[256];
};
constexpr Kept MakeKept() {
  Kept kept{};
  for (int pattern = 0; pattern < 256; ++pattern) {
    int n = 0;
    for (int i = 0; i < 8; ++i) {
      if ((pattern >> i & 1) != 0) {
        kept.index[pattern][n++] = static_cast<uint8_t>(2 * i);
      }
      kept.index[pattern][n++] = static_cast<uint8_t>(2 * i + 1);
    }
    kept.count[pattern] = static_cast<uint8_t>(n);
    for (int i = n; i < 16; ++i) kept.index[pattern][i] = 0x80;
  }
  return kept;
}
constexpr Kept kKept = MakeKept();

__attribute__((target("ssse3"))) size_t Latin1ToUtf8Ssse3(const uint8_t* data,
                                                          size_t size,
                                                          uint8_t** to) {
  uint8_t* out = *to;
  size_t i = 0;
  // Each store writes 16 bytes: the 16 that come after are written by what
  // follows.
  while (i + 48 <= size) {
    const __m128i in =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(in));
    i += 16;
    if (mask == 0) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out), in);
      out += 16;
      continue;
    }
    // The lead is 0xC2, or 0xC3 from 0xC0 on; the trail has no bit 6.
    const __m128i is_high = _mm_cmplt_epi8(in, _mm_setzero_si128());
    const __m128i lead =
        _mm_or_si128(_mm_set1_epi8(static_cast<char>(0xC2)),
                     _mm_and_si128(_mm_srli_epi16(in, 6), _mm_set1_epi8(1)));
    const __m128i trail =
        _mm_andnot_si128(_mm_and_si128(is_high, _mm_set1_epi8(0x40)), in);
    const auto put = [&out](__m128i both, unsigned pattern)
        __attribute__((target("ssse3"))) {
      const __m128i index = _mm_loadu_si128(
          reinterpret_cast<const __m128i*>(kKept.index[pattern]));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                       _mm_shuffle_epi8(both, index));
      out += kKept.count[pattern];
    };
    put(_mm_unpacklo_epi8(lead, trail), mask & 0xFF);
    put(_mm_unpackhi_epi8(lead, trail), mask >> 8);
  }
  *to = out;
  return i;
}

#endif

// Sixteen bytes without a high bit at a time.
[[maybe_unused]] size_t CopyAscii(const uint8_t* data, size_t size,
                                  uint8_t** to) {
  size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    uint64_t words[2];
    std::memcpy(words, data + i, sizeof(words));
    if (((words[0] | words[1]) & 0x8080808080808080u) != 0) break;
    std::memcpy(*to + i, words, sizeof(words));
  }
  *to += i;
  return i;
}

}  // namespace

size_t Latin1ToUtf8Wide(const uint8_t* data, size_t size, uint8_t** to) {
#if SW_WIDE_X64
  static const bool has_ssse3 = __builtin_cpu_supports("ssse3") != 0;
  if (has_ssse3) return Latin1ToUtf8Ssse3(data, size, to);
#endif
  return CopyAscii(data, size, to);
}

size_t CountHighWide(const uint8_t* data, size_t size, size_t* count) {
  size_t i = 0;
#if SW_WIDE_X64
  const __m128i zero = _mm_setzero_si128();
  while (i + 16 <= size) {
    // A byte counts up to 255.
    const size_t end = i + std::min<size_t>((size - i) / 16, 255) * 16;
    __m128i each = zero;
    for (; i < end; i += 16) {
      const __m128i in =
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i));
      each = _mm_sub_epi8(each, _mm_cmplt_epi8(in, zero));
    }
    const __m128i sums = _mm_sad_epu8(each, zero);
    *count += static_cast<size_t>(_mm_cvtsi128_si64(sums)) +
              static_cast<size_t>(_mm_extract_epi16(sums, 4));
  }
#else
  for (; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, data + i, sizeof(word));
    // One in each byte, added up in the highest of them.
    *count += (word >> 7 & 0x0101010101010101u) * 0x0101010101010101u >> 56;
  }
#endif
  return i;
}

}  // namespace sloppy::workers

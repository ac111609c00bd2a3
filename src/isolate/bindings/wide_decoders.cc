#include "isolate/bindings/wide_decoders.h"

#include <cstring>

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define SW_WIDE_X64 1
#define SW_SSSE3 __attribute__((target("ssse3")))
#endif

namespace sloppy::workers {

#if SW_WIDE_X64
namespace {

// The lanes of eight that stay, as a shuffle that moves them together. A lane
// is `kWidth` bytes wide.
template <int kWidth>
struct Compaction {
  uint8_t index[256][8 * kWidth];
  uint8_t count[256];
};
template <int kWidth>
constexpr Compaction<kWidth> MakeCompaction() {
  Compaction<kWidth> kept{};
  for (int pattern = 0; pattern < 256; ++pattern) {
    int n = 0;
    for (int lane = 0; lane < 8; ++lane) {
      if ((pattern >> lane & 1) == 0) continue;
      for (int byte = 0; byte < kWidth; ++byte) {
        kept.index[pattern][n * kWidth + byte] =
            static_cast<uint8_t>(lane * kWidth + byte);
      }
      ++n;
    }
    kept.count[pattern] = static_cast<uint8_t>(n);
  }
  return kept;
}
constexpr Compaction<1> kKeptBytes = MakeCompaction<1>();
constexpr Compaction<2> kKeptUnits = MakeCompaction<2>();

SW_SSSE3 inline __m128i LoadBytes(const uint8_t* data) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
}

SW_SSSE3 inline __m128i EachByte(int byte) {
  return _mm_set1_epi8(static_cast<char>(byte));
}

// All bits of each byte that is in the range.
SW_SSSE3 inline __m128i InRange(__m128i bytes, int low, int high) {
  const __m128i clamped =
      _mm_max_epu8(_mm_min_epu8(bytes, EachByte(high)), EachByte(low));
  return _mm_cmpeq_epi8(bytes, clamped);
}

SW_SSSE3 inline unsigned HighBits(__m128i bytes) {
  return static_cast<unsigned>(_mm_movemask_epi8(bytes));
}

// Sixteen bytes of UTF-8 and those before them.
struct Block {
  __m128i bytes;
  // One byte back, and two.
  __m128i one;
  __m128i two;
  // All bits of a byte that continues a character, and of one whose character
  // began two bytes before.
  __m128i continues;
  __m128i is_third;
  bool valid;

  // Unicode, table 3-7, for what begins with 00 to EF.
  SW_SSSE3 Block(__m128i before, __m128i now)
      : bytes(now),
        one(_mm_alignr_epi8(now, before, 15)),
        two(_mm_alignr_epi8(now, before, 14)),
        continues(InRange(now, 0x80, 0xBF)),
        is_third(InRange(two, 0xE0, 0xEF)) {
    const __m128i expected = _mm_or_si128(InRange(one, 0xC2, 0xEF), is_third);
    const __m128i misplaced = _mm_xor_si128(continues, expected);
    const __m128i no_lead =
        _mm_or_si128(InRange(now, 0xC0, 0xC1), InRange(now, 0xF0, 0xFF));
    // Faults: too long a form of a character, and half of a surrogate pair.
    const __m128i too_long = _mm_and_si128(_mm_cmpeq_epi8(one, EachByte(0xE0)),
                                           InRange(now, 0x80, 0x9F));
    const __m128i surrogate = _mm_and_si128(_mm_cmpeq_epi8(one, EachByte(0xED)),
                                            InRange(now, 0xA0, 0xBF));
    valid = HighBits(_mm_or_si128(_mm_or_si128(misplaced, no_lead),
                                  _mm_or_si128(too_long, surrogate))) == 0;
  }

  // A bit for each byte that ends a character.
  SW_SSSE3 unsigned Ends() const {
    const __m128i second_of_three = InRange(one, 0xE0, 0xEF);
    const __m128i lead = InRange(bytes, 0xC0, 0xFF);
    return ~HighBits(_mm_or_si128(lead, second_of_three)) & 0xFFFF;
  }
};

// Calls `take(block, at)` for one block after another until one is not valid
// or not wanted. Gives where the first character begins that was not taken
// whole.
template <typename Take>
SW_SSSE3 inline size_t EachBlock(const uint8_t* data, size_t size, Take take) {
  __m128i before = _mm_setzero_si128();
  size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m128i now = LoadBytes(data + i);
    const Block block(before, now);
    if (!block.valid || !take(block)) break;
    before = now;
  }
  if (i == 0) return 0;
  if (data[i - 1] >= 0xC0) return i - 1;
  return data[i - 2] >= 0xE0 ? i - 2 : i;
}

SW_SSSE3 inline void PutUnits(__m128i units, unsigned ends, uint16_t** to) {
  const __m128i kept =
      _mm_shuffle_epi8(units, LoadBytes(kKeptUnits.index[ends]));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(*to), kept);
  *to += kKeptUnits.count[ends];
}

SW_SSSE3 size_t Utf8ToUtf16Ssse3(const uint8_t* data, size_t size,
                                 uint16_t** to) {
  const __m128i zero = _mm_setzero_si128();
  return EachBlock(data, size, [&](const Block& block) SW_SSSE3 {
    // The bits of a unit by the byte that they come from.
    const __m128i low = _mm_and_si128(
        block.bytes,
        _mm_sub_epi8(EachByte(0x7F),
                     _mm_and_si128(block.continues, EachByte(0x40))));
    const __m128i middle = _mm_and_si128(
        _mm_and_si128(block.one, block.continues),
        _mm_add_epi8(EachByte(0x1F),
                     _mm_and_si128(block.is_third, EachByte(0x20))));
    const __m128i high =
        _mm_and_si128(_mm_and_si128(block.two, block.is_third), EachByte(0x0F));
    const unsigned ends = block.Ends();
    PutUnits(_mm_or_si128(_mm_or_si128(_mm_unpacklo_epi8(low, zero),
                                       _mm_slli_epi16(
                                           _mm_unpacklo_epi8(middle, zero), 6)),
                          _mm_slli_epi16(_mm_unpacklo_epi8(high, zero), 12)),
             ends & 0xFF, to);
    PutUnits(_mm_or_si128(_mm_or_si128(_mm_unpackhi_epi8(low, zero),
                                       _mm_slli_epi16(
                                           _mm_unpackhi_epi8(middle, zero), 6)),
                          _mm_slli_epi16(_mm_unpackhi_epi8(high, zero), 12)),
             ends >> 8, to);
    return true;
  });
}

SW_SSSE3 inline void PutBytes(__m128i bytes, unsigned ends, uint8_t** to) {
  const __m128i index =
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kKeptBytes.index[ends]));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(*to),
                   _mm_shuffle_epi8(bytes, index));
  *to += kKeptBytes.count[ends];
}

// Two bytes make such a character: C2 or C3, and one that is the character but
// for the bit that C3 stands for.
SW_SSSE3 size_t Utf8ToLatin1Ssse3(const uint8_t* data, size_t size,
                                  uint8_t** to) {
  const __m128i zero = _mm_setzero_si128();
  __m128i bytes_before = zero;
  __m128i leads_before = zero;
  size_t i = 0;
  for (; i + 16 <= size; i += 16) {
    const __m128i bytes = LoadBytes(data + i);
    const __m128i leads =
        _mm_cmpeq_epi8(_mm_and_si128(bytes, EachByte(0xFE)), EachByte(0xC2));
    const __m128i seconds = _mm_alignr_epi8(leads, leads_before, 15);
    const __m128i continues = _mm_cmplt_epi8(bytes, EachByte(0xC0));
    const __m128i high = _mm_cmplt_epi8(bytes, zero);
    const __m128i wrong =
        _mm_or_si128(_mm_xor_si128(continues, seconds),
                     _mm_xor_si128(high, _mm_or_si128(leads, continues)));
    if (HighBits(wrong) != 0) break;
    const __m128i bit = _mm_slli_epi16(
        _mm_and_si128(
            _mm_and_si128(_mm_alignr_epi8(bytes, bytes_before, 15), seconds),
            EachByte(1)),
        6);
    const __m128i units = _mm_or_si128(bytes, bit);
    const unsigned ends = ~HighBits(leads) & 0xFFFF;
    PutBytes(units, ends & 0xFF, to);
    PutBytes(_mm_srli_si128(units, 8), ends >> 8, to);
    bytes_before = bytes;
    leads_before = leads;
  }
  return i > 0 && data[i - 1] >= 0xC0 ? i - 1 : i;
}

SW_SSSE3 size_t SkipUtf8Ssse3(const uint8_t* data, size_t size) {
  return EachBlock(data, size, [](const Block&) SW_SSSE3 { return true; });
}

bool HasSsse3() {
  static const bool has = __builtin_cpu_supports("ssse3") != 0;
  return has;
}

}  // namespace

size_t Utf8ToUtf16Wide(const uint8_t* data, size_t size, uint16_t** to) {
  return HasSsse3() ? Utf8ToUtf16Ssse3(data, size, to) : 0;
}

size_t Utf8ToLatin1Wide(const uint8_t* data, size_t size, uint8_t** to) {
  return HasSsse3() ? Utf8ToLatin1Ssse3(data, size, to) : 0;
}

size_t SkipUtf8Wide(const uint8_t* data, size_t size) {
  return HasSsse3() ? SkipUtf8Ssse3(data, size) : 0;
}

#else

size_t Utf8ToUtf16Wide(const uint8_t*, size_t, uint16_t**) { return 0; }
size_t Utf8ToLatin1Wide(const uint8_t*, size_t, uint8_t**) { return 0; }
size_t SkipUtf8Wide(const uint8_t*, size_t) { return 0; }

#endif

}  // namespace sloppy::workers

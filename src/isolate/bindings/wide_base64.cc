// Base64 of many letters at a time.
#include <cstring>

#include "isolate/bindings/wide_codecs.h"
#include "isolate/bindings/wide_decoders.h"

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define SW_WIDE_X64 1
#define SW_AVX2 __attribute__((target("avx2")))
#define SW_VBMI __attribute__((target("avx512bw,avx512vbmi")))
#elif defined(__GNUC__) && defined(__aarch64__)
#include <arm_neon.h>
#define SW_WIDE_ARM64 1
#endif

namespace sloppy::workers {

#if SW_WIDE_X64
namespace {

// A letter's two digits in base 16 say what it is.
struct LetterTables {
  // A bit for each high digit, and the bits of those that have a letter at a
  // low digit.
  uint8_t of_high[16];
  uint8_t at_low[16];
  // A low digit's shift is added to the high one, because '/' and '-' have
  // offsets that other letters of their high digit have not.
  uint8_t shift[16];
  int8_t offset[16];
};
constexpr int SextetOf(int letter, bool both) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  if (letter >= '0' && letter <= '9') return letter - '0' + 52;
  if (letter == '+' || (both && letter == '-')) return 62;
  if (letter == '/' || (both && letter == '_')) return 63;
  return -1;
}
constexpr LetterTables MakeLetterTables(bool both) {
  LetterTables tables{};
  tables.shift[0x0F] = 6;   // '/' and '_'
  tables.shift[0x0D] = 11;  // '-'
  for (int high = 2; high < 8; ++high) {
    tables.of_high[high] = static_cast<uint8_t>(1 << high);
    for (int low = 0; low < 16; ++low) {
      const int letter = high * 16 + low;
      const int sextet = SextetOf(letter, both);
      if (sextet < 0) continue;
      tables.at_low[low] |= static_cast<uint8_t>(1 << high);
      tables.offset[(high + tables.shift[low]) % 16] =
          static_cast<int8_t>(sextet - letter);
    }
  }
  return tables;
}
constexpr LetterTables kLetters[2] = {MakeLetterTables(false),
                                      MakeLetterTables(true)};

// Whether no letter's offset is in another's place.
constexpr bool AllLettersFit(bool both) {
  for (int letter = 0; letter < 128; ++letter) {
    const int sextet = SextetOf(letter, both);
    const LetterTables& tables = kLetters[both ? 1 : 0];
    const int place = (letter / 16 + tables.shift[letter % 16]) % 16;
    if (sextet >= 0 && letter + tables.offset[place] != sextet) return false;
  }
  return true;
}
static_assert(AllLettersFit(false) && AllLettersFit(true));

SW_AVX2 inline __m256i Twice(const void* sixteen) {
  return _mm256_broadcastsi128_si256(
      _mm_loadu_si128(static_cast<const __m128i*>(sixteen)));
}

SW_AVX2 size_t DecodeBase64Avx2(const uint8_t* letters, size_t length,
                                bool both, uint8_t** to, size_t room) {
  const __m256i gather = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
  const LetterTables& tables = kLetters[both ? 1 : 0];
  const __m256i of_high = Twice(tables.of_high);
  const __m256i at_low = Twice(tables.at_low);
  const __m256i shift = Twice(tables.shift);
  const __m256i offset = Twice(tables.offset);
  const __m256i digit = _mm256_set1_epi8(0x0F);
  uint8_t* out = *to;
  size_t i = 0;
  for (; i + 32 <= length && room >= 24; i += 32, room -= 24) {
    const __m256i in =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(letters + i));
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(in, 4), digit);
    const __m256i low = _mm256_and_si256(in, digit);
    const __m256i is_letter = _mm256_and_si256(
        _mm256_shuffle_epi8(of_high, high), _mm256_shuffle_epi8(at_low, low));
    if (_mm256_movemask_epi8(
            _mm256_cmpeq_epi8(is_letter, _mm256_setzero_si256())) != 0) {
      break;
    }
    const __m256i place = _mm256_and_si256(
        _mm256_add_epi8(high, _mm256_shuffle_epi8(shift, low)), digit);
    const __m256i sextets =
        _mm256_add_epi8(in, _mm256_shuffle_epi8(offset, place));
    // Four sextets become 12 and 12 bits, then 24, whose bytes are turned.
    const __m256i halves =
        _mm256_maddubs_epi16(sextets, _mm256_set1_epi32(0x01400140));
    const __m256i groups =
        _mm256_madd_epi16(halves, _mm256_set1_epi32(0x00011000));
    const __m256i bytes = _mm256_shuffle_epi8(groups, gather);
    // Twelve bytes of each half. Nothing is written behind them, because what
    // is there may stay.
    const __m128i upper = _mm256_extracti128_si256(bytes, 1);
    const int last = _mm_cvtsi128_si32(_mm_srli_si128(upper, 8));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                     _mm256_castsi256_si128(bytes));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out + 12), upper);
    std::memcpy(out + 20, &last, sizeof(last));
    out += 24;
  }
  *to = out;
  return i;
}

// Bit 7 where there is no letter.
struct SextetTable {
  uint8_t of[128];
};
constexpr SextetTable MakeSextetTable(bool both) {
  SextetTable table{};
  for (int letter = 0; letter < 128; ++letter) {
    const int sextet = SextetOf(letter, both);
    table.of[letter] = static_cast<uint8_t>(sextet < 0 ? 0x80 : sextet);
  }
  return table;
}
constexpr SextetTable kWideSextets[2] = {MakeSextetTable(false),
                                         MakeSextetTable(true)};
// The bytes of sixteen groups in their order.
struct GatherTable {
  uint8_t from[64];
};
constexpr GatherTable kGather = [] {
  GatherTable table{};
  for (int i = 0; i < 48; ++i) {
    table.from[i] = static_cast<uint8_t>(i / 3 * 4 + 2 - i % 3);
  }
  return table;
}();

SW_VBMI inline __m512i Load64(const uint8_t* from) {
  return _mm512_loadu_si512(from);
}

SW_VBMI size_t DecodeBase64Vbmi(const uint8_t* letters, size_t length,
                                bool both, uint8_t** to, size_t room) {
  constexpr uint64_t kFirst48 = (uint64_t{1} << 48) - 1;
  const SextetTable& table = kWideSextets[both ? 1 : 0];
  const __m512i lower = Load64(table.of);
  const __m512i upper = Load64(table.of + 64);
  const __m512i gather = Load64(kGather.from);
  uint8_t* out = *to;
  size_t i = 0;
  for (; i + 64 <= length && room >= 48; i += 64, room -= 48, out += 48) {
    const __m512i in = Load64(letters + i);
    const __m512i sextets = _mm512_permutex2var_epi8(lower, in, upper);
    if (_mm512_movepi8_mask(_mm512_or_si512(sextets, in)) != 0) break;
    const __m512i halves =
        _mm512_maddubs_epi16(sextets, _mm512_set1_epi32(0x01400140));
    const __m512i groups =
        _mm512_madd_epi16(halves, _mm512_set1_epi32(0x00011000));
    _mm512_mask_storeu_epi8(out, kFirst48,
                            _mm512_permutexvar_epi8(gather, groups));
  }
  *to = out;
  return i;
}

// 24 bytes become 32 letters: three bytes are spread over four, sextets are cut
// out by two multiplications, and each gets an offset that depends on its
// range.
SW_AVX2 size_t EncodeBase64Avx2(const uint8_t* data, size_t size, bool url,
                                uint8_t** to) {
  const __m256i spread = _mm256_broadcastsi128_si256(
      _mm_set_epi8(10, 11, 9, 10, 7, 8, 6, 7, 4, 5, 3, 4, 1, 2, 0, 1));
  constexpr char kDigit = '0' - 52;
  const __m256i offsets = _mm256_broadcastsi128_si256(
      _mm_setr_epi8('a' - 26, kDigit, kDigit, kDigit, kDigit, kDigit, kDigit,
                    kDigit, kDigit, kDigit, kDigit, (url ? '-' : '+') - 62,
                    (url ? '_' : '/') - 63, 'A', 0, 0));
  uint8_t* out = *to;
  size_t i = 0;
  for (; i + 28 <= size; i += 24, out += 32) {
    const __m256i in = _mm256_shuffle_epi8(
        _mm256_set_m128i(
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i + 12)),
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + i))),
        spread);
    const __m256i high =
        _mm256_mulhi_epu16(_mm256_and_si256(in, _mm256_set1_epi32(0x0FC0FC00)),
                           _mm256_set1_epi32(0x04000040));
    const __m256i low =
        _mm256_mullo_epi16(_mm256_and_si256(in, _mm256_set1_epi32(0x003F03F0)),
                           _mm256_set1_epi32(0x01000010));
    const __m256i sextets = _mm256_or_si256(high, low);
    __m256i range = _mm256_subs_epu8(sextets, _mm256_set1_epi8(51));
    const __m256i capital = _mm256_cmpgt_epi8(_mm256_set1_epi8(26), sextets);
    range =
        _mm256_or_si256(range, _mm256_and_si256(capital, _mm256_set1_epi8(13)));
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(out),
        _mm256_add_epi8(_mm256_shuffle_epi8(offsets, range), sextets));
  }
  *to = out;
  return i;
}

// The letters of both alphabets by their sextets.
struct Alphabet {
  uint8_t of[64];
};
constexpr Alphabet MakeAlphabet(bool url) {
  Alphabet letters{};
  for (int i = 0; i < 26; ++i) {
    letters.of[i] = static_cast<uint8_t>('A' + i);
    letters.of[26 + i] = static_cast<uint8_t>('a' + i);
  }
  for (int i = 0; i < 10; ++i) {
    letters.of[52 + i] = static_cast<uint8_t>('0' + i);
  }
  letters.of[62] = url ? '-' : '+';
  letters.of[63] = url ? '_' : '/';
  return letters;
}
constexpr Alphabet kAlphabets[2] = {MakeAlphabet(false), MakeAlphabet(true)};

// The order of three bytes (b, a, c, b) in which every sextet is in one piece.
constexpr Alphabet kSpread = [] {
  Alphabet spread{};
  for (int group = 0; group < 16; ++group) {
    constexpr int kOrder[4] = {1, 0, 2, 1};
    for (int i = 0; i < 4; ++i) {
      spread.of[4 * group + i] = static_cast<uint8_t>(3 * group + kOrder[i]);
    }
  }
  return spread;
}();

// 48 bytes become 64 letters. The place of a letter in its alphabet is the low
// six bits of what each byte of the second step has.
SW_VBMI size_t EncodeBase64Vbmi(const uint8_t* data, size_t size, bool url,
                                uint8_t** to) {
  const __m512i letters = Load64(kAlphabets[url ? 1 : 0].of);
  const __m512i spread = Load64(kSpread.of);
  // Where the sextets of two groups begin.
  const __m512i shifts = _mm512_set1_epi64(0x3036242A1016040A);
  uint8_t* out = *to;
  size_t i = 0;
  for (; i + 64 <= size; i += 48, out += 64) {
    const __m512i groups = _mm512_permutexvar_epi8(spread, Load64(data + i));
    const __m512i sextets = _mm512_multishift_epi64_epi8(shifts, groups);
    _mm512_storeu_si512(out, _mm512_permutexvar_epi8(sextets, letters));
  }
  *to = out;
  return i;
}

bool HasVbmi() {
  static const bool has = __builtin_cpu_supports("avx512bw") != 0 &&
                          __builtin_cpu_supports("avx512vbmi") != 0;
  return has;
}

bool HasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

}  // namespace

size_t EncodeBase64Wide(const uint8_t* data, size_t size, bool url,
                        uint8_t** to) {
  size_t done = 0;
  if (HasVbmi()) done = EncodeBase64Vbmi(data, size, url, to);
  if (HasAvx2()) done += EncodeBase64Avx2(data + done, size - done, url, to);
  return done;
}

size_t DecodeBase64Wide(const uint8_t* letters, size_t length, bool both,
                        uint8_t** to, size_t room) {
  uint8_t* const begin = *to;
  size_t read = 0;
  if (HasVbmi()) read = DecodeBase64Vbmi(letters, length, both, to, room);
  if (!HasAvx2()) return read;
  return read + DecodeBase64Avx2(letters + read, length - read, both, to,
                                 room - static_cast<size_t>(*to - begin));
}

#else

#if SW_WIDE_ARM64

size_t EncodeBase64Wide(const uint8_t* data, size_t size, bool url,
                        uint8_t** to) {
  uint8_t letters[64];
  for (int i = 0; i < 26; ++i) {
    letters[i] = static_cast<uint8_t>('A' + i);
    letters[26 + i] = static_cast<uint8_t>('a' + i);
  }
  for (int i = 0; i < 10; ++i) letters[52 + i] = static_cast<uint8_t>('0' + i);
  letters[62] = url ? '-' : '+';
  letters[63] = url ? '_' : '/';
  const uint8x16x4_t table = vld1q_u8_x4(letters);
  const uint8x16_t six = vdupq_n_u8(0x3F);
  uint8_t* out = *to;
  size_t i = 0;
  for (; i + 48 <= size; i += 48, out += 64) {
    const uint8x16x3_t in = vld3q_u8(data + i);
    uint8x16x4_t sextets;
    sextets.val[0] = vshrq_n_u8(in.val[0], 2);
    sextets.val[1] = vandq_u8(
        vorrq_u8(vshlq_n_u8(in.val[0], 4), vshrq_n_u8(in.val[1], 4)), six);
    sextets.val[2] = vandq_u8(
        vorrq_u8(vshlq_n_u8(in.val[1], 2), vshrq_n_u8(in.val[2], 6)), six);
    sextets.val[3] = vandq_u8(in.val[2], six);
    for (auto& part : sextets.val) part = vqtbl4q_u8(table, part);
    vst4q_u8(out, sextets);
  }
  *to = out;
  return i;
}

#else

size_t EncodeBase64Wide(const uint8_t*, size_t, bool, uint8_t**) { return 0; }

#endif

size_t DecodeBase64Wide(const uint8_t*, size_t, bool, uint8_t**, size_t) {
  return 0;
}

#endif

}  // namespace sloppy::workers

// scryptROMix (RFC 7914): the long part of scrypt, of one lane. OpenSSL has it
// only inside a call that nothing can end.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_SCRYPT_MIX_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_SCRYPT_MIX_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace sloppy::workers::scrypt {

inline constexpr size_t kWords = 16;  // The words of a block of Salsa20.

// Adds Salsa20/8 of the block to it.
inline void Salsa(uint32_t* block) {
  uint32_t x[kWords];
  std::memcpy(x, block, sizeof(x));
  const auto quarter = [&x](size_t a, size_t b, size_t c, size_t d) {
    x[b] ^= std::rotl(x[a] + x[d], 7);
    x[c] ^= std::rotl(x[b] + x[a], 9);
    x[d] ^= std::rotl(x[c] + x[b], 13);
    x[a] ^= std::rotl(x[d] + x[c], 18);
  };
  for (int i = 0; i < 4; ++i) {
    quarter(0, 4, 8, 12);
    quarter(5, 9, 13, 1);
    quarter(10, 14, 2, 6);
    quarter(15, 3, 7, 11);
    quarter(0, 1, 2, 3);
    quarter(5, 6, 7, 4);
    quarter(10, 11, 8, 9);
    quarter(15, 12, 13, 14);
  }
  for (size_t i = 0; i < kWords; ++i) block[i] += x[i];
}

// scryptBlockMix of 2 * r blocks.
inline void MixBlocks(uint32_t* to, const uint32_t* from, size_t r) {
  uint32_t x[kWords];
  std::memcpy(x, from + (2 * r - 1) * kWords, sizeof(x));
  for (size_t i = 0; i < 2 * r; ++i) {
    for (size_t k = 0; k < kWords; ++k) x[k] ^= from[i * kWords + k];
    Salsa(x);
    // The even ones first.
    std::memcpy(to + (i / 2 + (i % 2) * r) * kWords, x, sizeof(x));
  }
}

}  // namespace sloppy::workers::scrypt

namespace sloppy::workers {

// Mixes 128 * r bytes with `n` steps each way. `memory` has 32 * r * (n + 2)
// words. False when `goes_on()` said so; it is asked every few milliseconds.
template <typename GoesOn>
bool MixLane(uint8_t* lane, size_t r, uint64_t n, uint32_t* memory,
             GoesOn goes_on) {
  const size_t words = 32 * r;
  const uint64_t steps = (size_t{1} << 13) / r + 1;
  uint32_t* x = memory + words * n;
  uint32_t* y = x + words;
  for (size_t i = 0; i < words; ++i) {
    const uint8_t* at = lane + 4 * i;
    x[i] = static_cast<uint32_t>(at[0]) | static_cast<uint32_t>(at[1]) << 8 |
           static_cast<uint32_t>(at[2]) << 16 |
           static_cast<uint32_t>(at[3]) << 24;
  }
  for (uint64_t i = 0; i < n; ++i) {
    std::memcpy(memory + i * words, x, words * sizeof(uint32_t));
    scrypt::MixBlocks(y, x, r);
    std::swap(x, y);
    if (i % steps == 0 && !goes_on()) return false;
  }
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t low = x[(2 * r - 1) * scrypt::kWords];
    const uint64_t high = x[(2 * r - 1) * scrypt::kWords + 1];
    const uint32_t* with = memory + ((high << 32 | low) & (n - 1)) * words;
    for (size_t k = 0; k < words; ++k) x[k] ^= with[k];
    scrypt::MixBlocks(y, x, r);
    std::swap(x, y);
    if (i % steps == 0 && !goes_on()) return false;
  }
  for (size_t i = 0; i < words; ++i) {
    for (int k = 0; k < 4; ++k) {
      lane[4 * i + static_cast<size_t>(k)] =
          static_cast<uint8_t>(x[i] >> (8 * k));
    }
  }
  return true;
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_SCRYPT_MIX_H_

// Argon2's filling of its memory (RFC 9106): the long part. OpenSSL has it only
// inside a call that nothing can end, and `passes` have no bound.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_ARGON2_MIX_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_ARGON2_MIX_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sloppy::workers::argon2 {

constexpr size_t kWords = 128;  // of 64 bits; a block has 1 KiB
constexpr uint32_t kSlices = 4;

enum Kind : uint32_t { kD, kI, kId };

struct Block {
  uint64_t words[kWords];
};

inline uint64_t Times(uint64_t x, uint64_t y) {
  return x + y + 2 * (x & 0xFFFFFFFF) * (y & 0xFFFFFFFF);
}

inline void Quarter(uint64_t& a, uint64_t& b, uint64_t& c, uint64_t& d) {
  a = Times(a, b);
  d = std::rotr(d ^ a, 32);
  c = Times(c, d);
  b = std::rotr(b ^ c, 24);
  a = Times(a, b);
  d = std::rotr(d ^ a, 16);
  c = Times(c, d);
  b = std::rotr(b ^ c, 63);
}

// The permutation P of 8 pairs of words, each `step` behind the last.
inline void Permute(uint64_t* first, size_t step) {
  const auto at = [first, step](size_t i) -> uint64_t& {
    return first[i / 2 * step + i % 2];
  };
  for (size_t i = 0; i < 4; ++i) {
    Quarter(at(i), at(i + 4), at(i + 8), at(i + 12));
  }
  for (size_t i = 0; i < 4; ++i) {
    Quarter(at(i), at((i + 1) % 4 + 4), at((i + 2) % 4 + 8),
            at((i + 3) % 4 + 12));
  }
}

// The compression function G of two blocks; later passes add it to the block.
inline void Compress(const Block& x, const Block& y, Block* to, bool adds) {
  Block mixed;
  for (size_t i = 0; i < kWords; ++i) mixed.words[i] = x.words[i] ^ y.words[i];
  Block result = mixed;
  if (adds) {
    for (size_t i = 0; i < kWords; ++i) result.words[i] ^= to->words[i];
  }
  for (size_t i = 0; i < 8; ++i) Permute(mixed.words + 16 * i, 2);
  for (size_t i = 0; i < 8; ++i) Permute(mixed.words + 2 * i, 16);
  for (size_t i = 0; i < kWords; ++i) {
    to->words[i] = result.words[i] ^ mixed.words[i];
  }
}

struct Shape {
  Kind kind;
  uint32_t lanes;
  uint32_t passes;
  uint32_t segment;  // blocks of a slice of a lane
  uint32_t LaneBlocks() const { return segment * kSlices; }
};

struct Place {
  uint32_t pass;
  uint32_t lane;
  uint32_t slice;
};

// The numbers that choose blocks without looking at any.
class Addresses {
 public:
  Addresses(const Shape& shape, const Place& place) {
    input_.words[0] = place.pass;
    input_.words[1] = place.lane;
    input_.words[2] = place.slice;
    input_.words[3] = uint64_t{shape.lanes} * shape.LaneBlocks();
    input_.words[4] = shape.passes;
    input_.words[5] = shape.kind;
  }
  uint64_t At(uint32_t index) {
    if (const uint64_t number = index / kWords + 1; number != input_.words[6]) {
      input_.words[6] = number;
      const Block zero{};
      Compress(zero, input_, &block_, false);
      Compress(zero, block_, &block_, false);
    }
    return block_.words[index % kWords];
  }

 private:
  Block input_{};
  Block block_{};
};

// The index, in its lane, of the block that a number chooses.
inline uint32_t Chosen(const Shape& shape, const Place& place, uint32_t index,
                       uint64_t number, bool is_own_lane) {
  const bool is_first_pass = place.pass == 0;
  uint64_t area = is_first_pass ? uint64_t{place.slice} * shape.segment
                                : shape.LaneBlocks() - shape.segment;
  if (is_own_lane) {
    area += index;
    --area;
  } else if (index == 0) {
    --area;
  }
  const uint64_t low = number & 0xFFFFFFFF;
  const uint64_t back = (area * ((low * low) >> 32)) >> 32;
  const uint64_t start = is_first_pass || place.slice + 1 == kSlices
                             ? 0
                             : (place.slice + 1) * uint64_t{shape.segment};
  return static_cast<uint32_t>((start + area - 1 - back) % shape.LaneBlocks());
}

// False when `goes_on()` said so; it is asked about every millisecond.
template <typename GoesOn>
bool FillSegment(const Shape& shape, const Place& place, Block* memory,
                 GoesOn goes_on) {
  constexpr uint32_t kBlocks = 1024;
  const bool is_apart =
      shape.kind == kI ||
      (shape.kind == kId && place.pass == 0 && place.slice < kSlices / 2);
  const uint32_t length = shape.LaneBlocks();
  Block* lane = memory + size_t{place.lane} * length;
  Addresses addresses(shape, place);
  const bool is_start = place.pass == 0 && place.slice == 0;
  for (uint32_t i = is_start ? 2 : 0; i < shape.segment; ++i) {
    if (i % kBlocks == 0 && !goes_on()) return false;
    const uint32_t at = place.slice * shape.segment + i;
    const Block& last = lane[at == 0 ? length - 1 : at - 1];
    const uint64_t number = is_apart ? addresses.At(i) : last.words[0];
    const auto chosen_lane =
        is_start ? place.lane
                 : static_cast<uint32_t>((number >> 32) % shape.lanes);
    const uint32_t chosen =
        Chosen(shape, place, i, number, chosen_lane == place.lane);
    Compress(last, memory[size_t{chosen_lane} * length + chosen], &lane[at],
             place.pass > 0);
  }
  return goes_on();
}

// REQUIRES: the first two blocks of each lane. False as above.
template <typename GoesOn>
bool Fill(const Shape& shape, Block* memory, GoesOn goes_on) {
  for (uint32_t pass = 0; pass < shape.passes; ++pass) {
    for (uint32_t slice = 0; slice < kSlices; ++slice) {
      for (uint32_t lane = 0; lane < shape.lanes; ++lane) {
        if (!FillSegment(shape, {pass, lane, slice}, memory, goes_on)) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace sloppy::workers::argon2

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_ARGON2_MIX_H_

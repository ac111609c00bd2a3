// The parts of byte_codecs.h and utf8.h that read texts 16 or 32 bytes at a
// time. Each does as much as it can, which is nothing on a processor without
// the instructions, and ends where a character begins; the rest is done byte by
// byte.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_WIDE_DECODERS_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_WIDE_DECODERS_H_

#include <cstddef>
#include <cstdint>

namespace sloppy::workers {

// Any thread. Each gives how many bytes of `data` are done, and moves `to`
// behind what they have become. `data` begins with a character.

// Characters of one to three bytes. Writes no unit that is not also one of
// `size`.
size_t Utf8ToUtf16Wide(const uint8_t* data, size_t size, uint16_t** to);
// Characters up to U+00FF. Writes no byte that is not also one of `size`.
size_t Utf8ToLatin1Wide(const uint8_t* data, size_t size, uint8_t** to);
// Characters of one to three bytes; writes nothing.
size_t SkipUtf8Wide(const uint8_t* data, size_t size);
// Whole groups of letters, of which each is in the alphabet. `both` takes the
// letters of Base64 for URLs as well. Writes nothing behind what it
// moves `to` over, and `room` bytes at the most.
size_t DecodeBase64Wide(const uint8_t* letters, size_t length, bool both,
                        uint8_t** to, size_t room);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_WIDE_DECODERS_H_

// Bytes to and from Base64 and hexadecimal digits, without V8, at the speed of
// memory. Own code, because simdutf is not exported by every Node.
//
// Any thread.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_BYTE_CODECS_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_BYTE_CODECS_H_

#include <cstddef>
#include <cstdint>

namespace sloppy::workers {

// The length of the digits that so many bytes have in Base64.
constexpr size_t Base64Room(size_t size) { return (size + 2) / 3 * 4; }

// Gives the letters written, Base64Room(size) at the most; `url` without
// padding.
size_t EncodeBase64(const uint8_t* data, size_t size, bool url, uint8_t* to);
size_t EncodeHex(const uint8_t* data, size_t size, uint8_t* to);

// Decodes as Node does: both alphabets, up to the first '=', and what is in
// neither is passed over. Stops when `room` is full. Gives the bytes written.
// `Unit` is uint8_t or uint16_t.
template <typename Unit>
size_t DecodeBase64(const Unit* letters, size_t length, uint8_t* to,
                    size_t room);
// Stops at the first pair that is none.
template <typename Unit>
size_t DecodeHex(const Unit* digits, size_t length, uint8_t* to, size_t room);

// Decodes as atob() does (Infra's forgiving-base64 decode). Gives the bytes
// written, 3 for each 4 letters at the most, or one of Node's numbers below.
enum : int64_t { kOneLetterLeft = -1, kBadLetter = -2 };
int64_t DecodeForgiving(const uint8_t* letters, size_t length, uint8_t* to);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_BYTE_CODECS_H_

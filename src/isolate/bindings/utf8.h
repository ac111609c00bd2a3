// UTF-8, ASCII and Latin 1 without V8, at the speed of memory: by the simdutf
// of a Node that exports it, otherwise by code of our own.
//
// Any thread.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_UTF8_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_UTF8_H_

#include <cstddef>
#include <cstdint>

namespace sloppy::workers {

bool IsAscii(const uint8_t* data, size_t size);
bool IsUtf8(const uint8_t* data, size_t size);
// The number of bytes that are not ASCII.
size_t CountHigh(const uint8_t* data, size_t size);

// The low seven bits of each byte, which is ASCII.
void ToSevenBits(const uint8_t* data, size_t size, uint8_t* to);
// `to` has room for size + CountHigh() bytes. Gives them.
size_t Latin1ToUtf8(const uint8_t* data, size_t size, uint8_t* to);
// `to` has room for `size` units. Each gives how many bytes of `data` were
// read: up to what is not UTF-8, and for Latin 1 up to the first character that
// it has not; `units` is what they have become.
size_t Utf8ToLatin1(const uint8_t* data, size_t size, uint8_t* to,
                    size_t* units);
size_t Utf8ToUtf16(const uint8_t* data, size_t size, uint16_t* to,
                   size_t* units);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_UTF8_H_

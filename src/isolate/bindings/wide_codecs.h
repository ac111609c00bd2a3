// The parts of byte_codecs.h and utf8.h that write texts 16 or 32
// bytes at a time. Each does as much as it can, which is nothing on a processor
// without the instructions, and the rest is done byte by byte.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_WIDE_CODECS_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_WIDE_CODECS_H_

#include <cstddef>
#include <cstdint>

namespace sloppy::workers {

// Any thread. How many bytes of `data` are done; `to` is moved behind what they
// have become.
size_t EncodeBase64Wide(const uint8_t* data, size_t size, bool url,
                        uint8_t** to);
// The same. Writes only where the rest will be written.
size_t Latin1ToUtf8Wide(const uint8_t* data, size_t size, uint8_t** to);

// Any thread. How many bytes of `data` were looked at; adds those that are not
// ASCII to `count`.
size_t CountHighWide(const uint8_t* data, size_t size, size_t* count);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_WIDE_CODECS_H_

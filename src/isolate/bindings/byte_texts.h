// Bytes as texts and back in Node's eight encodings.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_BYTE_TEXTS_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_BYTE_TEXTS_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>

namespace sloppy::workers {

// Node's numbers.
enum class TextEncoding : uint8_t {
  kAscii,
  kUtf8,
  kBase64,
  kUtf16,
  kLatin1,
  kHex,
  kBuffer,
  kBase64Url,
};
inline constexpr uint32_t kTextEncodings = 8;

// Worker thread, JavaScript running. `data` must not be shared with another
// thread. Throws ERR_STRING_TOO_LONG when V8 makes no such text.
v8::MaybeLocal<v8::String> BytesToText(v8::Isolate* isolate,
                                       const uint8_t* data, size_t size,
                                       TextEncoding encoding);

// Worker thread. Writes as much as there is room for. Gives the bytes written.
size_t TextToBytes(v8::Isolate* isolate, v8::Local<v8::String> text,
                   TextEncoding encoding, uint8_t* to, size_t room);

// Worker thread. The same in UTF-8, in whole characters; `read` is the units
// of `text` that were written.
size_t TextToUtf8(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* to,
                  size_t room, size_t* read);

// Worker thread. The bytes of a text in UTF-8.
size_t LengthInUtf8(v8::Isolate* isolate, v8::Local<v8::String> text);

// Worker thread. What TextToBytes() takes at the most, or more.
size_t TextRoom(v8::Isolate* isolate, v8::Local<v8::String> text,
                TextEncoding encoding);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_BYTE_TEXTS_H_

// The names of zlib, Brotli, zstd and ada that are called. Node's headers have
// those of zlib only; the rest is declared here: all of it plain C, the same in
// every version that a Node from 20 to 26 has.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_PLAIN_NAMES_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_PLAIN_NAMES_H_

#include <zlib.h>

#include <cstddef>
#include <cstdint>

extern "C" {

// ---- Brotli
struct BrotliEncoderStateStruct;
struct BrotliDecoderStateStruct;
using SwBrotliAlloc = void* (*)(void* opaque, size_t size);
using SwBrotliFree = void (*)(void* opaque, void* address);
BrotliEncoderStateStruct* BrotliEncoderCreateInstance(SwBrotliAlloc,
                                                      SwBrotliFree, void*);
int BrotliEncoderSetParameter(BrotliEncoderStateStruct*, int, uint32_t);
int BrotliEncoderCompressStream(BrotliEncoderStateStruct*, int operation,
                                size_t* available_in, const uint8_t** next_in,
                                size_t* available_out, uint8_t** next_out,
                                size_t* total_out);
int BrotliEncoderHasMoreOutput(BrotliEncoderStateStruct*);
int BrotliEncoderIsFinished(BrotliEncoderStateStruct*);
void BrotliEncoderDestroyInstance(BrotliEncoderStateStruct*);
size_t BrotliEncoderMaxCompressedSize(size_t);
BrotliDecoderStateStruct* BrotliDecoderCreateInstance(SwBrotliAlloc,
                                                      SwBrotliFree, void*);
int BrotliDecoderSetParameter(BrotliDecoderStateStruct*, int, uint32_t);
int BrotliDecoderDecompressStream(BrotliDecoderStateStruct*,
                                  size_t* available_in, const uint8_t** next_in,
                                  size_t* available_out, uint8_t** next_out,
                                  size_t* total_out);
int BrotliDecoderHasMoreOutput(const BrotliDecoderStateStruct*);
int BrotliDecoderIsFinished(const BrotliDecoderStateStruct*);
int BrotliDecoderGetErrorCode(const BrotliDecoderStateStruct*);
const char* BrotliDecoderErrorString(int code);
void BrotliDecoderDestroyInstance(BrotliDecoderStateStruct*);

// ---- zstd
struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;
struct SwZstdMemory {  // ZSTD_customMem, passed by value
  void* (*take)(void* opaque, size_t size);
  void (*give)(void* opaque, void* address);
  void* opaque;
};
struct SwZstdInput {  // ZSTD_inBuffer
  const void* data;
  size_t size;
  size_t at;
};
struct SwZstdOutput {  // ZSTD_outBuffer
  void* data;
  size_t size;
  size_t at;
};
ZSTD_CCtx_s* ZSTD_createCCtx_advanced(SwZstdMemory);
size_t ZSTD_freeCCtx(ZSTD_CCtx_s*);
size_t ZSTD_CCtx_reset(ZSTD_CCtx_s*, int);
size_t ZSTD_CCtx_setParameter(ZSTD_CCtx_s*, int, int);
size_t ZSTD_CCtx_setPledgedSrcSize(ZSTD_CCtx_s*, unsigned long long);
size_t ZSTD_CCtx_loadDictionary(ZSTD_CCtx_s*, const void*, size_t);
size_t ZSTD_compressStream2(ZSTD_CCtx_s*, SwZstdOutput*, SwZstdInput*, int end);
ZSTD_DCtx_s* ZSTD_createDCtx_advanced(SwZstdMemory);
size_t ZSTD_freeDCtx(ZSTD_DCtx_s*);
size_t ZSTD_DCtx_reset(ZSTD_DCtx_s*, int);
size_t ZSTD_DCtx_setParameter(ZSTD_DCtx_s*, int, int);
size_t ZSTD_DCtx_loadDictionary(ZSTD_DCtx_s*, const void*, size_t);
size_t ZSTD_decompressStream(ZSTD_DCtx_s*, SwZstdOutput*, SwZstdInput*);
unsigned ZSTD_isError(size_t);
int ZSTD_getErrorCode(size_t);
const char* ZSTD_getErrorString(int code);

// ---- ada
struct ada_string {
  const char* data;
  size_t length;
};
struct ada_owned_string {
  const char* data;
  size_t length;
};
struct ada_url_components {
  uint32_t protocol_end, username_end, host_start, host_end, port,
      pathname_start, search_start, hash_start;
};
using ada_url = void*;
ada_url ada_parse(const char*, size_t);
ada_url ada_parse_with_base(const char*, size_t, const char*, size_t);
bool ada_can_parse(const char*, size_t);
bool ada_can_parse_with_base(const char*, size_t, const char*, size_t);
bool ada_is_valid(ada_url);
void ada_free(ada_url);
ada_string ada_get_href(ada_url);
ada_owned_string ada_get_origin(ada_url);
const ada_url_components* ada_get_components(ada_url);
uint8_t ada_get_scheme_type(ada_url);
bool ada_set_href(ada_url, const char*, size_t);
bool ada_set_host(ada_url, const char*, size_t);
bool ada_set_hostname(ada_url, const char*, size_t);
bool ada_set_protocol(ada_url, const char*, size_t);
bool ada_set_username(ada_url, const char*, size_t);
bool ada_set_password(ada_url, const char*, size_t);
bool ada_set_port(ada_url, const char*, size_t);
bool ada_set_pathname(ada_url, const char*, size_t);
void ada_set_search(ada_url, const char*, size_t);
void ada_set_hash(ada_url, const char*, size_t);
void ada_free_owned_string(ada_owned_string);
ada_owned_string ada_idna_to_ascii(const char*, size_t);
ada_owned_string ada_idna_to_unicode(const char*, size_t);

}  // extern "C"

// clang-format off
#define SW_ZLIB(X)                                                            \
  X(zlibVersion) X(deflateInit2_) X(deflate) X(deflateBound) X(deflateEnd)    \
  X(deflateReset) X(deflateParams) X(deflateSetDictionary) X(inflateInit2_)   \
  X(inflate) X(inflateEnd) X(inflateReset) X(inflateSetDictionary) X(crc32)

#define SW_BROTLI(X)                                                          \
  X(BrotliEncoderCreateInstance) X(BrotliEncoderSetParameter)                 \
  X(BrotliEncoderCompressStream) X(BrotliEncoderHasMoreOutput)                \
  X(BrotliEncoderIsFinished) X(BrotliEncoderDestroyInstance)                  \
  X(BrotliEncoderMaxCompressedSize) X(BrotliDecoderCreateInstance)            \
  X(BrotliDecoderSetParameter) X(BrotliDecoderDecompressStream)               \
  X(BrotliDecoderHasMoreOutput) X(BrotliDecoderIsFinished)                    \
  X(BrotliDecoderGetErrorCode) X(BrotliDecoderErrorString)                    \
  X(BrotliDecoderDestroyInstance)

#define SW_ZSTD(X)                                                            \
  X(ZSTD_createCCtx_advanced) X(ZSTD_freeCCtx) X(ZSTD_CCtx_reset)             \
  X(ZSTD_CCtx_setParameter) X(ZSTD_CCtx_setPledgedSrcSize)                    \
  X(ZSTD_CCtx_loadDictionary) X(ZSTD_compressStream2)                         \
  X(ZSTD_createDCtx_advanced) X(ZSTD_freeDCtx) X(ZSTD_DCtx_reset)             \
  X(ZSTD_DCtx_setParameter) X(ZSTD_DCtx_loadDictionary)                       \
  X(ZSTD_decompressStream) X(ZSTD_isError) X(ZSTD_getErrorCode)               \
  X(ZSTD_getErrorString)

#define SW_URL(X)                                                             \
  X(ada_parse) X(ada_parse_with_base) X(ada_can_parse)                        \
  X(ada_can_parse_with_base) X(ada_is_valid) X(ada_free) X(ada_get_href)      \
  X(ada_get_origin) X(ada_get_components) X(ada_get_scheme_type)              \
  X(ada_set_href) X(ada_set_host) X(ada_set_hostname) X(ada_set_protocol)     \
  X(ada_set_username) X(ada_set_password) X(ada_set_port)                     \
  X(ada_set_pathname) X(ada_set_search) X(ada_set_hash)                       \
  X(ada_free_owned_string) X(ada_idna_to_ascii) X(ada_idna_to_unicode)
// clang-format on

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_PLAIN_NAMES_H_

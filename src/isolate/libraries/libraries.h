// Libraries that are in Node's executable or linked with it, found by the names
// that it exports. Nothing of ours is linked with them, because one name that a
// Node lacks would keep the addon from loading.
//
// A library is there with all names of its table, and in a version that the
// table was written for, or not at all.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARIES_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARIES_H_

#include <cstdint>

#include "isolate/libraries/crypto_names.h"
#include "isolate/libraries/plain_names.h"

namespace sloppy::workers {

#define SW_MEMBER(name) decltype(&::name) name = nullptr;
struct Crypto {
  SW_CRYPTO(SW_MEMBER)
};
struct Zlib {
  SW_ZLIB(SW_MEMBER)
};
struct Brotli {
  SW_BROTLI(SW_MEMBER)
};
struct Zstd {
  SW_ZSTD(SW_MEMBER)
};
struct Ada {
  SW_URL(SW_MEMBER)
};
#undef SW_MEMBER
// ICU's names end in its version, so that they are found by hand.
struct Icu {
  int32_t (*int_property)(int32_t character, int property) = nullptr;
  int8_t (*binary_property)(int32_t character, int property) = nullptr;
  int8_t (*char_type)(int32_t character) = nullptr;
};
struct IcuConverters {
  void* (*open)(const char* name, int* status) = nullptr;
  void (*close)(void*) = nullptr;
  void (*reset)(void*) = nullptr;
  int (*type)(const void*) = nullptr;
  int8_t (*smallest)(const void*) = nullptr;
  int32_t (*count_pending)(const void*, int* status) = nullptr;
  void (*set_substitute)(void*, const char* text, int8_t size,
                         int* status) = nullptr;
  void (*set_callback)(void*, void* callback, const void* data,
                       void** old_callback, const void** old_data,
                       int* status) = nullptr;
  void* stop = nullptr;
  void (*to_unicode)(void*, char16_t** to, const char16_t* to_end,
                     const char** from, const char* from_end, int32_t* offsets,
                     int8_t flush, int* status) = nullptr;
};

// Any thread; looked up once a process. nullptr where a library is not there.
const Crypto* FindCrypto();
const Zlib* FindZlib();
const Brotli* FindBrotli();
const Zstd* FindZstd();
const Ada* FindAda();
// The first call has to name the version (78), because a process has one.
const Icu* FindIcu(int version = 0);
const IcuConverters* FindIcuConverters(int version = 0);

// Any thread. The address of a name of Node's executable, nullptr if it has
// none: for what only newer versions of a library have.
void* FindSymbol(const char* name);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARIES_H_

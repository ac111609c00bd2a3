// Libraries that are in Node's executable or linked with it, found by the names
// that it exports. Nothing of ours is linked with them, because one name that a
// Node lacks would keep the addon from loading.
//
// A library is there with all names of its table, and in a version that the
// table was written for, or not at all.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARIES_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARIES_H_

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

// Any thread; looked up once a process. nullptr where a library is not there.
const Crypto* FindCrypto();
const Zlib* FindZlib();
const Brotli* FindBrotli();
const Zstd* FindZstd();
const Ada* FindAda();

// Any thread. The address of a name of Node's executable, nullptr if it has
// none: for what only newer versions of a library have.
void* FindSymbol(const char* name);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARIES_H_

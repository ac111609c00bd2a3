#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_DIGESTS_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_DIGESTS_H_

#include <v8.h>

#include <string>

#include "isolate/libraries/arguments.h"
#include "isolate/libraries/openssl.h"

namespace sloppy::workers {

// Any thread. A number for a digest that OpenSSL knows by this name or an
// alias, the same for the whole process; -1 for others.
int IdOfDigest(const std::string& name);
// nullptr for other numbers.
const EVP_MD* DigestOf(int id);

inline const EVP_MD* DigestAt(const v8::FunctionCallbackInfo<v8::Value>& info,
                              int index) {
  return DigestOf(static_cast<int>(IntAt(info, index)));
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_DIGESTS_H_

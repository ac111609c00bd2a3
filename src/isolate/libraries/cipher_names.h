// Ciphers by name.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_CIPHER_NAMES_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_CIPHER_NAMES_H_

#include <v8.h>

#include <string>

#include "isolate/libraries/openssl.h"

namespace sloppy::workers {

// EVP_CIPH_GCM_SIV_MODE, which the headers of OpenSSL 3.0 lack.
inline constexpr int kGcmSivMode = 0x10005;

// Any thread. nullptr for an unknown name; aliases are known.
Cipher FetchCipher(const std::string& name);
// Whether it is of the modes in which Node lets callers authenticate.
bool Authenticates(const EVP_CIPHER* cipher);

// cipherInfo(name or nid, keyLength, ivLength) → [mode, name, nid or 0,
// blockSize, ivLength, keyLength], undefined for an unknown one or lengths that
// do not fit
void CipherInfo(const v8::FunctionCallbackInfo<v8::Value>& info);
// cipherNames() → names as OpenSSL has them
void CipherNames(const v8::FunctionCallbackInfo<v8::Value>& info);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_CIPHER_NAMES_H_

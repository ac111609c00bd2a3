// Keys of OpenSSL as objects of JavaScript.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_KEYS_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_KEYS_H_

#include <v8.h>

#include <string>
#include <utility>
#include <vector>

#include "isolate/libraries/arguments.h"
#include "isolate/libraries/held.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/openssl.h"
#include "isolate/libraries/output.h"

namespace sloppy::workers {

// Numbers of src/runtime/globals/lib/crypto/natives.js.
enum class KeyFormat { kDer, kPem };
enum class KeyForm { kPkcs1, kSpki, kPkcs8, kSec1 };

// nullptr for what is no key.
inline EVP_PKEY* KeyAt(const v8::FunctionCallbackInfo<v8::Value>& info,
                       int index) {
  const Key* key = Held<Key>::From(info[index]);
  return key == nullptr ? nullptr : key->get();
}

inline void ReturnKey(const v8::FunctionCallbackInfo<v8::Value>& info,
                      Key key) {
  Return(info, Held<Key>::New(info.GetIsolate(), std::move(key), 4096));
}

// The number of big-endian bytes; nullptr for more than OpenSSL's numbers can
// have, about 64 MB.
inline Bignum NumberOf(const Input& bytes) {
  Bignum number(Ssl().BN_secure_new());
  if (Ssl().BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()),
                      number.get()) == nullptr) {
    number.reset();
  }
  return number;
}

// As few big-endian bytes as it has.
inline void ReturnNumber(const v8::FunctionCallbackInfo<v8::Value>& info,
                         const BIGNUM* number) {
  std::vector<uint8_t> bytes(
      static_cast<size_t>(Ssl().BN_num_bits(number) + 7) / 8);
  Ssl().BN_bn2binpad(number, bytes.data(), static_cast<int>(bytes.size()));
  Return(info, NewBytes(info.GetIsolate(), bytes.data(), bytes.size()));
  Wipe(bytes.data(), bytes.size());
}

// The password that a callback of OpenSSL is asked for; none is not ''.
struct Passphrase {
  const char* data = nullptr;
  size_t size = 0;
};
int GivePassphrase(char* to, int room, int writes, void* passphrase);

// "ed25519", "rsa-pss" and so on.
std::string KindOf(const EVP_PKEY* key);
inline bool IsRsa(const EVP_PKEY* key) {
  const std::string kind = KindOf(key);
  return kind == "rsa" || kind == "rsa-pss";
}
// Ed25519, Ed448, ML-DSA, SLH-DSA: they hash by themselves.
bool SignsWhole(const EVP_PKEY* key);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_KEYS_H_

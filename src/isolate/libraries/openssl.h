// The parts that all natives over OpenSSL use: its functions, its errors,
// owners of its objects.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_OPENSSL_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_OPENSSL_H_

#include <v8.h>

#include <memory>

#include "isolate/libraries/libraries.h"

namespace sloppy::workers {

// REQUIRES: FindCrypto() is not nullptr, as where these natives are handed out.
inline const Crypto& Ssl() {
  static const Crypto& found = *FindCrypto();
  return found;
}

// unique_ptr<T, Freed<&Crypto::T_free>>
template <auto kFree>
struct Freed {
  template <typename T>
  void operator()(T* object) const {
    (Ssl().*kFree)(object);
  }
};
template <typename T, auto kFree>
using Owned = std::unique_ptr<T, Freed<kFree>>;

using Bignum = Owned<BIGNUM, &Crypto::BN_clear_free>;
using Bio = Owned<BIO, &Crypto::BIO_free_all>;
using Cipher = Owned<EVP_CIPHER, &Crypto::EVP_CIPHER_free>;
using CipherContext = Owned<EVP_CIPHER_CTX, &Crypto::EVP_CIPHER_CTX_free>;
using Digest = Owned<EVP_MD, &Crypto::EVP_MD_free>;
using DigestContext = Owned<EVP_MD_CTX, &Crypto::EVP_MD_CTX_free>;
using MacContext = Owned<EVP_MAC_CTX, &Crypto::EVP_MAC_CTX_free>;
using Key = Owned<EVP_PKEY, &Crypto::EVP_PKEY_free>;
using KeyContext = Owned<EVP_PKEY_CTX, &Crypto::EVP_PKEY_CTX_free>;

// ---- openssl_errors.cc; worker thread. Each empties OpenSSL's queue.

// The code of Node where OpenSSL says no reason.
inline constexpr char kOperationFailed[] = "ERR_CRYPTO_OPERATION_FAILED";

// Throws the oldest error of the queue as Node does: its message, `library`,
// `reason`, `code`, and the others in `opensslErrorStack`. `otherwise` is the
// message when the queue is empty. If it `repeats`, the oldest is one of the
// others, too.
void ThrowOpenSsl(v8::Isolate* isolate, const char* otherwise,
                  bool repeats = false);
// Throws an error with a message of Node's own. OpenSSL's errors are beside it,
// since Node 26 with the members of the oldest.
void ThrowBesideOpenSsl(v8::Isolate* isolate, const char* message);
// Throws it alone.
void ThrowFirstOfOpenSsl(v8::Isolate* isolate, const char* otherwise);
// Throws as Node's one-shot functions: the message, and the others.
void ThrowOfJob(v8::Isolate* isolate, const char* otherwise = nullptr);
// An Error, a TypeError or a RangeError with `code`.
void ThrowCoded(v8::Isolate* isolate, const char* code, const char* message);
void ThrowTyped(v8::Isolate* isolate, const char* code, const char* message);
void ThrowRange(v8::Isolate* isolate, const char* code, const char* message);

// Empties the queue at the end: what succeeded may have left something.
class CleanQueue {
 public:
  CleanQueue() = default;
  ~CleanQueue() { Ssl().ERR_clear_error(); }
  CleanQueue(const CleanQueue&) = delete;
  CleanQueue& operator=(const CleanQueue&) = delete;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_OPENSSL_H_

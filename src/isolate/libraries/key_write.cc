// Keys as PEM and DER.
#include <cstring>
#include <string>

#include "isolate/libraries/cipher_names.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/keys.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/output.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

// A text for PEM, bytes for DER.
void ReturnWritten(const Info& info, BIO* bio, KeyFormat format) {
  v8::Isolate* isolate = info.GetIsolate();
  char* data = nullptr;
  const auto size = static_cast<size_t>(
      Ssl().BIO_ctrl(bio, BIO_CTRL_INFO, 0, static_cast<void*>(&data)));
  if (format == KeyFormat::kDer) {
    return Return(info, NewBytes(isolate, data, size));
  }
  Return(info,
         v8::String::NewFromUtf8(isolate, data, v8::NewStringType::kNormal,
                                 static_cast<int>(size)));
}

// DER that a function of OpenSSL makes, into the bio or as PEM.
template <typename Make>
bool WriteDer(BIO* bio, KeyFormat format, const char* name, Make make) {
  unsigned char* der = nullptr;
  const int size = make(&der);
  if (size <= 0) return false;
  const bool ok = format == KeyFormat::kPem
                      ? Ssl().PEM_write_bio(bio, name, "", der, size) > 0
                      : Ssl().BIO_write(bio, der, size) == size;
  Wipe(der, static_cast<size_t>(size));
  Ssl().CRYPTO_free(der, __FILE__, __LINE__);
  return ok;
}

bool WritePublic(BIO* bio, EVP_PKEY* key, KeyFormat format, KeyForm form) {
  if (form == KeyForm::kPkcs1) {
    return WriteDer(bio, format, "RSA PUBLIC KEY", [key](unsigned char** to) {
      return Ssl().i2d_PublicKey(key, to);
    });
  }
  return WriteDer(bio, format, "PUBLIC KEY", [key](unsigned char** to) {
    return Ssl().i2d_PUBKEY(key, to);
  });
}

bool WritePrivate(BIO* bio, EVP_PKEY* key, KeyFormat format, KeyForm form,
                  const EVP_CIPHER* cipher, const Input& secret) {
  auto* password = const_cast<uint8_t*>(secret.data());
  const auto size = static_cast<int>(secret.size());
  if (form == KeyForm::kPkcs8) {
    const char* text = cipher == nullptr ? nullptr : secret.text();
    const int length = cipher == nullptr ? 0 : size;
    return format == KeyFormat::kPem
               ? Ssl().PEM_write_bio_PKCS8PrivateKey(
                     bio, key, cipher, text, length, nullptr, nullptr) == 1
               : Ssl().i2d_PKCS8PrivateKey_bio(bio, key, cipher, text, length,
                                               nullptr, nullptr) == 1;
  }
  if (format == KeyFormat::kPem) {
    return Ssl().PEM_write_bio_PrivateKey_traditional(
               bio, key, cipher, cipher == nullptr ? nullptr : password,
               cipher == nullptr ? 0 : size, nullptr, nullptr) == 1;
  }
  return WriteDer(bio, format, "", [key](unsigned char** to) {
    return Ssl().i2d_PrivateKey(key, to);
  });
}

// keyWrite(key, isPrivate, format, form, cipher, passphrase) → text or bytes
void KeyWrite(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  EVP_PKEY* key = KeyAt(info, 0);
  if (key == nullptr) return;
  const auto format = static_cast<KeyFormat>(IntAt(info, 2));
  const auto form = static_cast<KeyForm>(IntAt(info, 3));
  const CleanQueue clean;
  Cipher cipher;
  if (info[4]->IsString()) {
    cipher = FetchCipher(TextAt(info, 4));
    if (cipher == nullptr) {
      return ThrowCoded(isolate, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
    }
  }
  const Input secret(isolate, info[5]);
  if (!secret.ok()) return;
  // The buffer that it holds is wiped when it is freed.
  const Bio bio(Ssl().BIO_new(Ssl().BIO_s_secmem()));
  const bool ok = info[1]->IsTrue() ? WritePrivate(bio.get(), key, format, form,
                                                   cipher.get(), secret)
                                    : WritePublic(bio.get(), key, format, form);
  if (ok) return ReturnWritten(info, bio.get(), format);
  ThrowOpenSsl(isolate, info[1]->IsTrue() ? "Failed to encode private key"
                                          : "Failed to encode public key");
}

constexpr NativeFunction kKeyWriteNatives[] = {{"keyWrite", KeyWrite}};

}  // namespace

NativeFunctions KeyWriteNatives() { return kKeyWriteNatives; }

}  // namespace sloppy::workers

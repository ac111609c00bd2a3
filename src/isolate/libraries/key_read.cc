// Keys from PEM and DER, tried in the order in which Node tries them, so that
// errors are the same.
#include <cstring>
#include <functional>
#include <utility>

#include "isolate/libraries/input.h"
#include "isolate/libraries/keys.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/provided_names.h"
#include "isolate/native_functions.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

enum class Read { kOk, kOtherKind, kFailed, kNeedsPassphrase };

struct KeyBytes {
  const uint8_t* data;
  size_t size;
};

// The body of an ASN.1 SEQUENCE; false for anything else.
bool OpenSequence(KeyBytes in, KeyBytes* body) {
  if (in.size < 2 || in.data[0] != 0x30) return false;
  size_t size = 0;
  size_t head = 2;
  if ((in.data[1] & 0x80) != 0) {
    const size_t count = in.data[1] & 0x7f;
    if (count + 2 > in.size || count > sizeof(size)) return false;
    for (size_t i = 0; i < count; ++i) size = size << 8 | in.data[2 + i];
    head += count;
  } else {
    size = in.data[1];
  }
  if (size > in.size - head) size = in.size - head;
  *body = {in.data + head, size};
  return true;
}

// RSAPrivateKey begins with a version of 0 or 1, RSAPublicKey with a modulus.
bool IsRsaPrivate(KeyBytes in) {
  KeyBytes body{};
  return OpenSequence(in, &body) && body.size >= 3 && body.data[0] == 2 &&
         body.data[1] == 1 && (body.data[2] & 0xfe) == 0;
}

// EncryptedPrivateKeyInfo and SubjectPublicKeyInfo begin with a SEQUENCE,
// PrivateKeyInfo and RSAPublicKey with a number.
bool BeginsWithoutNumber(KeyBytes in) {
  KeyBytes body{};
  return OpenSequence(in, &body) && body.size >= 1 && body.data[0] != 2;
}

Bio Over(KeyBytes in) {
  return Bio(Ssl().BIO_new_mem_buf(in.data, static_cast<int>(in.size)));
}

using Parse = EVP_PKEY* (*)(const uint8_t** data, long size);  // NOLINT

Read ReadPemAs(KeyBytes in, const char* name, Parse parse, Key* key) {
  unsigned char* der = nullptr;
  long size = 0;  // NOLINT: as OpenSSL has it
  const Bio bio = Over(in);
  Ssl().ERR_set_mark();
  // Without a passphrase's function, OpenSSL would ask at the terminal.
  const int found = Ssl().PEM_bytes_read_bio(
      &der, &size, nullptr, name, bio.get(), GivePassphrase, nullptr);
  Ssl().ERR_pop_to_mark();
  if (found != 1) return Read::kOtherKind;
  const uint8_t* at = der;
  key->reset(parse(&at, size));
  Ssl().CRYPTO_free(der, __FILE__, __LINE__);
  return *key == nullptr ? Read::kFailed : Read::kOk;
}

// Node leaves RSAPublicKey to OpenSSL's decoders, whose errors are others.
constexpr bool kDecodesPkcs1 = kIsSinceLate24;

EVP_PKEY* DecodePkcs1(const uint8_t** data, size_t size) {
  // OpenSSL's decoders would take a SubjectPublicKeyInfo as well. They refuse
  // nothing at all with the error that Node has for it.
  if (BeginsWithoutNumber({*data, size})) size = 0;
  EVP_PKEY* key = nullptr;
  OSSL_DECODER_CTX* decoder = Ssl().OSSL_DECODER_CTX_new_for_pkey(
      &key, "DER", "type-specific", "RSA", OSSL_KEYMGMT_SELECT_PUBLIC_KEY,
      nullptr, nullptr);
  if (decoder == nullptr) return nullptr;
  const bool is_read = Ssl().OSSL_DECODER_from_data(decoder, data, &size) == 1;
  Ssl().OSSL_DECODER_CTX_free(decoder);
  if (is_read) return key;
  Ssl().EVP_PKEY_free(key);
  return nullptr;
}

EVP_PKEY* ParseSpki(const uint8_t** data, long size) {  // NOLINT
  return Ssl().d2i_PUBKEY(nullptr, data, size);
}
EVP_PKEY* ParsePkcs1(const uint8_t** data, long size) {  // NOLINT
  if (kDecodesPkcs1) return DecodePkcs1(data, static_cast<size_t>(size));
  return Ssl().d2i_PublicKey(EVP_PKEY_RSA, nullptr, data, size);
}
EVP_PKEY* ParseCertificate(const uint8_t** data, long size) {  // NOLINT
  X509* certificate = Ssl().d2i_X509(nullptr, data, size);
  if (certificate == nullptr) return nullptr;
  EVP_PKEY* key = Ssl().X509_get_pubkey(certificate);
  Ssl().X509_free(certificate);
  return key;
}

// Node reads a private key of whatever kind, whatever its form is called.
constexpr bool kReadsAnyKind = kIsSinceNode22;
// Node tries the other forms of a PEM text, too, when a public key in it fails.
constexpr bool kTriesOnAfterFailure = kIsSinceNode22;

Read ReadPublicPem(KeyBytes in, Key* key) {
  constexpr std::pair<const char*, Parse> kForms[] = {
      {"PUBLIC KEY", ParseSpki},
      {"RSA PUBLIC KEY", ParsePkcs1},
      {"CERTIFICATE", ParseCertificate},
  };
  for (const auto& [name, parse] : kForms) {
    const Read read = ReadPemAs(in, name, parse, key);
    if (read == Read::kOk) return read;
    if (read == Read::kFailed && !kTriesOnAfterFailure) return read;
  }
  return Read::kOtherKind;
}

// Node has words of its own for public keys in DER.
constexpr bool kNamesPublicDer = kIsSinceNode22;

Read ReadPrivate(KeyBytes in, KeyFormat format, KeyForm form,
                 Passphrase* passphrase, Key* key) {
  const uint8_t* at = in.data;
  const auto size = static_cast<long>(in.size);  // NOLINT
  if (format == KeyFormat::kPem) {
    key->reset(Ssl().PEM_read_bio_PrivateKey(Over(in).get(), nullptr,
                                             GivePassphrase, passphrase));
  } else if (kReadsAnyKind && form != KeyForm::kPkcs8) {
    key->reset(Ssl().d2i_PrivateKey_bio(Over(in).get(), nullptr));
  } else if (form == KeyForm::kPkcs1) {
    key->reset(Ssl().d2i_PrivateKey(EVP_PKEY_RSA, nullptr, &at, size));
  } else if (form == KeyForm::kSec1) {
    key->reset(Ssl().d2i_PrivateKey(EVP_PKEY_EC, nullptr, &at, size));
  } else if (BeginsWithoutNumber(in)) {
    key->reset(Ssl().d2i_PKCS8PrivateKey_bio(Over(in).get(), nullptr,
                                             GivePassphrase, passphrase));
  } else {
    PKCS8_PRIV_KEY_INFO* found =
        Ssl().d2i_PKCS8_PRIV_KEY_INFO_bio(Over(in).get(), nullptr);
    if (found != nullptr) {
      key->reset(Ssl().EVP_PKCS82PKEY(found));
      Ssl().PKCS8_PRIV_KEY_INFO_free(found);
    }
  }
  const auto error = Ssl().ERR_peek_error();
  if (error != 0) key->reset();
  if (*key != nullptr) return Read::kOk;
  const bool asked = ERR_GET_LIB(error) == ERR_LIB_PEM &&
                     ERR_GET_REASON(error) == PEM_R_BAD_PASSWORD_READ;
  return asked && passphrase->data == nullptr ? Read::kNeedsPassphrase
                                              : Read::kFailed;
}

bool MayBePrivate(KeyBytes in, KeyForm form) {
  return form == KeyForm::kPkcs8 || form == KeyForm::kSec1 ||
         (form == KeyForm::kPkcs1 && IsRsaPrivate(in));
}

Read ReadPublicDer(KeyBytes in, KeyForm form, Key* key) {
  const uint8_t* at = in.data;
  const auto size = static_cast<long>(in.size);  // NOLINT
  key->reset(form == KeyForm::kPkcs1 ? ParsePkcs1(&at, size)
                                     : ParseSpki(&at, size));
  return *key == nullptr ? Read::kFailed : Read::kOk;
}

// keyRead(data, isPrivate, format, form, passphrase) → key; of a private one
// where a public one is wanted, which has both
void KeyRead(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Input data(isolate, info[0]);
  const Input secret(isolate, info[4]);
  if (!data.ok() || !secret.ok()) return;
  const bool wants_private = info[1]->IsTrue();
  const auto format = static_cast<KeyFormat>(IntAt(info, 2));
  const auto form = static_cast<KeyForm>(IntAt(info, 3));
  Passphrase passphrase;
  if (!info[4]->IsNullOrUndefined()) {
    passphrase = {secret.text(), secret.size()};
  }
  const CleanQueue clean;
  Ssl().ERR_clear_error();
  const KeyBytes in{data.data(), data.size()};
  Key key;
  Read read = Read::kOtherKind;
  if (!wants_private && format == KeyFormat::kPem) {
    read = ReadPublicPem(in, &key);
  } else if (!wants_private && !MayBePrivate(in, form)) {
    read = ReadPublicDer(in, form, &key);
    if (kNamesPublicDer && read == Read::kFailed) {
      return ThrowBesideOpenSsl(isolate, "Failed to read asymmetric key");
    }
  }
  const bool looked_private = read == Read::kOtherKind;
  if (looked_private) read = ReadPrivate(in, format, form, &passphrase, &key);
  if (read == Read::kOk) return ReturnKey(info, std::move(key));
  if (read == Read::kNeedsPassphrase) {
    return ThrowTyped(isolate, "ERR_MISSING_PASSPHRASE",
                      "Passphrase required for encrypted key");
  }
  const bool says_private = kIsSinceNode22 ? looked_private : wants_private;
  ThrowOpenSsl(isolate,
               says_private ? "Failed to read private key"
                            : "Failed to read asymmetric key",
               kKeyErrorsRepeat);
}

constexpr NativeFunction kKeyReadNatives[] = {{"keyRead", KeyRead}};

}  // namespace

int GivePassphrase(char* to, int room, int /*writes*/, void* passphrase) {
  const auto* given = static_cast<const Passphrase*>(passphrase);
  if (given == nullptr || given->data == nullptr ||
      given->size > static_cast<size_t>(room)) {
    return -1;
  }
  std::memcpy(to, given->data, given->size);
  return static_cast<int>(given->size);
}

NativeFunctions KeyReadNatives() { return kKeyReadNatives; }

}  // namespace sloppy::workers

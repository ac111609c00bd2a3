// The uses of keys other than signing: encrypt, decrypt, agree on a secret.
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "isolate/libraries/digests.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/keys.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/output.h"
#include "isolate/libraries/provided_names.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

using Init = int (*)(EVP_PKEY_CTX*);
using Run = int (*)(EVP_PKEY_CTX*, unsigned char*, size_t*,
                    const unsigned char*, size_t);

// Node's text where OpenSSL has left no error.
constexpr char kNoError[] = "error:00000000:lib(0)::reason(0)";
constexpr int kPrivateDecrypt = 1;

struct Operation {
  Init init;
  Run run;
};

// Whether this OpenSSL hides from callers which padding was wrong; Node refuses
// to decrypt PKCS #1 with one that tells (CVE-2023-46809).
bool HidesPadding(EVP_PKEY* key) {
  const KeyContext context(
      Ssl().EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  return Ssl().EVP_PKEY_decrypt_init(context.get()) > 0 &&
         Ssl().EVP_PKEY_CTX_ctrl_str(context.get(),
                                     "rsa_pkcs1_implicit_rejection", "1") > 0;
}

constexpr const char* kTellsPadding =
    kIsSinceNode22
        ? "RSA_PKCS1_PADDING is no longer supported for private decryption"
        : "RSA_PKCS1_PADDING is no longer supported for private decryption, "
          "this can be reverted with --security-revert=CVE-2023-46809";

// crypt(operation, key, data, padding, hash id, label, isJob) → bytes;
// operations: 0 publicEncrypt, 1 privateDecrypt, 2 privateEncrypt, 3
// publicDecrypt
void Crypt(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Operation operations[] = {
      {Ssl().EVP_PKEY_encrypt_init, Ssl().EVP_PKEY_encrypt},
      {Ssl().EVP_PKEY_decrypt_init, Ssl().EVP_PKEY_decrypt},
      {Ssl().EVP_PKEY_sign_init, Ssl().EVP_PKEY_sign},
      {Ssl().EVP_PKEY_verify_recover_init, Ssl().EVP_PKEY_verify_recover}};
  const Operation& operation =
      operations[static_cast<size_t>(IntAt(info, 0)) % std::size(operations)];
  EVP_PKEY* key = KeyAt(info, 1);
  const Input data(isolate, info[2]);
  const Input label(isolate, info[5]);
  if (key == nullptr || !data.ok() || !label.ok()) return;
  const CleanQueue clean;
  if (IntAt(info, 0) == kPrivateDecrypt && IsRsa(key) &&
      IntAt(info, 3) == RSA_PKCS1_PADDING && !HidesPadding(key)) {
    return ThrowTyped(isolate, "ERR_INVALID_ARG_VALUE", kTellsPadding);
  }
  const auto fail = [isolate, &info] {
    info[6]->IsTrue() ? ThrowOfJob(isolate, "Cipher job failed")
                      : ThrowOpenSsl(isolate, kNoError);
  };
  const KeyContext context(
      Ssl().EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  if (context == nullptr || operation.init(context.get()) <= 0 ||
      Ssl().EVP_PKEY_CTX_set_rsa_padding(
          context.get(), static_cast<int>(IntAt(info, 3))) <= 0) {
    return fail();
  }
  const EVP_MD* digest = DigestAt(info, 4);
  if (digest != nullptr &&
      (Ssl().EVP_PKEY_CTX_set_rsa_oaep_md(context.get(), digest) <= 0 ||
       Ssl().EVP_PKEY_CTX_set_rsa_mgf1_md(context.get(), digest) <= 0)) {
    return fail();
  }
  if (label.size() > 0) {
    const OSSL_PARAM params[] = {
        Ssl().OSSL_PARAM_construct_octet_string(
            "oaep-label", const_cast<uint8_t*>(label.data()), label.size()),
        Ssl().OSSL_PARAM_construct_end()};
    if (Ssl().EVP_PKEY_CTX_set_params(context.get(), params) != 1) {
      return fail();
    }
  }
  size_t size = 0;
  if (operation.run(context.get(), nullptr, &size, data.data(), data.size()) <=
      0) {
    return fail();
  }
  std::vector<uint8_t> out(size);
  const bool ok = operation.run(context.get(), out.data(), &size, data.data(),
                                data.size()) > 0;
  if (ok) Return(info, NewBytes(isolate, out.data(), size));
  Wipe(out.data(), out.size());
  if (!ok) fail();
}

// agree(own, other) → the shared secret
void Agree(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  EVP_PKEY* own = KeyAt(info, 0);
  EVP_PKEY* other = KeyAt(info, 1);
  if (own == nullptr || other == nullptr) return;
  const CleanQueue clean;
  const KeyContext context(
      Ssl().EVP_PKEY_CTX_new_from_pkey(nullptr, own, nullptr));
  size_t size = 0;
  bool ok = context != nullptr &&
            Ssl().EVP_PKEY_derive_init(context.get()) == 1 &&
            Ssl().EVP_PKEY_derive_set_peer(context.get(), other) == 1 &&
            Ssl().EVP_PKEY_derive(context.get(), nullptr, &size) == 1;
  const size_t room = size;
  std::vector<uint8_t> out(room);
  ok = ok && Ssl().EVP_PKEY_derive(context.get(), out.data(), &size) == 1;
  if (ok) {
    // The secret of Diffie and Hellman, as long as the prime.
    std::vector<uint8_t> padded(room - size, 0);
    padded.insert(padded.end(), out.begin(),
                  out.begin() + static_cast<std::ptrdiff_t>(size));
    Return(info, NewBytes(isolate, padded.data(), padded.size()));
    Wipe(padded.data(), padded.size());
  }
  Wipe(out.data(), out.size());
  if (!ok) ThrowOpenSsl(isolate, "diffieHellman failed");
}

// Node's texts have changed in 26.
constexpr const char* kNotSealed =
    kIsSinceNode26 ? "Encapsulation failed" : "Failed to perform encapsulation";
constexpr const char* kNotOpened =
    kIsSinceNode26 ? "Decapsulation failed" : "Failed to perform decapsulation";

bool StartKem(EVP_PKEY_CTX* context, EVP_PKEY* key, bool seals) {
  if (context == nullptr) return false;
  const int done = seals ? Ssl().EVP_PKEY_encapsulate_init(context, nullptr)
                         : Ssl().EVP_PKEY_decapsulate_init(context, nullptr);
  if (done != 1) return false;
  // Others know one operation only.
  const std::string kind = KindOf(key);
  const char* name = kind == "rsa"                  ? "RSASVE"
                     : kind.rfind("ml-kem", 0) == 0 ? nullptr
                                                    : "DHKEM";
  if (name == nullptr) return true;
  const OSSL_PARAM params[] = {Ssl().OSSL_PARAM_construct_utf8_string(
                                   "operation", const_cast<char*>(name), 0),
                               Ssl().OSSL_PARAM_construct_end()};
  return Ssl().EVP_PKEY_CTX_set_params(context, params) == 1;
}

// encapsulate(key) → [shared key, ciphertext]
void Encapsulate(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  EVP_PKEY* key = KeyAt(info, 0);
  if (key == nullptr) return;
  const CleanQueue clean;
  const KeyContext context(
      Ssl().EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  size_t sealed_size = 0;
  size_t secret_size = 0;
  if (!StartKem(context.get(), key, true) ||
      Ssl().EVP_PKEY_encapsulate(context.get(), nullptr, &sealed_size, nullptr,
                                 &secret_size) != 1) {
    return ThrowCoded(isolate, kOperationFailed, kNotSealed);
  }
  std::vector<uint8_t> sealed(sealed_size);
  std::vector<uint8_t> secret(secret_size);
  if (Ssl().EVP_PKEY_encapsulate(context.get(), sealed.data(), &sealed_size,
                                 secret.data(), &secret_size) != 1) {
    return ThrowCoded(isolate, kOperationFailed, kNotSealed);
  }
  v8::Local<v8::Uint8Array> first;
  v8::Local<v8::Uint8Array> second;
  if (NewBytes(isolate, secret.data(), secret_size).ToLocal(&first) &&
      NewBytes(isolate, sealed.data(), sealed_size).ToLocal(&second)) {
    v8::Local<v8::Value> row[] = {first, second};
    info.GetReturnValue().Set(v8::Array::New(isolate, row, std::size(row)));
  }
  Wipe(secret.data(), secret.size());
}

// decapsulate(key, ciphertext) → the shared key
void Decapsulate(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  EVP_PKEY* key = KeyAt(info, 0);
  const Input sealed(isolate, info[1]);
  if (key == nullptr || !sealed.ok()) return;
  const CleanQueue clean;
  const KeyContext context(
      Ssl().EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  size_t size = 0;
  if (!StartKem(context.get(), key, false) ||
      Ssl().EVP_PKEY_decapsulate(context.get(), nullptr, &size, sealed.data(),
                                 sealed.size()) != 1) {
    return ThrowCoded(isolate, kOperationFailed, kNotOpened);
  }
  std::vector<uint8_t> secret(size);
  const bool ok =
      Ssl().EVP_PKEY_decapsulate(context.get(), secret.data(), &size,
                                 sealed.data(), sealed.size()) == 1;
  if (ok) Return(info, NewBytes(isolate, secret.data(), size));
  Wipe(secret.data(), secret.size());
  if (!ok) ThrowCoded(isolate, kOperationFailed, kNotOpened);
}

constexpr NativeFunction kKeyUseNatives[] = {
    {"crypt", Crypt},
    {"agree", Agree},
    {"encapsulate", Encapsulate},
    {"decapsulate", Decapsulate},
};

}  // namespace

NativeFunctions KeyUseNatives() { return kKeyUseNatives; }

}  // namespace sloppy::workers

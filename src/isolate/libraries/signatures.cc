// Signatures, of whole messages and of digests.
#include <string>
#include <utility>
#include <vector>

#include "isolate/libraries/digests.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/keys.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/output.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

constexpr int64_t kNotGiven = -1000;

// A number at `index`, kNotGiven for what is none.
int64_t OptionAt(const Info& info, int index) {
  return info[index]->IsNumber() ? IntAt(info, index) : kNotGiven;
}

// Padding and salt of an RSA signature; nothing for other keys.
bool SetScheme(EVP_PKEY_CTX* context, const EVP_PKEY* key, int64_t padding,
               int64_t salt, const EVP_MD* digest) {
  if (!IsRsa(key)) return true;
  if (padding == kNotGiven) {
    padding =
        KindOf(key) == "rsa-pss" ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING;
  }
  if (Ssl().EVP_PKEY_CTX_set_rsa_padding(context, static_cast<int>(padding)) <=
      0) {
    return false;
  }
  if (digest != nullptr &&
      Ssl().EVP_PKEY_CTX_set_signature_md(context, digest) <= 0) {
    return false;
  }
  // Newer versions of OpenSSL have another default when they sign.
  if (salt == kNotGiven && KindOf(key) != "rsa-pss") {
    salt = RSA_PSS_SALTLEN_AUTO;
  }
  return padding != RSA_PKCS1_PSS_PADDING || salt == kNotGiven ||
         Ssl().EVP_PKEY_CTX_set_rsa_pss_saltlen(context,
                                                static_cast<int>(salt)) > 0;
}

// Half of the length of r || s, 0 for keys that have no such form.
size_t HalfOf(const EVP_PKEY* key) {
  const std::string kind = KindOf(key);
  if (kind == "dsa") {
    BIGNUM* found = nullptr;
    if (Ssl().EVP_PKEY_get_bn_param(key, "q", &found) != 1) return 0;
    const Bignum q(found);
    return static_cast<size_t>(Ssl().BN_num_bits(q.get()) + 7) / 8;
  }
  if (kind != "ec") return 0;
  BIGNUM* found = nullptr;
  if (Ssl().EVP_PKEY_get_bn_param(key, "order", &found) != 1) return 0;
  const Bignum order(found);
  return static_cast<size_t>(Ssl().BN_num_bits(order.get()) + 7) / 8;
}

using Pair = Owned<ECDSA_SIG, &Crypto::ECDSA_SIG_free>;

// r || s of a signature in DER; false for what is none.
bool ToHalves(const std::vector<uint8_t>& der, size_t half,
              std::vector<uint8_t>* halves) {
  const uint8_t* at = der.data();
  const Pair pair(
      Ssl().d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (pair == nullptr) return false;
  const BIGNUM* r = nullptr;
  const BIGNUM* s = nullptr;
  Ssl().ECDSA_SIG_get0(pair.get(), &r, &s);
  halves->resize(2 * half);
  const auto size = static_cast<int>(half);
  return Ssl().BN_bn2binpad(r, halves->data(), size) == size &&
         Ssl().BN_bn2binpad(s, halves->data() + half, size) == size;
}

// The DER of r || s; empty for another length.
std::vector<uint8_t> FromHalves(const Input& halves, size_t half) {
  if (halves.size() != 2 * half) return {};
  const Pair pair(Ssl().ECDSA_SIG_new());
  const auto size = static_cast<int>(half);
  Ssl().ECDSA_SIG_set0(pair.get(),
                       Ssl().BN_bin2bn(halves.data(), size, nullptr),
                       Ssl().BN_bin2bn(halves.data() + half, size, nullptr));
  unsigned char* der = nullptr;
  const int length = Ssl().i2d_ECDSA_SIG(pair.get(), &der);
  if (length <= 0) return {};
  std::vector<uint8_t> bytes(der, der + length);
  Ssl().CRYPTO_free(der, __FILE__, __LINE__);
  return bytes;
}

void ReturnSignature(const Info& info, const EVP_PKEY* key,
                     std::vector<uint8_t> der, bool as_halves, bool is_job) {
  v8::Isolate* isolate = info.GetIsolate();
  const size_t half = as_halves ? HalfOf(key) : 0;
  if (half != 0) {
    std::vector<uint8_t> halves;
    if (!ToHalves(der, half, &halves)) {
      return is_job
                 ? ThrowOfJob(isolate, "Malformed signature")
                 : ThrowCoded(isolate, kOperationFailed, "Malformed signature");
    }
    der = std::move(halves);
  }
  Return(info, NewBytes(isolate, der.data(), der.size()));
}

// A key's whole-message context. A context string is a parameter of the
// algorithm, which 3.2 and later know.
bool StartWhole(const Info& info, EVP_MD_CTX* context, EVP_PKEY* key,
                const EVP_MD* digest, bool signs, int scheme) {
  EVP_PKEY_CTX* inner = nullptr;
  const int done =
      signs ? Ssl().EVP_DigestSignInit(context, &inner, digest, nullptr, key)
            : Ssl().EVP_DigestVerifyInit(context, &inner, digest, nullptr, key);
  if (done != 1) return false;
  if (!SetScheme(inner, key, OptionAt(info, scheme), OptionAt(info, scheme + 1),
                 nullptr)) {
    return false;
  }
  const Input label(info.GetIsolate(), info[scheme + 3]);
  if (!label.ok() || label.size() == 0) return true;
  // Ed25519 without an instance has no context (RFC 8032).
  const bool is_named = KindOf(key) == "ed25519";
  const OSSL_PARAM instance = Ssl().OSSL_PARAM_construct_utf8_string(
      "instance", const_cast<char*>("Ed25519ctx"), 0);
  const OSSL_PARAM end = Ssl().OSSL_PARAM_construct_end();
  const OSSL_PARAM params[] = {
      Ssl().OSSL_PARAM_construct_octet_string(
          "context-string", const_cast<uint8_t*>(label.data()), label.size()),
      is_named ? instance : end, end};
  return Ssl().EVP_PKEY_CTX_set_params(inner, params) == 1;
}

// sign(hash id, key, data, padding, salt, asHalves, context) → bytes
void Sign(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  EVP_PKEY* key = KeyAt(info, 1);
  const Input data(isolate, info[2]);
  if (key == nullptr || !data.ok()) return;
  const CleanQueue clean;
  const DigestContext context(Ssl().EVP_MD_CTX_new());
  size_t size = 0;
  std::vector<uint8_t> der;
  bool ok = StartWhole(info, context.get(), key, DigestAt(info, 0), true, 3) &&
            Ssl().EVP_DigestSign(context.get(), nullptr, &size, data.data(),
                                 data.size()) == 1;
  if (ok) {
    der.resize(size);
    ok = Ssl().EVP_DigestSign(context.get(), der.data(), &size, data.data(),
                              data.size()) == 1;
    der.resize(size);
  }
  if (!ok) return ThrowOpenSsl(isolate, "Sign failed");
  ReturnSignature(info, key, std::move(der), info[5]->IsTrue(), true);
}

// verify(hash id, key, data, signature, padding, salt, asHalves, context)
void Verify(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  EVP_PKEY* key = KeyAt(info, 1);
  const Input data(isolate, info[2]);
  const Input given(isolate, info[3]);
  if (key == nullptr || !data.ok() || !given.ok()) return;
  const CleanQueue clean;
  const size_t half = info[6]->IsTrue() ? HalfOf(key) : 0;
  const DigestContext context(Ssl().EVP_MD_CTX_new());
  if (!StartWhole(info, context.get(), key, DigestAt(info, 0), false, 4)) {
    return ThrowOpenSsl(isolate, "Verify failed");
  }
  std::vector<uint8_t> der;
  if (half != 0) {
    der = FromHalves(given, half);
    if (der.empty()) return info.GetReturnValue().Set(false);
  }
  info.GetReturnValue().Set(
      Ssl().EVP_DigestVerify(context.get(),
                             half != 0 ? der.data() : given.data(),
                             half != 0 ? der.size() : given.size(), data.data(),
                             data.size()) == 1);
}

// signDigest(hash id, key, digest, padding, salt, asHalves) → bytes
void SignDigest(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  EVP_PKEY* key = KeyAt(info, 1);
  const Input digest(isolate, info[2]);
  if (key == nullptr || !digest.ok()) return;
  const CleanQueue clean;
  if (SignsWhole(key)) {
    return ThrowCoded(isolate, "ERR_CRYPTO_UNSUPPORTED_OPERATION",
                      "Unsupported crypto operation");
  }
  const KeyContext context(
      Ssl().EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  size_t size = static_cast<size_t>(Ssl().EVP_PKEY_get_size(key));
  std::vector<uint8_t> der(size);
  const bool ok = context != nullptr &&
                  Ssl().EVP_PKEY_sign_init(context.get()) == 1 &&
                  SetScheme(context.get(), key, OptionAt(info, 3),
                            OptionAt(info, 4), DigestAt(info, 0)) &&
                  Ssl().EVP_PKEY_CTX_set_signature_md(context.get(),
                                                      DigestAt(info, 0)) > 0 &&
                  Ssl().EVP_PKEY_sign(context.get(), der.data(), &size,
                                      digest.data(), digest.size()) == 1;
  if (!ok) return ThrowOpenSsl(isolate, "PEM_read_bio_PrivateKey failed");
  der.resize(size);
  ReturnSignature(info, key, std::move(der), info[5]->IsTrue(), false);
}

// verifyDigest(hash id, key, digest, signature, padding, salt, asHalves)
void VerifyDigest(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  EVP_PKEY* key = KeyAt(info, 1);
  const Input digest(isolate, info[2]);
  const Input given(isolate, info[3]);
  if (key == nullptr || !digest.ok() || !given.ok()) return;
  const CleanQueue clean;
  if (SignsWhole(key)) {
    return ThrowCoded(isolate, "ERR_CRYPTO_UNSUPPORTED_OPERATION",
                      "Unsupported crypto operation");
  }
  const size_t half = info[6]->IsTrue() ? HalfOf(key) : 0;
  std::vector<uint8_t> der;
  if (half != 0) {
    der = FromHalves(given, half);
    if (der.empty()) {
      return ThrowOpenSsl(isolate, "Malformed signature");
    }
  }
  const KeyContext context(
      Ssl().EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  if (context == nullptr || Ssl().EVP_PKEY_verify_init(context.get()) != 1) {
    return ThrowOpenSsl(isolate, "PEM_read_bio_PUBKEY failed");
  }
  const bool ready =
      SetScheme(context.get(), key, OptionAt(info, 4), OptionAt(info, 5),
                DigestAt(info, 0)) &&
      Ssl().EVP_PKEY_CTX_set_signature_md(context.get(), DigestAt(info, 0)) > 0;
  info.GetReturnValue().Set(
      ready && Ssl().EVP_PKEY_verify(context.get(),
                                     half != 0 ? der.data() : given.data(),
                                     half != 0 ? der.size() : given.size(),
                                     digest.data(), digest.size()) == 1);
}

constexpr NativeFunction kSignaturesNatives[] = {
    {"sign", Sign},
    {"verify", Verify},
    {"signDigest", SignDigest},
    {"verifyDigest", VerifyDigest},
};

}  // namespace

NativeFunctions SignatureNatives() { return kSignaturesNatives; }

}  // namespace sloppy::workers

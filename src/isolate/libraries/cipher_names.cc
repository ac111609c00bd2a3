#include "isolate/libraries/cipher_names.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "isolate/libraries/arguments.h"
#include "isolate/libraries/provided_names.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

const char* ModeOf(const EVP_CIPHER* cipher) {
  switch (Ssl().EVP_CIPHER_get_mode(cipher)) {
    case EVP_CIPH_CBC_MODE:
      return "cbc";
    case EVP_CIPH_CCM_MODE:
      return "ccm";
    case EVP_CIPH_CFB_MODE:
      return "cfb";
    case EVP_CIPH_CTR_MODE:
      return "ctr";
    case EVP_CIPH_ECB_MODE:
      return "ecb";
    case EVP_CIPH_GCM_MODE:
      return "gcm";
    case EVP_CIPH_OCB_MODE:
      return "ocb";
    case EVP_CIPH_OFB_MODE:
      return "ofb";
    case EVP_CIPH_WRAP_MODE:
      return "wrap";
    case EVP_CIPH_SIV_MODE:
      return "siv";
    case kGcmSivMode:
      return "gcm-siv";
    case EVP_CIPH_XTS_MODE:
      return "xts";
    case EVP_CIPH_STREAM_CIPHER:
      return "stream";
    default:
      return "";
  }
}

// Whether a context of this cipher takes such lengths; -1 leaves one out.
bool Fits(const EVP_CIPHER* cipher, int64_t key_length, int64_t iv_length) {
  const CipherContext context(Ssl().EVP_CIPHER_CTX_new());
  if (Ssl().EVP_CipherInit_ex(context.get(), cipher, nullptr, nullptr, nullptr,
                              1) != 1) {
    return false;
  }
  if (key_length >= 0 &&
      Ssl().EVP_CIPHER_CTX_set_key_length(context.get(),
                                          static_cast<int>(key_length)) != 1) {
    return false;
  }
  if (iv_length < 0) return true;
  switch (Ssl().EVP_CIPHER_get_mode(cipher)) {
    case EVP_CIPH_CCM_MODE:
      return iv_length >= 7 && iv_length <= 13;
    case EVP_CIPH_GCM_MODE:
      // Node leaves this to the use of the cipher since 24.
      if (kIsSinceNode24) return true;
      [[fallthrough]];
    case EVP_CIPH_OCB_MODE:
      return Ssl().EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN,
                                       static_cast<int>(iv_length),
                                       nullptr) == 1;
    default:
      return iv_length == Ssl().EVP_CIPHER_get_iv_length(cipher);
  }
}

void AddName(const EVP_CIPHER* /*cipher*/, const char* from, const char* /*to*/,
             void* names) {
  if (from == nullptr) return;
  static_cast<std::vector<std::string>*>(names)->push_back(
      kKnowsProvided ? InLowerCase(from) : from);
}

void AddProvided(EVP_CIPHER* cipher, void* names) {
  Ssl().EVP_CIPHER_names_do_all(cipher, AddProvidedName, names);
}

// Whether Node lets programs have what providers have by this name.
bool IsOffered(const EVP_CIPHER* cipher, const std::string& name) {
  if (!kKnowsProvided) {
    return Ssl().EVP_get_cipherbyname(name.c_str()) != nullptr;
  }
  // Those of TLS records alone, such as AES-128-CBC-HMAC-SHA1, are left out.
  const bool is_of_tls =
      Ssl().EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CBC_MODE &&
      (Ssl().EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
  return !is_of_tls && !DoesNothing(Ssl().EVP_CIPHER_get0_name(cipher));
}

}  // namespace

Cipher FetchCipher(const std::string& name) {
  const CleanQueue clean;
  Cipher found(Ssl().EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr));
  if (found != nullptr) {
    return IsOffered(found.get(), name) ? std::move(found) : nullptr;
  }
  const EVP_CIPHER* alias = Ssl().EVP_get_cipherbyname(name.c_str());
  const char* own =
      alias == nullptr ? nullptr : Ssl().EVP_CIPHER_get0_name(alias);
  return Cipher(own == nullptr ? nullptr
                               : Ssl().EVP_CIPHER_fetch(nullptr, own, nullptr));
}

bool Authenticates(const EVP_CIPHER* cipher) {
  switch (Ssl().EVP_CIPHER_get_mode(cipher)) {
    case EVP_CIPH_CCM_MODE:
    case EVP_CIPH_GCM_MODE:
    case EVP_CIPH_OCB_MODE:
    case EVP_CIPH_SIV_MODE:
    case kGcmSivMode:
      return true;
    case EVP_CIPH_STREAM_CIPHER:
      return Ssl().EVP_CIPHER_get_nid(cipher) == NID_chacha20_poly1305;
    default:
      return false;
  }
}

void CipherInfo(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const CleanQueue clean;
  std::string wanted = TextAt(info, 0);
  if (info[0]->IsNumber()) {
    const char* text = Ssl().OBJ_nid2sn(static_cast<int>(IntAt(info, 0)));
    wanted = text == nullptr ? "" : text;
  }
  const Cipher cipher = FetchCipher(wanted);
  if (cipher == nullptr) return;
  const int64_t key_length = IntAt(info, 1);
  const int64_t iv_length = IntAt(info, 2);
  if ((key_length >= 0 || iv_length >= 0) &&
      !Fits(cipher.get(), key_length, iv_length)) {
    return;
  }
  const int nid = Ssl().EVP_CIPHER_get_nid(cipher.get());
  const char* own = nid == NID_undef ? Ssl().EVP_CIPHER_get0_name(cipher.get())
                                     : Ssl().OBJ_nid2sn(nid);
  const std::string name = InLowerCase(own == nullptr ? wanted : own);
  const auto text = [isolate](const std::string& from) {
    return v8::String::NewFromUtf8(isolate, from.c_str());
  };
  v8::Local<v8::String> mode;
  v8::Local<v8::String> shown;
  if (!text(ModeOf(cipher.get())).ToLocal(&mode) ||
      !text(name).ToLocal(&shown)) {
    return;
  }
  const bool is_stream =
      Ssl().EVP_CIPHER_get_mode(cipher.get()) == EVP_CIPH_STREAM_CIPHER;
  v8::Local<v8::Value> row[] = {
      mode,
      shown,
      v8::Integer::New(isolate, nid),
      v8::Integer::New(
          isolate,
          is_stream ? 0 : Ssl().EVP_CIPHER_get_block_size(cipher.get())),
      v8::Integer::New(isolate, iv_length >= 0 ? static_cast<int>(iv_length)
                                               : Ssl().EVP_CIPHER_get_iv_length(
                                                     cipher.get())),
      v8::Integer::New(isolate,
                       key_length >= 0
                           ? static_cast<int>(key_length)
                           : Ssl().EVP_CIPHER_get_key_length(cipher.get()))};
  info.GetReturnValue().Set(v8::Array::New(isolate, row, std::size(row)));
}

void CipherNames(const v8::FunctionCallbackInfo<v8::Value>& info) {
  std::vector<std::string> names;
  Ssl().EVP_CIPHER_do_all_sorted(AddName, &names);
  if (kKnowsProvided) {
    Ssl().EVP_CIPHER_do_all_provided(nullptr, AddProvided, &names);
  }
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string& name) {
                               return FetchCipher(name) == nullptr;
                             }),
              names.end());
  Ssl().ERR_clear_error();
  ReturnTexts(info, names);
}

}  // namespace sloppy::workers

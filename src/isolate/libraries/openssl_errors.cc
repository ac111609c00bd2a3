#include <array>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "isolate/libraries/openssl.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// Libraries whose name is a part of Node's codes.
constexpr std::pair<int, const char*> kPrefixes[] = {
    {ERR_LIB_SYS, "SYS_"},
    {ERR_LIB_BN, "BN_"},
    {ERR_LIB_RSA, "RSA_"},
    {ERR_LIB_DH, "DH_"},
    {ERR_LIB_EVP, "EVP_"},
    {ERR_LIB_BUF, "BUF_"},
    {ERR_LIB_OBJ, "OBJ_"},
    {ERR_LIB_PEM, "PEM_"},
    {ERR_LIB_DSA, "DSA_"},
    {ERR_LIB_X509, "X509_"},
    {ERR_LIB_ASN1, "ASN1_"},
    {ERR_LIB_CONF, "CONF_"},
    {ERR_LIB_CRYPTO, "CRYPTO_"},
    {ERR_LIB_EC, "EC_"},
    {ERR_LIB_BIO, "BIO_"},
    {ERR_LIB_PKCS7, "PKCS7_"},
    {ERR_LIB_X509V3, "X509V3_"},
    {ERR_LIB_PKCS12, "PKCS12_"},
    {ERR_LIB_RAND, "RAND_"},
    {ERR_LIB_DSO, "DSO_"},
    {ERR_LIB_ENGINE, "ENGINE_"},
    {ERR_LIB_OCSP, "OCSP_"},
    {ERR_LIB_UI, "UI_"},
    {ERR_LIB_COMP, "COMP_"},
    {ERR_LIB_ECDSA, "ECDSA_"},
    {ERR_LIB_ECDH, "ECDH_"},
    {ERR_LIB_OSSL_STORE, "OSSL_STORE_"},
    {ERR_LIB_FIPS, "FIPS_"},
    {ERR_LIB_CMS, "CMS_"},
    {ERR_LIB_TS, "TS_"},
    {ERR_LIB_HMAC, "HMAC_"},
    {ERR_LIB_CT, "CT_"},
    {ERR_LIB_ASYNC, "ASYNC_"},
    {ERR_LIB_KDF, "KDF_"},
    {ERR_LIB_SM2, "SM2_"},
    {ERR_LIB_USER, "USER_"},
};

using Number = unsigned long;  // NOLINT: as OpenSSL has it

std::string MessageOf(Number error) {
  std::array<char, 256> text{};
  Ssl().ERR_error_string_n(error, text.data(), text.size());
  return text.data();
}

std::vector<std::string> TakeQueue() {
  std::vector<std::string> messages;
  while (const Number error = Ssl().ERR_get_error()) {
    messages.push_back(MessageOf(error));
  }
  return messages;
}

std::string CodeOf(Number error, const char* reason) {
  std::string code = "ERR_OSSL_";
  for (const auto& [library, prefix] : kPrefixes) {
    if (library == ERR_GET_LIB(error)) code += prefix;
  }
  for (const char* at = reason; *at != '\0'; ++at) {
    code +=
        *at == ' '
            ? '_'
            : static_cast<char>(std::toupper(static_cast<unsigned char>(*at)));
  }
  return code;
}

class Thrown {
 public:
  enum class Kind { kError, kType, kRange };

  Thrown(v8::Isolate* isolate, const std::string& message,
         Kind kind = Kind::kError)
      : isolate_(isolate), context_(isolate->GetCurrentContext()) {
    v8::Local<v8::String> text;
    if (!Text(message).ToLocal(&text)) return;
    error_ = (kind == Kind::kType    ? v8::Exception::TypeError(text)
              : kind == Kind::kRange ? v8::Exception::RangeError(text)
                                     : v8::Exception::Error(text))
                 .As<v8::Object>();
  }
  void Set(const char* name, const std::string& value) {
    v8::Local<v8::String> text;
    if (Text(value).ToLocal(&text)) Set(name, text);
  }
  // The newest first.
  void SetStack(const std::vector<std::string>& messages) {
    if (messages.empty()) return;
    std::vector<v8::Local<v8::Value>> texts;
    for (auto at = messages.rbegin(); at != messages.rend(); ++at) {
      v8::Local<v8::String> text;
      if (!Text(*at).ToLocal(&text)) return;
      texts.push_back(text);
    }
    Set("opensslErrorStack",
        v8::Array::New(isolate_, texts.data(), texts.size()));
  }
  void Throw() {
    if (!error_.IsEmpty()) isolate_->ThrowException(error_);
  }

 private:
  v8::MaybeLocal<v8::String> Text(const std::string& text) {
    return v8::String::NewFromUtf8(isolate_, text.data(),
                                   v8::NewStringType::kNormal,
                                   static_cast<int>(text.size()));
  }
  void Set(const char* name, v8::Local<v8::Value> value) {
    v8::Local<v8::String> key;
    if (error_.IsEmpty() || !Text(name).ToLocal(&key)) return;
    (void)error_->CreateDataProperty(context_, key, value).FromMaybe(false);
  }

  v8::Isolate* const isolate_;
  v8::Local<v8::Context> context_;
  v8::Local<v8::Object> error_;
};

void ThrowMessage(v8::Isolate* isolate, Number error,
                  const std::string& message,
                  const std::vector<std::string>& stack) {
  Thrown thrown(isolate, message);
  thrown.SetStack(stack);
  if (error != 0) {
    const char* library = Ssl().ERR_lib_error_string(error);
    const char* reason = Ssl().ERR_reason_error_string(error);
    if (library != nullptr) thrown.Set("library", library);
    if (reason != nullptr) {
      thrown.Set("reason", reason);
      thrown.Set("code", CodeOf(error, reason));
    }
  }
  thrown.Throw();
}

void ThrowNumber(v8::Isolate* isolate, Number error, const char* otherwise,
                 const std::vector<std::string>& stack) {
  ThrowMessage(isolate, error, error == 0 ? otherwise : MessageOf(error),
               stack);
}

}  // namespace

void ThrowOpenSsl(v8::Isolate* isolate, const char* otherwise, bool repeats) {
  v8::HandleScope scope(isolate);
  const Number error = repeats ? Ssl().ERR_peek_error() : Ssl().ERR_get_error();
  ThrowNumber(isolate, error, otherwise, TakeQueue());
}

void ThrowBesideOpenSsl(v8::Isolate* isolate, const char* message) {
  v8::HandleScope scope(isolate);
  const Number error = kJobErrorsHaveCodes ? Ssl().ERR_peek_error() : 0;
  ThrowMessage(isolate, error, message, TakeQueue());
}

void ThrowFirstOfOpenSsl(v8::Isolate* isolate, const char* otherwise) {
  v8::HandleScope scope(isolate);
  ThrowNumber(isolate, Ssl().ERR_get_error(), otherwise, {});
}

void ThrowOfJob(v8::Isolate* isolate, const char* otherwise) {
  if constexpr (kJobErrorsHaveCodes) {
    return ThrowOpenSsl(isolate, otherwise == nullptr ? "" : otherwise);
  }
  v8::HandleScope scope(isolate);
  std::vector<std::string> messages = TakeQueue();
  std::string message = otherwise == nullptr ? "" : otherwise;
  if (!messages.empty()) {
    message = messages.front();
    messages.erase(messages.begin());
  }
  Thrown thrown(isolate, message);
  thrown.SetStack(messages);
  thrown.Throw();
}

namespace {

void ThrowKind(v8::Isolate* isolate, const char* code, const char* message,
               Thrown::Kind kind) {
  v8::HandleScope scope(isolate);
  Ssl().ERR_clear_error();
  Thrown thrown(isolate, message, kind);
  thrown.Set("code", code);
  thrown.Throw();
}

}  // namespace

void ThrowCoded(v8::Isolate* isolate, const char* code, const char* message) {
  ThrowKind(isolate, code, message, Thrown::Kind::kError);
}

void ThrowTyped(v8::Isolate* isolate, const char* code, const char* message) {
  ThrowKind(isolate, code, message, Thrown::Kind::kType);
}

void ThrowRange(v8::Isolate* isolate, const char* code, const char* message) {
  ThrowKind(isolate, code, message, Thrown::Kind::kRange);
}

}  // namespace sloppy::workers

// X.509 certificates, and Netscape's SPKAC.
#include <array>
#include <cstring>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "isolate/libraries/digests.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/keys.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/output.h"
#include "isolate/libraries/provided_names.h"
#include "isolate/libraries/x509_texts.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;
using Certificate = Owned<X509, &Crypto::X509_free>;
using Spkac = Owned<NETSCAPE_SPKI, &Crypto::NETSCAPE_SPKI_free>;

// Node's text for all kinds since 24.
constexpr bool kIsOneText = kIsSinceNode24;

X509* CertificateAt(const Info& info, int index) {
  const Certificate* found = Held<Certificate>::From(info[index]);
  return found == nullptr ? nullptr : found->get();
}

// x509Read(PEM or DER) → certificate
void X509Read(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Input data(isolate, info[0]);
  if (!data.ok()) return;
  const CleanQueue clean;
  const Bio bio(
      Ssl().BIO_new_mem_buf(data.data(), static_cast<int>(data.size())));
  Certificate found(
      Ssl().PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
  if (found == nullptr) {
    const uint8_t* at = data.data();
    found.reset(Ssl().d2i_X509(nullptr, &at, static_cast<long>(data.size())));
  }
  if (found == nullptr) {
    // Node 20 tells of both attempts, later ones of the first error alone.
    return kIsSinceNode22 ? ThrowFirstOfOpenSsl(isolate, "Invalid certificate")
                          : ThrowOpenSsl(isolate, "Invalid certificate");
  }
  Return(info, Held<Certificate>::New(isolate, std::move(found), 4096));
}

// x509Text(certificate, what) → text, undefined if it has none
void X509TextOf(const Info& info) {
  X509* certificate = CertificateAt(info, 0);
  if (certificate == nullptr) return;
  const CleanQueue clean;
  std::string text;
  if (!TextOfCertificate(certificate, TextAt(info, 1), &text)) return;
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), text.data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(text.size())));
}

// x509Usages(certificate) → OIDs of its extended key usage, or undefined
void X509Usages(const Info& info) {
  X509* certificate = CertificateAt(info, 0);
  if (certificate == nullptr) return;
  const CleanQueue clean;
  std::vector<std::string> usages;
  if (UsagesOf(certificate, &usages)) ReturnTexts(info, usages);
}

// x509Names(certificate, isSubject) → [short name, value, …]
void X509Names(const Info& info) {
  X509* certificate = CertificateAt(info, 0);
  if (certificate == nullptr) return;
  const CleanQueue clean;
  ReturnTexts(info, NamesOf(info[1]->IsTrue()
                                ? Ssl().X509_get_subject_name(certificate)
                                : Ssl().X509_get_issuer_name(certificate)));
}

// x509Digest(certificate, hash id) → bytes
void X509Digest(const Info& info) {
  X509* certificate = CertificateAt(info, 0);
  const EVP_MD* digest = DigestAt(info, 1);
  if (certificate == nullptr || digest == nullptr) return;
  const CleanQueue clean;
  std::array<uint8_t, EVP_MAX_MD_SIZE> out;
  unsigned size = 0;
  if (Ssl().X509_digest(certificate, digest, out.data(), &size) == 1) {
    Return(info, NewBytes(info.GetIsolate(), out.data(), size));
  }
}

// x509Raw(certificate) → DER
void X509Raw(const Info& info) {
  X509* certificate = CertificateAt(info, 0);
  if (certificate == nullptr) return;
  unsigned char* der = nullptr;
  const int size = Ssl().i2d_X509(certificate, &der);
  if (size <= 0) return;
  Return(info, NewBytes(info.GetIsolate(), der, static_cast<size_t>(size)));
  Ssl().CRYPTO_free(der, __FILE__, __LINE__);
}

// x509Key(certificate) → its public key
void X509Key(const Info& info) {
  X509* certificate = CertificateAt(info, 0);
  if (certificate == nullptr) return;
  const CleanQueue clean;
  Key key(Ssl().X509_get_pubkey(certificate));
  if (key == nullptr) {
    return ThrowOpenSsl(info.GetIsolate(), "Failed to decode public key");
  }
  ReturnKey(info, std::move(key));
}

// x509Facts(certificate) → [is a CA, seconds from, seconds to]
void X509Facts(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  X509* certificate = CertificateAt(info, 0);
  if (certificate == nullptr) return;
  const CleanQueue clean;
  const auto seconds = [isolate](const ASN1_TIME* time) {
    std::tm parts{};
    Ssl().ASN1_TIME_to_tm(time, &parts);
    return v8::Number::New(isolate, SecondsOf(parts));
  };
  v8::Local<v8::Value> row[] = {
      v8::Boolean::New(isolate, Ssl().X509_check_ca(certificate) == 1),
      seconds(Ssl().X509_get0_notBefore(certificate)),
      seconds(Ssl().X509_get0_notAfter(certificate))};
  info.GetReturnValue().Set(v8::Array::New(isolate, row, 3));
}

// x509Match(certificate, "host" | "email" | "ip", name, flags) → what fits, or
// undefined; throws for a name that is none
void X509Match(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  X509* certificate = CertificateAt(info, 0);
  if (certificate == nullptr) return;
  const CleanQueue clean;
  const std::string kind = TextAt(info, 1);
  const std::string name = TextAt(info, 2);
  const auto flags = static_cast<unsigned>(IntAt(info, 3));
  int fits = 0;
  char* peer = nullptr;
  if (kind == "host") {
    fits = Ssl().X509_check_host(certificate, name.data(), name.size(), flags,
                                 &peer);
  } else if (kind == "email") {
    fits = Ssl().X509_check_email(certificate, name.data(), name.size(), flags);
  } else {
    fits = Ssl().X509_check_ip_asc(certificate, name.c_str(), flags);
  }
  if (fits == 1) {
    Return(info, v8::String::NewFromUtf8(
                     isolate, peer == nullptr ? name.c_str() : peer));
  }
  if (peer != nullptr) Ssl().CRYPTO_free(peer, __FILE__, __LINE__);
  if (fits == -2) {
    ThrowTyped(isolate, "ERR_INVALID_ARG_VALUE",
               kIsOneText || kind != "ip" ? "Invalid name" : "Invalid IP");
  }
}

// x509IssuedBy(certificate, other) → boolean
void X509IssuedBy(const Info& info) {
  X509* certificate = CertificateAt(info, 0);
  X509* issuer = CertificateAt(info, 1);
  if (certificate == nullptr || issuer == nullptr) return;
  const CleanQueue clean;
  info.GetReturnValue().Set(Ssl().X509_check_issued(issuer, certificate) ==
                            X509_V_OK);
}

// x509Fits(certificate, private key) and x509Verify(certificate, public key)
void X509Fits(const Info& info) {
  X509* certificate = CertificateAt(info, 0);
  EVP_PKEY* key = KeyAt(info, 1);
  if (certificate == nullptr || key == nullptr) return;
  const CleanQueue clean;
  info.GetReturnValue().Set(Ssl().X509_check_private_key(certificate, key) ==
                            1);
}

void X509Verify(const Info& info) {
  X509* certificate = CertificateAt(info, 0);
  EVP_PKEY* key = KeyAt(info, 1);
  if (certificate == nullptr || key == nullptr) return;
  const CleanQueue clean;
  info.GetReturnValue().Set(Ssl().X509_verify(certificate, key) == 1);
}

Spkac SpkacAt(const Input& data) {
  size_t size = data.size();
  while (size > 0 && std::strchr(" \n\r\t", data.text()[size - 1]) != nullptr) {
    --size;
  }
  // Nothing would mean a text that ends with a zero.
  if (size == 0) return nullptr;
  return Spkac(
      Ssl().NETSCAPE_SPKI_b64_decode(data.text(), static_cast<int>(size)));
}

// spkac(data, "verify" | "key" | "challenge") → boolean, PEM, bytes
void SpkacPart(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Input data(isolate, info[0]);
  if (!data.ok()) return;
  const CleanQueue clean;
  const std::string part = TextAt(info, 1);
  const Spkac found = SpkacAt(data);
  if (part == "challenge") {
    if (found == nullptr) return info.GetReturnValue().SetEmptyString();
    unsigned char* text = nullptr;
    const int size = Ssl().ASN1_STRING_to_UTF8(&text, found->spkac->challenge);
    if (size < 0) return;
    Return(info, NewBytes(isolate, text, static_cast<size_t>(size)));
    return Ssl().CRYPTO_free(text, __FILE__, __LINE__);
  }
  const Key key(found == nullptr ? nullptr
                                 : Ssl().NETSCAPE_SPKI_get_pubkey(found.get()));
  if (part == "verify") {
    return info.GetReturnValue().Set(
        key != nullptr &&
        Ssl().NETSCAPE_SPKI_verify(found.get(), key.get()) > 0);
  }
  if (key == nullptr) return info.GetReturnValue().SetEmptyString();
  const Bio bio(Ssl().BIO_new(Ssl().BIO_s_mem()));
  if (Ssl().PEM_write_bio_PUBKEY(bio.get(), key.get()) != 1) return;
  const std::string pem = TextOfBio(bio.get());
  Return(info, NewBytes(isolate, pem.data(), pem.size()));
}

constexpr NativeFunction kCertificatesNatives[] = {
    {"x509Read", X509Read},     {"x509Text", X509TextOf},
    {"x509Usages", X509Usages}, {"x509Names", X509Names},
    {"x509Digest", X509Digest}, {"x509Raw", X509Raw},
    {"x509Key", X509Key},       {"x509Facts", X509Facts},
    {"x509Match", X509Match},   {"x509IssuedBy", X509IssuedBy},
    {"x509Fits", X509Fits},     {"x509Verify", X509Verify},
    {"spkac", SpkacPart},
};

}  // namespace

NativeFunctions CertificateNatives() { return kCertificatesNatives; }

}  // namespace sloppy::workers

#include "isolate/libraries/x509_texts.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace sloppy::workers {
namespace {

constexpr unsigned long kNameFlags =  // NOLINT: as OpenSSL has it
    ASN1_STRFLGS_ESC_2253 | ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT |
    XN_FLAG_SEP_MULTILINE | XN_FLAG_FN_SN;

// Texts that could be taken for more than one name are written as JSON.
bool IsSafe(const char* name, size_t size, bool is_utf8) {
  for (size_t i = 0; i < size; ++i) {
    const char c = name[i];
    if (c == '"' || c == '\\' || c == ',' || c == '\'') return false;
    const auto byte = static_cast<unsigned char>(c);
    if (is_utf8 ? byte < ' ' || byte == 0x7f : byte < ' ' || byte > '~') {
      return false;
    }
  }
  return true;
}

void WriteEscaped(BIO* bio, const char* name, size_t size, bool is_utf8,
                  const char* prefix) {
  if (IsSafe(name, size, is_utf8)) {
    if (prefix != nullptr) Ssl().BIO_printf(bio, "%s:", prefix);
    Ssl().BIO_write(bio, name, static_cast<int>(size));
    return;
  }
  Ssl().BIO_write(bio, "\"", 1);
  if (prefix != nullptr) Ssl().BIO_printf(bio, "%s:", prefix);
  for (size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    if (byte == '"' || byte == '\\') {
      const char pair[] = {'\\', static_cast<char>(byte)};
      Ssl().BIO_write(bio, pair, 2);
    } else if ((byte >= ' ' && byte <= '~' && byte != ',') ||
               (byte >= 0x80 && is_utf8)) {
      Ssl().BIO_write(bio, name + i, 1);
    } else if (byte == ',') {
      Ssl().BIO_write(bio, ",", 1);
    } else {
      static constexpr char kHex[] = "0123456789abcdef";
      const char unit[] = {'\\',           'u', '0', '0', kHex[byte >> 4],
                           kHex[byte & 15]};
      Ssl().BIO_write(bio, unit, sizeof(unit));
    }
  }
  Ssl().BIO_write(bio, "\"", 1);
}

void WriteString(BIO* bio, const ASN1_STRING* text, bool is_utf8,
                 const char* prefix) {
  WriteEscaped(
      bio, reinterpret_cast<const char*>(Ssl().ASN1_STRING_get0_data(text)),
      static_cast<size_t>(Ssl().ASN1_STRING_length(text)), is_utf8, prefix);
}

void WriteAddress(BIO* bio, const ASN1_OCTET_STRING* address) {
  const unsigned char* data = Ssl().ASN1_STRING_get0_data(address);
  const int size = Ssl().ASN1_STRING_length(address);
  Ssl().BIO_printf(bio, "IP Address:");
  if (size == 4) {
    Ssl().BIO_printf(bio, "%d.%d.%d.%d", data[0], data[1], data[2], data[3]);
  } else if (size == 16) {
    for (int i = 0; i < 8; ++i) {
      Ssl().BIO_printf(bio, i == 0 ? "%X" : ":%X",
                       data[2 * i] << 8 | data[2 * i + 1]);
    }
  } else {
    Ssl().BIO_printf(bio, "<invalid length=%d>", size);
  }
}

void WriteOther(BIO* bio, const OTHERNAME* other) {
  const char* prefix = nullptr;
  bool is_utf8 = false;
  switch (Ssl().OBJ_obj2nid(other->type_id)) {
    case NID_id_on_SmtpUTF8Mailbox:
      prefix = "SmtpUTF8Mailbox";
      is_utf8 = true;
      break;
    case NID_XmppAddr:
      prefix = "XmppAddr";
      is_utf8 = true;
      break;
    case NID_SRVName:
      prefix = "SRVName";
      break;
    case NID_ms_upn:
      prefix = "UPN";
      is_utf8 = true;
      break;
    case NID_NAIRealm:
      prefix = "NAIRealm";
      is_utf8 = true;
      break;
    default:
      break;
  }
  const int wanted = is_utf8 ? V_ASN1_UTF8STRING : V_ASN1_IA5STRING;
  if (prefix == nullptr || other->value->type != wanted) {
    Ssl().BIO_printf(bio, "othername:<unsupported>");
    return;
  }
  Ssl().BIO_printf(bio, "othername:");
  WriteString(bio, other->value->value.asn1_string, is_utf8, prefix);
}

void WriteGeneralName(BIO* bio, const GENERAL_NAME* name) {
  switch (name->type) {
    case GEN_DNS:
      Ssl().BIO_printf(bio, "DNS:");
      return WriteString(bio, name->d.dNSName, false, nullptr);
    case GEN_EMAIL:
      Ssl().BIO_printf(bio, "email:");
      return WriteString(bio, name->d.rfc822Name, false, nullptr);
    case GEN_URI:
      Ssl().BIO_printf(bio, "URI:");
      return WriteString(bio, name->d.uniformResourceIdentifier, false,
                         nullptr);
    case GEN_IPADD:
      return WriteAddress(bio, name->d.iPAddress);
    case GEN_RID: {
      char oid[256];
      Ssl().OBJ_obj2txt(oid, sizeof(oid), name->d.rid, 1);
      Ssl().BIO_printf(bio, "Registered ID:%s", oid);
      return;
    }
    case GEN_DIRNAME: {
      const Bio inner(Ssl().BIO_new(Ssl().BIO_s_mem()));
      Ssl().X509_NAME_print_ex(inner.get(), name->d.directoryName, 0,
                               ASN1_STRFLGS_RFC2253 | ASN1_STRFLGS_ESC_CTRL |
                                   XN_FLAG_SEP_COMMA_PLUS | XN_FLAG_DN_REV |
                                   XN_FLAG_FN_SN);
      const std::string text = TextOfBio(inner.get());
      Ssl().BIO_printf(bio, "DirName:");
      return WriteEscaped(bio, text.data(), text.size(), true, nullptr);
    }
    case GEN_OTHERNAME:
      return WriteOther(bio, name->d.otherName);
    case GEN_X400:
      Ssl().BIO_printf(bio, "X400Name:<unsupported>");
      return;
    default:
      Ssl().BIO_printf(bio, "EdiPartyName:<unsupported>");
  }
}

bool WriteAltNames(BIO* bio, X509* certificate) {
  auto* names = static_cast<GENERAL_NAMES*>(Ssl().X509_get_ext_d2i(
      certificate, NID_subject_alt_name, nullptr, nullptr));
  if (names == nullptr) return false;
  const auto* stack = reinterpret_cast<const OPENSSL_STACK*>(names);
  for (int i = 0; i < Ssl().OPENSSL_sk_num(stack); ++i) {
    if (i > 0) Ssl().BIO_write(bio, ", ", 2);
    WriteGeneralName(bio, static_cast<const GENERAL_NAME*>(
                              Ssl().OPENSSL_sk_value(stack, i)));
  }
  Ssl().GENERAL_NAMES_free(names);
  return true;
}

bool WriteInfoAccess(BIO* bio, X509* certificate) {
  auto* all = static_cast<AUTHORITY_INFO_ACCESS*>(
      Ssl().X509_get_ext_d2i(certificate, NID_info_access, nullptr, nullptr));
  if (all == nullptr) return false;
  const auto* stack = reinterpret_cast<const OPENSSL_STACK*>(all);
  const int count = Ssl().OPENSSL_sk_num(stack);
  for (int i = 0; i < count; ++i) {
    const auto* each = static_cast<const ACCESS_DESCRIPTION*>(
        Ssl().OPENSSL_sk_value(stack, i));
    if (i > 0) Ssl().BIO_write(bio, "\n", 1);
    char method[80];
    const int nid = Ssl().OBJ_obj2nid(each->method);
    const char* name = nid == NID_undef ? nullptr : Ssl().OBJ_nid2ln(nid);
    if (name == nullptr) {
      Ssl().OBJ_obj2txt(method, sizeof(method), each->method, 1);
      name = method;
    }
    Ssl().BIO_printf(bio, "%s - ", name);
    WriteGeneralName(bio, each->location);
  }
  Ssl().AUTHORITY_INFO_ACCESS_free(all);
  return true;
}

bool WriteSerial(BIO* bio, X509* certificate) {
  const Bignum number(Ssl().ASN1_INTEGER_to_BN(
      Ssl().X509_get_serialNumber(certificate), nullptr));
  if (number == nullptr) return false;
  char* text = Ssl().BN_bn2hex(number.get());
  Ssl().BIO_puts(bio, text);
  Ssl().CRYPTO_free(text, __FILE__, __LINE__);
  return true;
}

bool WriteAlgorithm(BIO* bio, X509* certificate, bool as_oid) {
  const ASN1_OBJECT* object = nullptr;
  Ssl().X509_ALGOR_get0(&object, nullptr, nullptr,
                        Ssl().X509_get0_tbs_sigalg(certificate));
  char text[256];
  if (as_oid) {
    Ssl().OBJ_obj2txt(text, sizeof(text), object, 1);
    return Ssl().BIO_puts(bio, text) > 0;
  }
  const int nid = Ssl().OBJ_obj2nid(object);
  return nid != NID_undef && Ssl().BIO_puts(bio, Ssl().OBJ_nid2ln(nid)) > 0;
}

}  // namespace

std::string TextOfBio(BIO* bio) {
  char* data = nullptr;
  const auto size = static_cast<size_t>(
      Ssl().BIO_ctrl(bio, BIO_CTRL_INFO, 0, static_cast<void*>(&data)));
  return size == 0 ? std::string() : std::string(data, size);
}

bool TextOfCertificate(X509* certificate, const std::string& what,
                       std::string* text) {
  const Bio bio(Ssl().BIO_new(Ssl().BIO_s_mem()));
  BIO* to = bio.get();
  bool has = false;
  if (what == "subject" || what == "issuer") {
    const X509_NAME* name = what == "subject"
                                ? Ssl().X509_get_subject_name(certificate)
                                : Ssl().X509_get_issuer_name(certificate);
    has = Ssl().X509_NAME_print_ex(to, name, 0, kNameFlags) > 0;
  } else if (what == "subjectAltName") {
    has = WriteAltNames(to, certificate);
  } else if (what == "infoAccess") {
    has = WriteInfoAccess(to, certificate);
  } else if (what == "validFrom") {
    has =
        Ssl().ASN1_TIME_print(to, Ssl().X509_get0_notBefore(certificate)) == 1;
  } else if (what == "validTo") {
    has = Ssl().ASN1_TIME_print(to, Ssl().X509_get0_notAfter(certificate)) == 1;
  } else if (what == "serialNumber") {
    has = WriteSerial(to, certificate);
  } else if (what == "pem") {
    has = Ssl().PEM_write_bio_X509(to, certificate) == 1;
  } else {
    has = WriteAlgorithm(to, certificate, what == "signatureAlgorithmOid");
  }
  if (has) *text = TextOfBio(to);
  return has;
}

bool UsagesOf(X509* certificate, std::vector<std::string>* usages) {
  auto* found = static_cast<OPENSSL_STACK*>(
      Ssl().X509_get_ext_d2i(certificate, NID_ext_key_usage, nullptr, nullptr));
  if (found == nullptr) return false;
  for (int i = 0; i < Ssl().OPENSSL_sk_num(found); ++i) {
    char text[256];
    const auto* object =
        static_cast<const ASN1_OBJECT*>(Ssl().OPENSSL_sk_value(found, i));
    if (Ssl().OBJ_obj2txt(text, sizeof(text), object, 1) >= 0) {
      usages->emplace_back(text);
    }
  }
  Ssl().OPENSSL_sk_pop_free(found, [](void* object) {
    Ssl().ASN1_OBJECT_free(static_cast<ASN1_OBJECT*>(object));
  });
  return true;
}

std::vector<std::string> NamesOf(const X509_NAME* name) {
  std::vector<std::string> names;
  for (int i = 0; i < Ssl().X509_NAME_entry_count(name); ++i) {
    const X509_NAME_ENTRY* entry = Ssl().X509_NAME_get_entry(name, i);
    const ASN1_OBJECT* object = Ssl().X509_NAME_ENTRY_get_object(entry);
    const int nid = Ssl().OBJ_obj2nid(object);
    char oid[256];
    if (nid == NID_undef) Ssl().OBJ_obj2txt(oid, sizeof(oid), object, 1);
    unsigned char* text = nullptr;
    const int size =
        Ssl().ASN1_STRING_to_UTF8(&text, Ssl().X509_NAME_ENTRY_get_data(entry));
    if (size < 0) continue;
    names.emplace_back(nid == NID_undef ? oid : Ssl().OBJ_nid2sn(nid));
    names.emplace_back(reinterpret_cast<char*>(text),
                       static_cast<size_t>(size));
    Ssl().CRYPTO_free(text, __FILE__, __LINE__);
  }
  return names;
}

// Days by the Gregorian calendar (Howard Hinnant's days_from_civil).
double SecondsOf(const std::tm& time) {
  const int month = time.tm_mon + 1;
  const int64_t year = int64_t{time.tm_year} + 1900 - (month <= 2 ? 1 : 0);
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year =
      (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + time.tm_mday - 1;
  const int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  const int64_t days = era * 146097 + day_of_era - 719468;
  return static_cast<double>(days * 86400 + time.tm_hour * 3600 +
                             time.tm_min * 60 + time.tm_sec);
}

}  // namespace sloppy::workers

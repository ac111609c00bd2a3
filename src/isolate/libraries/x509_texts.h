// Parts of certificates as Node writes them.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_X509_TEXTS_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_X509_TEXTS_H_

#include <ctime>
#include <string>
#include <vector>

#include "isolate/libraries/openssl.h"

namespace sloppy::workers {

std::string TextOfBio(BIO* bio);
// "subject", "issuer", "subjectAltName", "infoAccess", "validFrom", "validTo",
// "serialNumber", "pem", "signatureAlgorithm", "signatureAlgorithmOid". False
// for one that the certificate has not.
bool TextOfCertificate(X509* certificate, const std::string& what,
                       std::string* text);
bool UsagesOf(X509* certificate, std::vector<std::string>* usages);
std::vector<std::string> NamesOf(const X509_NAME* name);
// Seconds since 1970, of UTC.
double SecondsOf(const std::tm& time);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_X509_TEXTS_H_

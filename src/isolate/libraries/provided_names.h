// Names of digests and ciphers that only OpenSSL's providers have, such as
// keccak-224 and aes-128-siv: Node knows them since 26, and since 24.22.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_PROVIDED_NAMES_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_PROVIDED_NAMES_H_

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "isolate/platform_bridge.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {

// This layer knows Node by its V8: 13.6 is that of Node 24, 14.6 that of 26.
inline constexpr bool kIsSinceNode22 = SW_V8_AT_LEAST(12, 0);
inline constexpr bool kIsSinceNode24 = SW_V8_AT_LEAST(13, 6);
inline constexpr bool kIsSinceNode26 = SW_V8_AT_LEAST(14, 6);
// As sinceLate24 of the runtime: a part of Node 26 came to late versions of 24.
inline constexpr bool kIsSinceLate24 = kIsSinceNode26 || IsNodeSince(24, 22);
inline constexpr bool kKnowsProvided = kIsSinceLate24;

inline std::string InLowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return text;
}

// Serves EVP_*_names_do_all: Node lists these in lower case, without object
// identifiers.
inline void AddProvidedName(const char* name, void* names) {
  if (std::isdigit(static_cast<unsigned char>(name[0])) != 0) return;
  static_cast<std::vector<std::string>*>(names)->push_back(InLowerCase(name));
}

// Providers have a digest and a cipher that do nothing; Node has neither.
inline bool DoesNothing(const char* own_name) {
  return own_name != nullptr && std::string_view(own_name) == "NULL";
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_PROVIDED_NAMES_H_

#include "isolate/inspection_text.h"

namespace sloppy::workers {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool Continues(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80;
}

// The number of bytes at `at` that are one character beyond ASCII, or 0.
size_t CharacterAt(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(at);
  if (first < 0xC2 || first > 0xF4 || !Continues(text, at + 1)) return 0;
  if (first < 0xE0) return 2;
  const uint8_t second = byte(at + 1);
  if (!Continues(text, at + 2)) return 0;
  if (first < 0xF0) {
    // Neither too long for what it says, nor half of a surrogate pair.
    const bool bad =
        (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0);
    return bad ? 0 : 3;
  }
  const bool bad =
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return bad || !Continues(text, at + 3) ? 0 : 4;
}

}  // namespace

void InspectionText::AppendQuoted(std::string_view utf8) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (size_t i = 0; i < utf8.size();) {
    const char c = utf8[i];
    const auto byte = static_cast<uint8_t>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else if (byte < 0x80) {
      out += c;
    } else {
      const size_t length = CharacterAt(utf8, i);
      out += length == 0 ? kReplacement : utf8.substr(i, length);
      i += length == 0 ? 1 : length;
      continue;
    }
    ++i;
  }
  out += '"';
  Append(out);
}

}  // namespace sloppy::workers

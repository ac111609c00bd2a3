#include "isolate/modules/file_path.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace sloppy::workers {
namespace {

namespace fs = std::filesystem;

fs::path PathOf(std::string_view utf8) {
  return fs::path(std::u8string(utf8.begin(), utf8.end()));
}

std::string TextOf(const fs::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string PercentDecode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() &&
                        HexValue(text[i + 1]) >= 0 &&
                        HexValue(text[i + 2]) >= 0;
    if (escape) {
      out +=
          static_cast<char>(HexValue(text[i + 1]) * 16 + HexValue(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Without query and fragment: they distinguish instances in browsers, not
// files.
std::string_view StripQuery(std::string_view text) {
  return text.substr(0, text.find_first_of("?#"));
}

}  // namespace

std::optional<std::string> ResolveFile(std::string_view specifier,
                                       std::string_view importer) {
  constexpr std::string_view kFile = "file://";
  if (specifier.starts_with(kFile)) {
    std::string path = PercentDecode(StripQuery(specifier.substr(7)));
#if defined(_WIN32)
    if (path.size() > 2 && path[0] == '/' && path[2] == ':') path.erase(0, 1);
#endif
    return TextOf(PathOf(path).lexically_normal());
  }
  const bool relative =
      specifier.starts_with("./") || specifier.starts_with("../");
  if (!relative && !PathOf(specifier).is_absolute()) return std::nullopt;
  const fs::path path = PathOf(PercentDecode(StripQuery(specifier)));
  const fs::path base = PathOf(importer).parent_path();
  return TextOf((relative ? base / path : path).lexically_normal());
}

std::string FileUrl(std::string_view path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "-_.~/:!$&'()*+,;=@";
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string url = path.starts_with('/') ? "file://" : "file:///";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      url += '/';
    } else if (kPlain.find(c) != std::string_view::npos) {
      url += c;
    } else {
      url += '%';
      url += kHex[byte >> 4];
      url += kHex[byte & 15];
    }
  }
  return url;
}

std::optional<std::string> RealPath(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(PathOf(path), error);
  if (error) return std::nullopt;
  return TextOf(real);
}

FileKind KindOfFile(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(PathOf(path), error);
  if (error) return FileKind::kNone;
  if (fs::is_regular_file(status)) return FileKind::kFile;
  return fs::is_directory(status) ? FileKind::kFolder : FileKind::kNone;
}

ReadResult ReadFile(const std::string& path, size_t max_bytes,
                    std::string* content) {
  std::error_code error;
  const fs::path file = PathOf(path);
  if (!fs::is_regular_file(file, error)) return ReadResult::kMissing;
  const auto size = fs::file_size(file, error);
  if (error) return ReadResult::kMissing;
  if (size > max_bytes) return ReadResult::kTooLarge;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return ReadResult::kMissing;
  content->resize(static_cast<size_t>(size));
  stream.read(content->data(), static_cast<std::streamsize>(size));
  content->resize(static_cast<size_t>(stream.gcount()));
  return ReadResult::kOk;
}

}  // namespace sloppy::workers

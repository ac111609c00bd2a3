#include "isolate/modules/file_path.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "isolate/bindings/byte_codecs.h"

#if defined(_WIN32)
#include <io.h>
#else
#include <unistd.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace sloppy::workers {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile = "file://";

// nullptr where there is a file system.
FileAccess* file_access = nullptr;

fs::path PathOf(std::string_view utf8) {
  return fs::path(std::u8string(utf8.begin(), utf8.end()));
}

std::string TextOf(const fs::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

FileKind KindOf(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error) return FileKind::kNone;
  if (fs::is_regular_file(status)) return FileKind::kFile;
  return fs::is_directory(status) ? FileKind::kFolder : FileKind::kNone;
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

void AppendEscaped(char c, std::string* url) {
  constexpr char kHex[] = "0123456789ABCDEF";
  const auto byte = static_cast<uint8_t>(c);
  *url += '%';
  *url += kHex[byte >> 4];
  *url += kHex[byte & 15];
}

// The text without query and fragment: they distinguish instances in browsers,
// not files.
std::string_view StripQuery(std::string_view text) {
  return text.substr(0, text.find_first_of("?#"));
}

// URLs are trimmed, and tabs and ends of lines are no part of them.
std::string_view Trimmed(std::string_view url) {
  const auto is_edge = [](char c) { return static_cast<uint8_t>(c) <= ' '; };
  while (!url.empty() && is_edge(url.back())) url.remove_suffix(1);
  while (!url.empty() && is_edge(url.front())) url.remove_prefix(1);
  return url;
}

bool IsNoPart(char c) { return c == '\t' || c == '\n' || c == '\r'; }

// Strings end the process when there is no memory for them.
bool IsRoomFor(size_t bytes) {
  void* room = std::malloc(bytes + 1);
  std::free(room);
  return room != nullptr;
}

// Reads the file that is open, not the one that its path leads to by now.
ReadResult ReadOpen(int file, size_t max_bytes, std::string* content) {
#if defined(_WIN32)
  struct _stat64 status;
  if (_fstat64(file, &status) != 0 || (status.st_mode & _S_IFREG) == 0) {
#else
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
#endif
    return ReadResult::kMissing;
  }
  const auto size = static_cast<uint64_t>(status.st_size);
  if (size > std::min(max_bytes, kMaxFileBytes) ||
      !IsRoomFor(static_cast<size_t>(size))) {
    return ReadResult::kTooLarge;
  }
  content->resize(static_cast<size_t>(size));
  size_t had = 0;
  while (had < content->size()) {
    const size_t left = content->size() - had;
#if defined(_WIN32)
    const auto got =
        _read(file, content->data() + had, static_cast<unsigned>(left));
#else
    const auto got = read(file, content->data() + had, left);
    if (got < 0 && errno == EINTR) continue;
#endif
    if (got < 0) return ReadResult::kMissing;
    // It has become shorter.
    if (got == 0) break;
    had += static_cast<size_t>(got);
  }
  content->resize(had);
  return ReadResult::kOk;
}

}  // namespace

std::optional<std::string> ResolveFile(std::string_view specifier,
                                       std::string_view importer) {
  if (specifier.starts_with(kFile)) {
    return TextOf(PathOf(PathOfFileUrl(specifier)).lexically_normal());
  }
  // On Windows what begins with a slash is on the drive or host of the
  // importer.
  const bool relative = specifier.starts_with("./") ||
                        specifier.starts_with("../") ||
                        specifier.starts_with('/');
  if (!relative && !PathOf(specifier).is_absolute()) return std::nullopt;
  const fs::path path = PathOf(PercentDecode(StripQuery(specifier)));
  const fs::path base = PathOf(importer).parent_path();
  return TextOf((relative ? base / path : path).lexically_normal());
}

std::string FileUrl(std::string_view path, bool windows) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "-_./:!$&'()*+,;=@";
  constexpr std::string_view kLong = "\\\\?\\";
  constexpr std::string_view kLongHost = "\\\\?\\UNC\\";
  bool host = windows && path.starts_with("\\\\");
  if (host && path.starts_with(kLongHost)) {
    path.remove_prefix(kLongHost.size());
  } else if (host && path.starts_with(kLong)) {
    path.remove_prefix(kLong.size());
    host = false;
  } else if (host) {
    path.remove_prefix(2);
  }
  std::string url(kFile);
  if (!host && !path.starts_with('/')) url += '/';
  for (const char c : path) {
    if (windows && c == '\\') {
      url += '/';
    } else if (kPlain.find(c) != std::string_view::npos) {
      url += c;
    } else {
      AppendEscaped(c, &url);
    }
  }
  return url;
}

std::string UrlSuffix(std::string_view specifier) {
  specifier = Trimmed(specifier);
  const size_t start = specifier.find_first_of("?#");
  if (start == std::string_view::npos) return {};
  std::string query;
  std::string hash;
  std::string* part = &query;
  for (const char c : specifier.substr(start)) {
    if (IsNoPart(c)) continue;
    if (c == '#') part = &hash;
    const auto byte = static_cast<uint8_t>(c);
    const std::string_view quoted = part == &hash ? "\"<>`" : "\"<>'";
    if (byte <= ' ' || byte >= 0x7F ||
        quoted.find(c) != std::string_view::npos) {
      AppendEscaped(c, part);
    } else {
      *part += c;
    }
  }
  // Empty parts make no difference.
  if (query == "?") query.clear();
  if (hash == "#") hash.clear();
  return query + hash;
}

std::string DataUrl(std::string_view specifier) {
  specifier = Trimmed(specifier);
  const size_t colon = std::min(specifier.find(':'), specifier.size() - 1);
  std::string url = "data:";
  for (const char c : StripQuery(specifier.substr(colon + 1))) {
    const auto byte = static_cast<uint8_t>(c);
    if (IsNoPart(c)) continue;
    if (byte < ' ' || byte > 0x7E) {
      AppendEscaped(c, &url);
    } else {
      url += c;
    }
  }
  return url + UrlSuffix(specifier);
}

std::string BytesOfData(std::string_view body, bool base64) {
  const std::string letters = PercentDecode(body);
  if (!base64) return letters;
  std::string bytes(letters.size(), '\0');
  bytes.resize(DecodeBase64(
      reinterpret_cast<const uint8_t*>(letters.data()), letters.size(),
      reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()));
  return bytes;
}

std::string PathOfFileUrl(std::string_view url, bool windows) {
  url = StripQuery(url.substr(kFile.size()));
  const size_t slash = std::min(url.find('/'), url.size());
  std::string host(url.substr(0, slash));
  std::string path = PercentDecode(url.substr(slash));
  if (host == "localhost") host.clear();
  if (!windows) return path;
  std::replace(path.begin(), path.end(), '/', '\\');
  if (!host.empty()) return "\\\\" + host + path;
  if (path.size() > 2 && path[2] == ':') path.erase(0, 1);
  return path;
}

void SetFileAccess(FileAccess* instead) { file_access = instead; }

std::optional<std::string> RealPath(const std::string& path) {
  if (file_access != nullptr) return file_access->Real(path);
  std::error_code error;
  const fs::path real = fs::canonical(PathOf(path), error);
  if (error) return std::nullopt;
  return TextOf(real);
}

FileKind KindOfFile(const std::string& path) {
  if (file_access != nullptr) return file_access->Stamp(path).kind;
  return KindOf(PathOf(path));
}

uint64_t SizeOfFile(const std::string& path) {
  if (file_access != nullptr) return file_access->Stamp(path).bytes;
  std::error_code error;
  const uintmax_t bytes = fs::file_size(PathOf(path), error);
  return error ? 0 : bytes;
}

FileStamp StampOfFile(const std::string& path) {
  if (file_access != nullptr) return file_access->Stamp(path);
  const fs::path file = PathOf(path);
  FileStamp stamp;
  stamp.kind = KindOf(file);
  if (stamp.kind != FileKind::kFile) return stamp;
  std::error_code error;
  stamp.bytes = SizeOfFile(path);
  stamp.modified = fs::last_write_time(file, error);
  return stamp;
}

std::optional<std::map<std::string, FileKind>> ListFolder(
    const std::string& path) {
  if (file_access != nullptr) return file_access->List(path);
  std::error_code error;
  fs::directory_iterator at(PathOf(path), error);
  if (error) return std::nullopt;
  std::map<std::string, FileKind> entries;
  for (; at != fs::directory_iterator(); at.increment(error)) {
    if (error) break;
    entries.emplace(TextOf(at->path().filename()), KindOf(at->path()));
  }
  return entries;
}

ReadResult ReadFile(const std::string& path, size_t max_bytes,
                    std::string* content) {
  if (file_access != nullptr)
    return file_access->Read(path, max_bytes, content);
    // Nobody waits for whoever writes to a FIFO.
#if defined(_WIN32)
  const int file = _wopen(PathOf(path).c_str(), _O_RDONLY | _O_BINARY);
#else
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
#endif
  if (file < 0) return ReadResult::kMissing;
  const ReadResult result = ReadOpen(file, max_bytes, content);
  close(file);
  return result;
}

}  // namespace sloppy::workers

// Module specifiers and files, as far as no package is involved.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_FILE_PATH_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_FILE_PATH_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sloppy::workers {

#if defined(_WIN32)
inline constexpr bool kWindowsPaths = true;
#else
inline constexpr bool kWindowsPaths = false;
#endif

// Any thread. The file a specifier names when imported by `importer` (a
// path); nullopt for bare names and foreign schemes.
std::optional<std::string> ResolveFile(std::string_view specifier,
                                       std::string_view importer);

// Any thread. The file: URL of an absolute path, as Node's pathToFileURL makes
// it, and back. On Windows paths begin with a drive or are \\host\share\….
std::string FileUrl(std::string_view path, bool windows = kWindowsPaths);
std::string PathOfFileUrl(std::string_view url, bool windows = kWindowsPaths);

// Any thread. Query and fragment of a specifier, as they stand in its URL.
std::string UrlSuffix(std::string_view specifier);

// Any thread. A data: URL as programs see it: trimmed, and quoted.
std::string DataUrl(std::string_view specifier);

// Any thread. The text after the comma of a data: URL, without query and
// fragment, as bytes.
std::string BytesOfData(std::string_view body, bool base64);

// Any thread. Without symbolic links; nullopt when it does not exist.
std::optional<std::string> RealPath(const std::string& path);

enum class FileKind { kNone, kFile, kFolder };
// Any thread. Of what symbolic links lead to.
FileKind KindOfFile(const std::string& path);

// Any thread. The size of a file in bytes; 0 for what is none.
uint64_t SizeOfFile(const std::string& path);

// Whether something changed; of what symbolic links lead to.
struct FileStamp {
  FileKind kind = FileKind::kNone;
  uint64_t bytes = 0;  // Of a file, as the next one.
  std::filesystem::file_time_type modified;

  bool operator==(const FileStamp&) const = default;
};
// Any thread.
FileStamp StampOfFile(const std::string& path);

// Any thread. What is in a folder, by name; nullopt for what is none.
std::optional<std::map<std::string, FileKind>> ListFolder(
    const std::string& path);

enum class ReadResult { kOk, kMissing, kTooLarge };
// The most that a worker reads of any file: V8 has no string of 512 MiB, and a
// text is there twice while it is decoded.
inline constexpr size_t kMaxFileBytes = size_t{256} << 20;
// Any thread. Blocks on the file system, but not on a FIFO or a device, which
// count as missing, whatever is put at the path meanwhile. Nothing is read
// when there is no memory for it: that counts as too large.
ReadResult ReadFile(const std::string& path, size_t max_bytes,
                    std::string* content);

// Where a process has no file system: who answers in its place. The members are
// the functions above.
class FileAccess {
 public:
  virtual ~FileAccess() = default;
  virtual std::optional<std::string> Real(const std::string& path) = 0;
  virtual FileStamp Stamp(const std::string& path) = 0;
  virtual std::optional<std::map<std::string, FileKind>> List(
      const std::string& path) = 0;
  virtual ReadResult Read(const std::string& path, size_t max_bytes,
                          std::string* content) = 0;
};
// Called before any file is looked for; it is called by all threads that look.
void SetFileAccess(FileAccess* access);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_FILE_PATH_H_

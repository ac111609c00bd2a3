// Module specifiers and files, as far as no package is involved.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_FILE_PATH_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_FILE_PATH_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sloppy::workers {

// Any thread. The file a specifier names when imported by `importer` (a
// path); nullopt for bare names and foreign schemes.
std::optional<std::string> ResolveFile(std::string_view specifier,
                                       std::string_view importer);

// Any thread. The file: URL of an absolute path.
std::string FileUrl(std::string_view path);

// Any thread. Without symbolic links; nullopt when it does not exist.
std::optional<std::string> RealPath(const std::string& path);

enum class FileKind { kNone, kFile, kFolder };
// Any thread. Of what symbolic links lead to.
FileKind KindOfFile(const std::string& path);

enum class ReadResult { kOk, kMissing, kTooLarge };
// Any thread. Blocks on the file system.
ReadResult ReadFile(const std::string& path, size_t max_bytes,
                    std::string* content);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_FILE_PATH_H_

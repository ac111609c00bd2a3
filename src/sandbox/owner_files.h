// Files for a process that has none: the owner is asked, who gives what the
// process may see (lib/executors/sandbox/owner-files.js).
#ifndef SLOPPY_WORKERS_SANDBOX_OWNER_FILES_H_
#define SLOPPY_WORKERS_SANDBOX_OWNER_FILES_H_

#include <map>
#include <optional>
#include <string>

#include "isolate/modules/file_path.h"
#include "sandbox/wire.h"

namespace sloppy::workers::sandbox {

class OwnerFiles final : public FileAccess {
 public:
  explicit OwnerFiles(Wire* wire) : wire_(wire) {}

  std::optional<std::string> Real(const std::string& path) override;
  FileStamp Stamp(const std::string& path) override;
  std::optional<std::map<std::string, FileKind>> List(
      const std::string& path) override;
  ReadResult Read(const std::string& path, size_t max_bytes,
                  std::string* content) override;

 private:
  enum Question : uint32_t { kReal = 1, kStamp = 2, kList = 3, kRead = 4 };
  // The results that an answer's number is.
  enum Result : uint32_t { kFound = 0, kMissing = 1, kTooLarge = 2 };

  Frame Ask(Question question, const std::string& path, size_t max_bytes = 0);

  Wire* const wire_;
};

}  // namespace sloppy::workers::sandbox

#endif  // SLOPPY_WORKERS_SANDBOX_OWNER_FILES_H_

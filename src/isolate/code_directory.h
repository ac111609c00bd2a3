// Compiled code of user modules in a directory, kept from one process to the
// next: the level below CodeCache. A file holds the code of one module; its
// name is a hash of what identifies it, and that stands in the file in full.
//
// V8 checks little of the code that it is given. So a file counts only if this
// process's user owns it and alone may write it, if it stands in a directory
// of which the same is true, and if its checksum is right. That finds accidents
// and other users; whoever may write as this user can have any code run.
//
// Nothing here fails a job: what cannot be read is absent, and what cannot be
// written is not kept.
#ifndef SLOPPY_WORKERS_ISOLATE_CODE_DIRECTORY_H_
#define SLOPPY_WORKERS_ISOLATE_CODE_DIRECTORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "isolate/code_cache.h"

namespace sloppy::workers {

class CodeDirectory {
 public:
  static constexpr size_t kMaxBytes = size_t{256} << 20;

  // `path` is absolute, or empty for none. `version` says which V8 can read
  // the code.
  CodeDirectory(std::string path, std::string version,
                size_t max_bytes = kMaxBytes)
      : path_(std::move(path)),
        version_(std::move(version)),
        max_bytes_(max_bytes) {}
  CodeDirectory(const CodeDirectory&) = delete;
  CodeDirectory& operator=(const CodeDirectory&) = delete;

  bool exists() const { return !path_.empty(); }

  // Any thread; blocks on the file system. nullptr for what is absent, damaged
  // or another user's. A damaged file is deleted.
  CodeCache::Data Read(const std::string& key) const;
  // Any thread; blocks on the file system. Makes the directory, replaces what
  // is there by that key, and deletes the files that were used longest ago when
  // all of them have more than `max_bytes`. False when nothing was written.
  bool Write(const std::string& key, const std::vector<uint8_t>& code) const;

  // The name of the file for a key.
  std::string NameOf(const std::string& key) const;

 private:
  std::string IdentityOf(const std::string& key) const;

  const std::string path_;
  const std::string version_;
  const size_t max_bytes_;
};

// The V8, its flags and the processor that compiled code is made for.
std::string VersionOfCode();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_CODE_DIRECTORY_H_

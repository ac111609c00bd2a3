#include "isolate/code_directory.h"

#include <v8.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#if !defined(_WIN32)
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace sloppy::workers {

std::string VersionOfCode() {
  return std::string(v8::V8::GetVersion()) + '/' +
         std::to_string(v8::ScriptCompiler::CachedDataVersionTag()) + '/' +
         std::to_string(sizeof(void*));
}

#if defined(_WIN32)

// A file's owner is not known here, so no file is trusted.
CodeCache::Data CodeDirectory::Read(const std::string&) const {
  return nullptr;
}
bool CodeDirectory::Write(const std::string&,
                          const std::vector<uint8_t>&) const {
  return false;
}

#else

namespace {

constexpr std::array<char, 8> kMagic = {'S', 'W', 'C', 'O', 'D', 'E', '0', '1'};
constexpr std::string_view kSuffix = ".swcode";
constexpr std::string_view kUnfinished = ".swcode-part";
// Age of files that a process left unfinished, or that were not read meanwhile.
constexpr time_t kHour = 3600;

struct Header {
  std::array<char, 8> magic;
  uint64_t checksum;  // Covers all that follows it.
  uint64_t identity_bytes;
  uint64_t code_bytes;
};

uint64_t Mix(uint64_t hash, const void* data, size_t bytes) {
  constexpr uint64_t kPrime = 0x9E3779B97F4A7C15;
  const auto* at = static_cast<const char*>(data);
  const auto take = [&hash](uint64_t word) {
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 32;
  };
  for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, at, sizeof(word));
    take(word);
    at += sizeof(word);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, at, bytes);
  take(rest);
  take(bytes);
  return hash;
}

uint64_t ChecksumOf(const Header& header, const std::string& identity,
                    const std::vector<uint8_t>& code) {
  uint64_t hash = Mix(1, &header.identity_bytes, sizeof(uint64_t));
  hash = Mix(hash, &header.code_bytes, sizeof(uint64_t));
  hash = Mix(hash, identity.data(), identity.size());
  return Mix(hash, code.data(), code.size());
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  const int fd_;
};

bool IsOwn(const struct stat& status) {
  return status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

int OpenFolder(const std::string& path) {
  const int fd =
      open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;
  if (fd >= 0 && (fstat(fd, &status) != 0 || !IsOwn(status))) {
    close(fd);
    return -1;
  }
  return fd;
}

void MakeFolders(const std::string& path) {
  for (size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    mkdir(path.substr(0, at).c_str(), S_IRWXU);
    if (at == std::string::npos) return;
  }
}

bool ReadAll(int fd, void* data, size_t bytes) {
  auto* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t count = read(fd, at, bytes);
    if (count <= 0) return false;
    at += count;
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

bool WriteAll(int fd, const void* data, size_t bytes) {
  const auto* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t count = write(fd, at, bytes);
    if (count <= 0) return false;
    at += count;
    bytes -= static_cast<size_t>(count);
  }
  return true;
}

// nullptr for what is not the whole file that was written.
CodeCache::Data ReadCode(int fd, uint64_t file_bytes,
                         const std::string& identity) {
  Header header;
  if (file_bytes < sizeof(header) || !ReadAll(fd, &header, sizeof(header)) ||
      header.magic != kMagic || header.identity_bytes != identity.size() ||
      header.code_bytes > file_bytes ||
      sizeof(header) + header.identity_bytes + header.code_bytes !=
          file_bytes) {
    return nullptr;
  }
  std::string read(identity.size(), '\0');
  auto code = std::make_shared<std::vector<uint8_t>>(
      static_cast<size_t>(header.code_bytes));
  if (!ReadAll(fd, read.data(), read.size()) || read != identity ||
      !ReadAll(fd, code->data(), code->size()) ||
      ChecksumOf(header, identity, *code) != header.checksum) {
    return nullptr;
  }
  return code;
}

struct StoredFile {
  std::string name;
  time_t used;
  uint64_t bytes;
};

// Those of other versions of V8 as well, for which nobody else cares.
void MakeRoom(int folder, uint64_t max_bytes) {
  const int copy = dup(folder);
  DIR* list = copy < 0 ? nullptr : fdopendir(copy);
  if (list == nullptr) {
    if (copy >= 0) close(copy);
    return;
  }
  rewinddir(list);
  const time_t now = time(nullptr);
  std::vector<StoredFile> files;
  uint64_t bytes = 0;
  while (const dirent* entry = readdir(list)) {
    const std::string_view name(entry->d_name);
    const bool unfinished = name.ends_with(kUnfinished);
    struct stat status;
    if ((!unfinished && !name.ends_with(kSuffix)) ||
        fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode)) {
      continue;
    }
    if (unfinished) {
      if (status.st_mtime < now - kHour) unlinkat(folder, entry->d_name, 0);
      continue;
    }
    files.push_back({entry->d_name, status.st_mtime,
                     static_cast<uint64_t>(status.st_size)});
    bytes += files.back().bytes;
  }
  closedir(list);
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.used < b.used; });
  for (const StoredFile& file : files) {
    if (bytes <= max_bytes) return;
    if (unlinkat(folder, file.name.c_str(), 0) == 0) bytes -= file.bytes;
  }
}

std::string UnfinishedName() {
  static std::atomic<uint32_t> last{0};
  return std::to_string(getpid()) + '-' + std::to_string(++last) +
         std::string(kUnfinished);
}

}  // namespace

CodeCache::Data CodeDirectory::Read(const std::string& key) const {
  const Descriptor folder(exists() ? OpenFolder(path_) : -1);
  if (!folder.ok()) return nullptr;
  const std::string name = NameOf(key);
  // A pipe of that name must not hold up the worker.
  const Descriptor file(openat(folder.get(), name.c_str(),
                               O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file.ok() || fstat(file.get(), &status) != 0 ||
      !S_ISREG(status.st_mode) || !IsOwn(status)) {
    return nullptr;
  }
  const auto bytes = static_cast<uint64_t>(status.st_size);
  CodeCache::Data code;
  if (bytes <= max_bytes_) code = ReadCode(file.get(), bytes, IdentityOf(key));
  if (code == nullptr) {
    unlinkat(folder.get(), name.c_str(), 0);
  } else if (status.st_mtime < time(nullptr) - kHour) {
    // The file's time is that of its last use.
    futimens(file.get(), nullptr);
  }
  return code;
}

bool CodeDirectory::Write(const std::string& key,
                          const std::vector<uint8_t>& code) const {
  if (!exists() || code.size() > max_bytes_ / 2) return false;
  MakeFolders(path_);
  const Descriptor folder(OpenFolder(path_));
  if (!folder.ok()) return false;
  const std::string identity = IdentityOf(key);
  Header header{kMagic, 0, identity.size(), code.size()};
  header.checksum = ChecksumOf(header, identity, code);
  const std::string part = UnfinishedName();
  bool written = false;
  {
    const Descriptor file(
        openat(folder.get(), part.c_str(),
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               S_IRUSR | S_IWUSR));
    if (!file.ok()) return false;
    written = WriteAll(file.get(), &header, sizeof(header)) &&
              WriteAll(file.get(), identity.data(), identity.size()) &&
              WriteAll(file.get(), code.data(), code.size());
  }
  // Other processes see the whole file or none.
  if (!written || renameat(folder.get(), part.c_str(), folder.get(),
                           NameOf(key).c_str()) != 0) {
    unlinkat(folder.get(), part.c_str(), 0);
    return false;
  }
  MakeRoom(folder.get(), max_bytes_);
  return true;
}

std::string CodeDirectory::NameOf(const std::string& key) const {
  const std::string identity = IdentityOf(key);
  std::array<char, 33> hex;
  std::snprintf(
      hex.data(), hex.size(), "%016llx%016llx",
      static_cast<unsigned long long>(Mix(1, identity.data(), identity.size())),
      static_cast<unsigned long long>(
          Mix(2, identity.data(), identity.size())));
  return std::string(hex.data()) + std::string(kSuffix);
}

#endif

std::string CodeDirectory::IdentityOf(const std::string& key) const {
  return version_ + '\n' + key;
}

}  // namespace sloppy::workers

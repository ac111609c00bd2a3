// Compiled code shared by all isolates of the process, by name of an embedded
// source or by content of a user's module. Immutable once stored. User code
// takes kMaxUserBytes at most; the least recently used goes first.
#ifndef SLOPPY_WORKERS_ISOLATE_CODE_CACHE_H_
#define SLOPPY_WORKERS_ISOLATE_CODE_CACHE_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"

namespace sloppy::workers {

class CodeCache {
 public:
  using Data = std::shared_ptr<const std::vector<uint8_t>>;
  static constexpr size_t kMaxUserBytes = size_t{128} << 20;

  explicit CodeCache(size_t max_user_bytes = kMaxUserBytes)
      : max_user_bytes_(max_user_bytes) {}
  CodeCache(const CodeCache&) = delete;
  CodeCache& operator=(const CodeCache&) = delete;

  // The process's. Code does not depend on the environment, only on V8.
  static CodeCache& Get();

  // Any thread. Keys that begin with "builtin:" are never dropped.
  Data Lookup(const std::string& key) SW_EXCLUDES(mutex_);
  void Store(const std::string& key, const v8::ScriptCompiler::CachedData* data)
      SW_EXCLUDES(mutex_);
  // The same where less may be there already.
  void Replace(const std::string& key, Data data) SW_EXCLUDES(mutex_);

 private:
  struct Entry {
    Data data;
    std::list<std::string>::iterator use;  // Set for user code only.
  };

  // User code; one that is not there, one that is.
  void Keep(const std::string& key, Data data) SW_REQUIRES(mutex_);
  void Forget(const std::string& key) SW_REQUIRES(mutex_);

  const size_t max_user_bytes_;
  Mutex mutex_;
  std::unordered_map<std::string, Entry> entries_ SW_GUARDED_BY(mutex_);
  // Keys of user code, the last used first.
  std::list<std::string> uses_ SW_GUARDED_BY(mutex_);
  size_t user_bytes_ SW_GUARDED_BY(mutex_) = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_CODE_CACHE_H_

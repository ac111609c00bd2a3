// Compiled code shared by all isolates of the process, by name of an embedded
// source or by content of a user's module. Immutable once stored.
#ifndef SLOPPY_WORKERS_ISOLATE_CODE_CACHE_H_
#define SLOPPY_WORKERS_ISOLATE_CODE_CACHE_H_

#include <v8.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"

namespace sloppy::workers {

class CodeCache {
 public:
  using Data = std::shared_ptr<const std::vector<uint8_t>>;

  // The process's. Code does not depend on the environment, only on V8.
  static CodeCache& Get();

  // Any thread.
  Data Lookup(const std::string& key) const SW_EXCLUDES(mutex_);
  void Store(const std::string& key, const v8::ScriptCompiler::CachedData* data)
      SW_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::unordered_map<std::string, Data> entries_ SW_GUARDED_BY(mutex_);
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_CODE_CACHE_H_

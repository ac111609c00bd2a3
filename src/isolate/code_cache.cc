#include "isolate/code_cache.h"

namespace sloppy::workers {

CodeCache& CodeCache::Get() {
  // Never destroyed: worker threads may outlast static destructors.
  static CodeCache* const cache = new CodeCache;
  return *cache;
}

CodeCache::Data CodeCache::Lookup(const std::string& key) const {
  MutexLock lock(mutex_);
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : found->second;
}

void CodeCache::Store(const std::string& key,
                      const v8::ScriptCompiler::CachedData* data) {
  if (data == nullptr) return;
  auto copy = std::make_shared<const std::vector<uint8_t>>(
      data->data, data->data + data->length);
  MutexLock lock(mutex_);
  entries_.emplace(key, std::move(copy));
}

}  // namespace sloppy::workers

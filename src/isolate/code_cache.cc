#include "isolate/code_cache.h"

#include <utility>

namespace sloppy::workers {
namespace {

bool IsUserCode(const std::string& key) { return !key.starts_with("builtin:"); }

}  // namespace

CodeCache& CodeCache::Get() {
  // Never destroyed: worker threads may outlast static destructors.
  static CodeCache* const cache = new CodeCache;
  return *cache;
}

CodeCache::Data CodeCache::Lookup(const std::string& key) {
  MutexLock lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  if (IsUserCode(key)) {
    uses_.splice(uses_.begin(), uses_, found->second.use);
  }
  return found->second.data;
}

void CodeCache::Store(const std::string& key,
                      const v8::ScriptCompiler::CachedData* data) {
  if (data == nullptr) return;
  auto copy = std::make_shared<const std::vector<uint8_t>>(
      data->data, data->data + data->length);
  const size_t size = copy->size();
  if (IsUserCode(key) && size > max_user_bytes_) return;
  MutexLock lock(mutex_);
  if (!IsUserCode(key)) {
    entries_[key].data = std::move(copy);
    return;
  }
  const auto [at, added] = entries_.emplace(key, Entry{std::move(copy), {}});
  if (!added) return;
  uses_.push_front(key);
  at->second.use = uses_.begin();
  user_bytes_ += size;
  while (user_bytes_ > max_user_bytes_) {
    const auto oldest = entries_.find(uses_.back());
    user_bytes_ -= oldest->second.data->size();
    entries_.erase(oldest);
    uses_.pop_back();
  }
}

}  // namespace sloppy::workers

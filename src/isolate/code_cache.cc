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
  if (entries_.find(key) == entries_.end()) Keep(key, std::move(copy));
}

void CodeCache::Replace(const std::string& key, Data data) {
  if (IsUserCode(key) && data->size() > max_user_bytes_) return;
  MutexLock lock(mutex_);
  if (!IsUserCode(key)) {
    entries_[key].data = std::move(data);
    return;
  }
  if (entries_.find(key) != entries_.end()) Forget(key);
  Keep(key, std::move(data));
}

void CodeCache::Keep(const std::string& key, Data data) {
  user_bytes_ += data->size();
  uses_.push_front(key);
  entries_[key] = {std::move(data), uses_.begin()};
  while (user_bytes_ > max_user_bytes_) Forget(std::string(uses_.back()));
}

void CodeCache::Forget(const std::string& key) {
  const auto found = entries_.find(key);
  user_bytes_ -= found->second.data->size();
  uses_.erase(found->second.use);
  entries_.erase(found);
}

}  // namespace sloppy::workers

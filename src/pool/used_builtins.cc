#include "pool/used_builtins.h"

namespace sloppy::workers {

void UsedBuiltins::Add(std::string_view name) {
  MutexLock lock(mutex_);
  for (Use& use : uses_) {
    if (use.name != name) continue;
    ++use.realms;
    return;
  }
  if (uses_.size() == kMost) return;
  uses_.push_back({std::string(name), 1});
  count_.store(uses_.size(), std::memory_order_release);
}

std::string UsedBuiltins::Next(size_t* place) const {
  MutexLock lock(mutex_);
  const uint64_t realms = realms_.load(std::memory_order_relaxed);
  while (*place < uses_.size()) {
    const Use& use = uses_[(*place)++];
    if (use.realms * kOneOf >= realms) return use.name;
  }
  return {};
}

}  // namespace sloppy::workers

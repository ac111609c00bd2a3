#include "payload/shape_table.h"

namespace sloppy::workers {

int32_t ShapeTable::Define(std::u16string_view keys) {
  if (keys.size() > kMaxTextLength) return -1;
  MutexLock lock(mutex_);
  const auto found = ids_.find(std::u16string(keys));
  if (found != ids_.end()) return found->second;
  const auto id = static_cast<int32_t>(texts_.size());
  if (id >= kMaxShapes) return -1;
  const auto added = ids_.emplace(std::u16string(keys), id).first;
  // Node-based map: the key's address is stable.
  texts_.push_back(&added->first);
  return id;
}

std::u16string ShapeTable::Lookup(int32_t id) const {
  MutexLock lock(mutex_);
  if (id < 0 || static_cast<size_t>(id) >= texts_.size()) return {};
  return *texts_[static_cast<size_t>(id)];
}

}  // namespace sloppy::workers

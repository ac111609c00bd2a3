#include "pool/shared_values.h"

#include <utility>

namespace sloppy::workers {

void SharedValues::Add(uint32_t number,
                       std::shared_ptr<const SharedValue> value) {
  MutexLock lock(mutex_);
  values_[number] = std::move(value);
}

void SharedValues::Drop(uint32_t number) {
  // Freed outside the lock.
  decltype(values_)::node_type dropped;
  MutexLock lock(mutex_);
  dropped = values_.extract(number);
}

std::shared_ptr<const SharedValue> SharedValues::Find(uint32_t number) const {
  MutexLock lock(mutex_);
  const auto found = values_.find(number);
  return found == values_.end() ? nullptr : found->second;
}

}  // namespace sloppy::workers

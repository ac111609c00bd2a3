// The values that an owner shares with all workers of a pool, by their numbers.
// A worker takes one out when a job first asks for it; the owner may drop it
// meanwhile, and what a worker has taken is its own.
//
// Any thread. A value does not change once it is here.
#ifndef SLOPPY_WORKERS_POOL_SHARED_VALUES_H_
#define SLOPPY_WORKERS_POOL_SHARED_VALUES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/common_pages.h"
#include "base/live.h"
#include "base/mutex.h"
#include "payload/payload.h"

namespace sloppy::workers {

struct SharedValue {
  // A byte buffer of the payload that is in `pages`.
  struct Place {
    size_t index = 0;  // Its place in payload.buffers.
    size_t offset = 0;
    size_t size = 0;
  };

  Counted<Live::kSharedValues> counted;
  // Its buffers are empty, but for memory that is shared as such.
  Payload payload;
  std::unique_ptr<CommonPages> pages;  // nullptr without such buffers.
  std::vector<Place> places;
  size_t bytes = 0;  // The sum of all parts.
};

class SharedValues {
 public:
  void Add(uint32_t number, std::shared_ptr<const SharedValue> value)
      SW_EXCLUDES(mutex_);
  void Drop(uint32_t number) SW_EXCLUDES(mutex_);
  // nullptr if it is not here, or not any more.
  std::shared_ptr<const SharedValue> Find(uint32_t number) const
      SW_EXCLUDES(mutex_);
  // How often a worker has decoded one.
  void CountTaken() { taken_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> taken_{0};
  mutable Mutex mutex_;
  std::unordered_map<uint32_t, std::shared_ptr<const SharedValue>> values_
      SW_GUARDED_BY(mutex_);
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_SHARED_VALUES_H_

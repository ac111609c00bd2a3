#include "payload/block_cache.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#if defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

namespace sloppy::workers {
namespace {

// A class and the next ones, up to blocks of twice the size.
constexpr size_t kClassesUpToTwice = 5;

// The bytes that malloc made room for, which may be more than were asked of it.
size_t RoomOf(void* block) {
#if defined(__APPLE__)
  return malloc_size(block);
#elif defined(_WIN32)
  return _msize(block);
#else
  return malloc_usable_size(block);
#endif
}

}  // namespace

BlockCache& BlockCache::Process() {
  static auto* const cache = new BlockCache;
  return *cache;
}

// Four classes between a power of two and the next: little is left unused.
size_t BlockCache::ClassOf(size_t size) {
  if (size <= kSmallest) return 0;
  const size_t power = static_cast<size_t>(std::bit_width(size - 1)) - 1;
  const size_t base = size_t{1} << power;
  const size_t step = base / 4;
  return 4 * (power - kFirstPower) + (size - base + step - 1) / step;
}

size_t BlockCache::ClassWithin(size_t room) {
  const size_t index = ClassOf(std::min(room, kLargest));
  return CapacityOf(index) <= room ? index : index - 1;
}

size_t BlockCache::CapacityOf(size_t index) {
  const size_t base = kSmallest << (index / 4);
  return base + index % 4 * (base / 4);
}

// A block larger than asked for is better than a fresh one. nullptr if there is
// none.
void* BlockCache::TakeKept(size_t index) {
  MutexLock lock(mutex_);
  const int64_t now = MonotonicNow();
  classes_[index].last_taken = now;
  last_taken_.store(now, std::memory_order_relaxed);
  const size_t end = std::min(index + kClassesUpToTwice, kClasses);
  for (size_t i = index; i < end; ++i) {
    Class& of_size = classes_[i];
    if (of_size.free.empty()) continue;
    of_size.last_taken = now;
    void* block = of_size.free.back();
    of_size.free.pop_back();
    bytes_.store(bytes() - CapacityOf(i), std::memory_order_relaxed);
    return block;
  }
  return nullptr;
}

void* BlockCache::Take(size_t size) {
  if (size < kSmallest || size > kLargest) {
    return std::malloc(size == 0 ? 1 : size);
  }
  const size_t index = ClassOf(size);
  void* kept = TakeKept(index);
  return kept != nullptr ? kept : std::malloc(CapacityOf(index));
}

void* BlockCache::TakeZeroed(size_t size) {
  if (size < kSmallest || size > kLargest) {
    return std::calloc(size == 0 ? 1 : size, 1);
  }
  const size_t index = ClassOf(size);
  void* kept = TakeKept(index);
  return kept != nullptr ? std::memset(kept, 0, size)
                         : std::calloc(CapacityOf(index), 1);
}

void BlockCache::Give(void* block, size_t size) {
  if (size >= kSmallest && size <= kLargest) {
    // The class that it was made for may be a larger one than that of `size`.
    const size_t index = ClassWithin(RoomOf(block));
    const size_t capacity = CapacityOf(index);
    MutexLock lock(mutex_);
    Class& of_size = classes_[index];
    if (bytes() + capacity <= kMaxBytes &&
        MonotonicNow() < of_size.last_taken + keep_for_) {
      of_size.free.push_back(block);
      bytes_.store(bytes() + capacity, std::memory_order_relaxed);
      return;
    }
  }
  std::free(block);
}

int64_t BlockCache::Trim(int64_t now) {
  std::vector<void*> old;
  int64_t next = kNever;
  {
    MutexLock lock(mutex_);
    for (size_t i = 0; i < kClasses; ++i) {
      Class& of_size = classes_[i];
      // A class without a block counts too: one may come back until then.
      if (now < of_size.last_taken + keep_for_) {
        next = std::min(next, of_size.last_taken + keep_for_);
        continue;
      }
      if (of_size.free.empty()) continue;
      bytes_.store(bytes() - of_size.free.size() * CapacityOf(i),
                   std::memory_order_relaxed);
      old.insert(old.end(), of_size.free.begin(), of_size.free.end());
      of_size.free.clear();
    }
  }
  for (void* block : old) std::free(block);
  return next;
}

}  // namespace sloppy::workers

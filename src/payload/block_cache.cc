#include "payload/block_cache.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "base/pages.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

namespace sloppy::workers {
namespace {

// A class and the next ones, up to blocks of twice the size.
constexpr size_t kClassesUpToTwice = 5;

// Much longer than it takes to clear a page, with two looks at the clock.
constexpr int64_t kSlowTouch = 4'000;

// Asked where the first fresh block is needed: most processes need none.
bool MachineWantsHugePages() {
#if defined(__SANITIZE_ADDRESS__)
  // It looks after malloc's blocks only.
  return false;
#else
  static const bool wants = FirstTouchTakes() >= kSlowTouch;
  return wants;
#endif
}

// The bytes that malloc made room for, which may be more than were asked of it.
size_t RoomOfMalloc(void* block) {
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

// A block may have been lent to half its size.
bool BlockCache::MayBeHuge(size_t size) {
  return size <= kLargest &&
         ClassOf(size) + kClassesUpToTwice > ClassOf(kSmallestHuge);
}

// The block's, which was taken for `size`.
size_t BlockCache::RoomOf(void* block, size_t size) const {
  const size_t room = MayBeHuge(size) ? huge_.RoomOf(block) : 0;
  return room != 0 ? room : RoomOfMalloc(block);
}

void* BlockCache::TakeFresh(size_t bytes, bool zeroed) {
  const bool in_huge_pages =
      bytes >= kSmallestHuge &&
      (fresh_ == Fresh::kHugePages ||
       (fresh_ == Fresh::kAsTheMachine && MachineWantsHugePages()));
  if (in_huge_pages && bytes <= kLargest) {
    if (void* block = huge_.Take(bytes)) {
      keep_for_.store(std::max(keep_for(), kKeepHugeFor),
                      std::memory_order_relaxed);
      return block;
    }
  }
  const size_t some = std::max<size_t>(bytes, 1);
  void* block = zeroed ? std::calloc(some, 1) : std::malloc(some);
  if (in_huge_pages && bytes > kLargest && block != nullptr) {
    PreferHugePages(block, bytes);
  }
  return block;
}

void* BlockCache::Take(size_t size) {
  if (size < kSmallest || size > kLargest) return TakeFresh(size, false);
  const size_t index = ClassOf(size);
  void* kept = TakeKept(index);
  return kept != nullptr ? kept : TakeFresh(CapacityOf(index), false);
}

void* BlockCache::TakeZeroed(size_t size) {
  if (size < kSmallest || size > kLargest) return TakeFresh(size, true);
  const size_t index = ClassOf(size);
  void* kept = TakeKept(index);
  return kept != nullptr ? std::memset(kept, 0, size)
                         : TakeFresh(CapacityOf(index), true);
}

void BlockCache::Give(void* block, size_t size) {
  if (size >= kSmallest && size <= kLargest) {
    // The class that it was made for may be a larger one than that of `size`.
    const size_t index = ClassWithin(RoomOf(block, size));
    const size_t capacity = CapacityOf(index);
    MutexLock lock(mutex_);
    Class& of_size = classes_[index];
    if (bytes() + capacity <= kMaxBytes &&
        MonotonicNow() < of_size.last_taken + keep_for()) {
      of_size.free.push_back(block);
      bytes_.store(bytes() + capacity, std::memory_order_relaxed);
      return;
    }
  }
  Free(block, size);
}

void BlockCache::Free(void* block, size_t size) {
  if (!MayBeHuge(size) || !huge_.Give(block)) std::free(block);
}

int64_t BlockCache::Trim(int64_t now) {
  std::vector<void*> old;
  int64_t next = kNever;
  {
    MutexLock lock(mutex_);
    for (size_t i = 0; i < kClasses; ++i) {
      Class& of_size = classes_[i];
      // A class without a block counts too: one may come back until then.
      if (now < of_size.last_taken + keep_for()) {
        next = std::min(next, of_size.last_taken + keep_for());
        continue;
      }
      if (of_size.free.empty()) continue;
      bytes_.store(bytes() - of_size.free.size() * CapacityOf(i),
                   std::memory_order_relaxed);
      old.insert(old.end(), of_size.free.begin(), of_size.free.end());
      of_size.free.clear();
    }
  }
  huge_.GiveAll(&old);
  for (void* block : old) std::free(block);
  return next;
}

}  // namespace sloppy::workers

// Memory blocks for the large parts of payloads and for array buffers. A block
// that was in use a moment ago is given out again, because the system clears
// every page of a fresh one at its first touch: that costs several times as
// much as the copy that fills it. The line that falls without it: bytes-copied
// of bench/.
//
// Any thread. Another thread than the one that took a block may give it back,
// V8's garbage collector for instance.
#ifndef SLOPPY_WORKERS_PAYLOAD_BLOCK_CACHE_H_
#define SLOPPY_WORKERS_PAYLOAD_BLOCK_CACHE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "payload/huge_blocks.h"

namespace sloppy::workers {

class BlockCache {
 public:
  // Smaller blocks are malloc's, larger ones too rare to be kept. A page and
  // more is not too small: a thread's malloc gives what is free back to the
  // system at 128 kB, so that each job of 40 kB would map its own again.
  static constexpr size_t kSmallest = size_t{4} << 10;
  static constexpr size_t kLargest = size_t{32} << 20;
  // Bytes that are kept at the most, because V8 lets 64 MB of dead buffers
  // gather in an isolate before it collects them all at once; and how long they
  // are kept after a block of their size was last taken.
  static constexpr size_t kMaxBytes = size_t{160} << 20;
  static constexpr int64_t kKeepFor = 1'000'000'000;
  // The same in huge pages: a hypervisor takes what is free for a second or
  // two, and to have 2 MB back takes 5 ms.
  static constexpr int64_t kKeepHugeFor = 10 * kKeepFor;

  // Huge pages are for machines that are slow without: otherwise they are
  // worse, because the kernel may tidy its memory for 20 ms to have one.
  enum class Fresh { kMalloc, kHugePages, kAsTheMachine };

  // The process's. Never destroyed: blocks come back until the very end.
  static BlockCache& Process();

  explicit BlockCache(int64_t keep_for = kKeepFor,
                      Fresh fresh = Fresh::kAsTheMachine)
      : keep_for_(keep_for), fresh_(fresh), last_taken_(-keep_for) {
    // The start of the machine, which is 0, may be a moment ago.
    for (Class& of_size : classes_) of_size.last_taken = -keep_for;
  }
  ~BlockCache() { Trim(kNever); }
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // Gives at least `size` bytes with any content, nullptr when memory is short.
  // A block of up to twice the size is taken where none of the size is kept.
  void* Take(size_t size) SW_EXCLUDES(mutex_);
  // The same with zeros, which a fresh block has by itself.
  void* TakeZeroed(size_t size) SW_EXCLUDES(mutex_);
  // `size` as it was taken.
  void Give(void* block, size_t size) SW_EXCLUDES(mutex_);
  // The same for a block that nobody will want again.
  void Free(void* block, size_t size);

  // Frees the blocks of the sizes that nobody took for `keep_for` before `now`.
  // Returns when to look again, kNever if nothing is or will be kept.
  int64_t Trim(int64_t now) SW_EXCLUDES(mutex_);

  // A hint without the lock: Trim() is to be called. Not only while blocks are
  // kept, because those that are in use come back at any time.
  bool MayKeep(int64_t now) const {
    return bytes() != 0 ||
           now < last_taken_.load(std::memory_order_relaxed) + keep_for();
  }

  // Nanoseconds, longer from the first block in huge pages on.
  int64_t keep_for() const { return keep_for_.load(std::memory_order_relaxed); }
  // A hint without the lock.
  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kFirstPower = 12;
  static constexpr size_t kClasses = 4 * (25 - kFirstPower) + 1;
  static_assert(kSmallest == size_t{1} << kFirstPower);
  static_assert(kLargest == kSmallest << (kClasses / 4));

  // The class whose blocks have room for `size`, and how large those are.
  static size_t ClassOf(size_t size);
  static size_t CapacityOf(size_t index);
  // The largest class that has no more than `room`, which is kSmallest or more.
  static size_t ClassWithin(size_t room);

  // Blocks of this size and more may be in huge pages. Smaller ones have too
  // few pages of their own to be worth a call of the system when they go.
  static constexpr size_t kSmallestHuge = size_t{16} << 10;

  void* TakeKept(size_t index) SW_EXCLUDES(mutex_);
  // Zeros if they are asked for, any content otherwise.
  void* TakeFresh(size_t bytes, bool zeroed);
  static bool MayBeHuge(size_t size);
  size_t RoomOf(void* block, size_t size) const;

  struct Class {
    std::vector<void*> free;
    int64_t last_taken;
  };

  std::atomic<int64_t> keep_for_;
  const Fresh fresh_;
  HugeBlocks huge_;
  Mutex mutex_;
  std::array<Class, kClasses> classes_ SW_GUARDED_BY(mutex_);
  // Written under mutex_.
  std::atomic<size_t> bytes_{0};
  std::atomic<int64_t> last_taken_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_PAYLOAD_BLOCK_CACHE_H_

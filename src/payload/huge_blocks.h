// Fresh blocks in huge pages, for machines where the first touch of a page is
// slow: 2 MB in one touch instead of 512, which cost 6 ms where a hypervisor
// keeps the tables of pages and 0.2 ms elsewhere
// (docs/decisions/008-blocks-and-texts-are-shared.md).
//
// A block is cut from a region, and its pages go back when it is given back. A
// region's addresses are used once, and go when its last block has gone.
//
// Any thread.
#ifndef SLOPPY_WORKERS_PAYLOAD_HUGE_BLOCKS_H_
#define SLOPPY_WORKERS_PAYLOAD_HUGE_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"

namespace sloppy::workers {

class HugeBlocks {
 public:
  HugeBlocks() = default;
  HugeBlocks(const HugeBlocks&) = delete;
  HugeBlocks& operator=(const HugeBlocks&) = delete;

  // Zeros. `bytes` is a multiple of kGrain. nullptr when memory is short, or
  // where there are no huge pages.
  static constexpr size_t kGrain = size_t{16} << 10;
  void* Take(size_t bytes) SW_EXCLUDES(mutex_);
  // False for a block that is not from here.
  bool Give(void* block) SW_EXCLUDES(mutex_);
  // Gives back those that are from here, neighbours in one call of the system,
  // and leaves the others in `blocks`.
  void GiveAll(std::vector<void*>* blocks) SW_EXCLUDES(mutex_);
  // The bytes of a block, 0 for one that is not from here.
  size_t RoomOf(void* block) const SW_EXCLUDES(mutex_);

  // Bytes of address space that are held.
  size_t mapped() const SW_EXCLUDES(mutex_);

 private:
  // Small blocks share one of this size.
  static constexpr size_t kRegion = size_t{4} << 20;

  struct Region {
    size_t size;
    size_t used;
    size_t blocks;
  };
  // By address.
  using Regions = std::map<char*, Region>;

  Regions::iterator RegionWith(size_t bytes) SW_REQUIRES(mutex_);
  // The one that begins at `place` or before.
  Regions::iterator RegionAt(char* place) SW_REQUIRES(mutex_);
  void Empty(char* begin, char* end) SW_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Regions regions_ SW_GUARDED_BY(mutex_);
  std::unordered_map<void*, size_t> blocks_ SW_GUARDED_BY(mutex_);
  // The region that new blocks are cut from.
  char* current_ SW_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_PAYLOAD_HUGE_BLOCKS_H_

#include "payload/huge_blocks.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/pages.h"

namespace sloppy::workers {

// The current one if there is room in it, or a new one. Of both, the one with
// more room is current afterwards. regions_.end() when memory is short.
HugeBlocks::Regions::iterator HugeBlocks::RegionWith(size_t bytes) {
  const auto current = regions_.find(current_);
  size_t left = 0;
  if (current != regions_.end()) {
    left = current->second.size - current->second.used;
    if (bytes <= left) return current;
  }
  const size_t size =
      std::max(kRegion, (bytes + kHugePage - 1) / kHugePage * kHugePage);
  auto* const data = static_cast<char*>(TakeHugePages(size));
  if (data == nullptr) return regions_.end();
  if (size - bytes >= left) current_ = data;
  return regions_.emplace(data, Region{size, 0, 0}).first;
}

void* HugeBlocks::Take(size_t bytes) {
  MutexLock lock(mutex_);
  const auto found = RegionWith(bytes);
  if (found == regions_.end()) return nullptr;
  Region& region = found->second;
  void* const block = found->first + region.used;
  region.used += bytes;
  ++region.blocks;
  blocks_.emplace(block, bytes);
  return block;
}

bool HugeBlocks::Give(void* block) {
  std::vector<void*> one{block};
  GiveAll(&one);
  return one.empty();
}

void HugeBlocks::GiveAll(std::vector<void*>* blocks) {
  std::sort(blocks->begin(), blocks->end());
  std::vector<std::pair<char*, char*>> pieces;
  size_t others = 0;
  MutexLock lock(mutex_);
  for (void* block : *blocks) {
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) {
      (*blocks)[others++] = block;
      continue;
    }
    auto* const begin = static_cast<char*>(block);
    char* const end = begin + found->second;
    blocks_.erase(found);
    const auto region = RegionAt(begin);
    --region->second.blocks;
    // A region may begin where another one ends.
    if (!pieces.empty() && pieces.back().second == begin &&
        region->first != begin) {
      pieces.back().second = end;
    } else {
      pieces.emplace_back(begin, end);
    }
  }
  blocks->resize(others);
  for (const auto& [begin, end] : pieces) Empty(begin, end);
}

HugeBlocks::Regions::iterator HugeBlocks::RegionAt(char* place) {
  const auto next = regions_.upper_bound(place);
  return next == regions_.begin() ? regions_.end() : std::prev(next);
}

// Gives back the pages of a piece of a region, or the whole of it.
void HugeBlocks::Empty(char* begin, char* end) {
  const auto region = RegionAt(begin);
  // Another piece of it may have been the last one.
  if (region == regions_.end() ||
      begin >= region->first + region->second.size) {
    return;
  }
  if (region->second.blocks != 0) {
    EmptyPages(begin, static_cast<size_t>(end - begin));
    return;
  }
  GivePages(region->first, region->second.size);
  regions_.erase(region);
}

size_t HugeBlocks::RoomOf(void* block) const {
  MutexLock lock(mutex_);
  const auto found = blocks_.find(block);
  return found == blocks_.end() ? 0 : found->second;
}

size_t HugeBlocks::mapped() const {
  MutexLock lock(mutex_);
  size_t bytes = 0;
  for (const auto& [data, region] : regions_) bytes += region.size;
  return bytes;
}

}  // namespace sloppy::workers

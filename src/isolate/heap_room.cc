#include "isolate/heap_room.h"

#include <uv.h>

#include <algorithm>
#include <cstdint>

namespace sloppy::workers {
namespace {

constexpr size_t kLeastRoom = size_t{32} << 20;

// Bytes that the system would give without ending the process for it.
uint64_t AvailableMemory() {
  uint64_t available = uv_get_free_memory();
  size_t resident = 0;
  const uint64_t constrained = uv_get_constrained_memory();
  if (constrained > 0 && uv_resident_set_memory(&resident) == 0) {
    available = std::min(available,
                         constrained > resident ? constrained - resident : 0);
  }
  return available;
}

}  // namespace

size_t HeapRoom(size_t wanted) {
  const uint64_t most =
      std::min<uint64_t>(std::min(wanted, kMostRoom), AvailableMemory() / 2);
  return std::max(static_cast<size_t>(most), kLeastRoom);
}

}  // namespace sloppy::workers

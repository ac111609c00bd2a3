// The jobs of one owner by slot, the number under which its JavaScript knows
// them. Jobs never move and live as long as the table, so a slot that one
// thread was told can be looked up by it without a lock.
#ifndef SLOPPY_WORKERS_JOB_JOB_TABLE_H_
#define SLOPPY_WORKERS_JOB_JOB_TABLE_H_

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "job/job.h"

namespace sloppy::workers {

class JobTable {
 public:
  JobTable() = default;
  JobTable(const JobTable&) = delete;
  JobTable& operator=(const JobTable&) = delete;
  ~JobTable() {
    for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
  }

  // Owner. The job of a slot, made with its chunk when it is new.
  Job* At(uint32_t slot) {
    const Place place = PlaceOf(slot);
    Job* chunk = chunks_[place.chunk].load(std::memory_order_relaxed);
    if (chunk == nullptr) {
      chunk = new Job[place.size];
      for (size_t i = 0; i < place.size; ++i) {
        chunk[i].slot = static_cast<uint32_t>(place.size - kFirst + i);
      }
      // release: pairs with Find.
      chunks_[place.chunk].store(chunk, std::memory_order_release);
    }
    return &chunk[place.index];
  }

  // Any thread. nullptr for a slot that At() has never seen.
  Job* Find(uint32_t slot) const {
    const Place place = PlaceOf(slot);
    Job* chunk = chunks_[place.chunk].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : &chunk[place.index];
  }

 private:
  // Chunk n holds twice as many jobs as chunk n - 1.
  static constexpr size_t kFirst = 16;
  static constexpr size_t kChunks = 34 - std::bit_width(kFirst);

  struct Place {
    size_t chunk;
    size_t size;
    size_t index;
  };
  static Place PlaceOf(uint32_t slot) {
    const uint64_t at = uint64_t{slot} + kFirst;
    const size_t size = size_t{1} << (std::bit_width(at) - 1);
    return {static_cast<size_t>(std::bit_width(size) - std::bit_width(kFirst)),
            size, static_cast<size_t>(at - size)};
  }

  std::array<std::atomic<Job*>, kChunks> chunks_{};
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_JOB_TABLE_H_

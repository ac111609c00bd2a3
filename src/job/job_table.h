// The jobs of one owner by slot, the number under which its JavaScript knows
// them. Jobs never move, so a thread that was given a slot looks it up without
// a lock.
//
// Invariants
// (1) The first kFixed jobs live as long as the table.
// (2) Other jobs come and go in blocks of kBlock. A block is freed when its
//     owner says that no thread looks for any of its slots any more.
// (3) A serial is never used twice for a slot, not even by another job in its
//     place, because mail may outlive its job.
//
// Held by: (1) (2) (3) test/unit/pool/submit_ring_test.cc (JobTable).
#ifndef SLOPPY_WORKERS_JOB_JOB_TABLE_H_
#define SLOPPY_WORKERS_JOB_JOB_TABLE_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/end_process.h"
#include "base/pages.h"
#include "job/job.h"

namespace sloppy::workers {

class JobTable {
 public:
  JobTable() = default;
  JobTable(const JobTable&) = delete;
  JobTable& operator=(const JobTable&) = delete;
  ~JobTable() {
    for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
    for (size_t i = 0; i < kFolders; ++i) {
      Slot* folder = folders_[i].load(std::memory_order_relaxed);
      if (folder == nullptr) continue;
      for (size_t j = 0; j < kFirst << i; ++j) {
        FreeBlock(folder[j].load(std::memory_order_relaxed));
      }
      delete[] folder;
    }
  }

  // Jobs that go together, and those before them that never go. As in
  // lib/executors/isolate/job-slots.js.
  static constexpr size_t kBlock = 1024;
  static constexpr size_t kFirst = 16;
  static constexpr size_t kFixed = 2 * kBlock - kFirst;

  // Owner. The job of a slot, made with its block when it is new.
  Job* At(uint32_t slot) {
    const Place place = PlaceOf(slot);
    if (place.folder != kNoFolder &&
        folders_[place.folder].load(std::memory_order_relaxed) == nullptr) {
      // release, as below: pairs with Find.
      folders_[place.folder].store(new Slot[kFirst << place.folder]{},
                                   std::memory_order_release);
    }
    Slot* where = SlotOf(place);
    Job* block = where->load(std::memory_order_relaxed);
    if (block == nullptr) {
      block = place.folder == kNoFolder ? new Job[place.size] : MakeBlock();
      for (size_t i = 0; i < place.size; ++i) {
        block[i].slot = static_cast<uint32_t>(slot - place.index + i);
        block[i].serial = last_serial_;
      }
      where->store(block, std::memory_order_release);
    }
    return &block[place.index];
  }

  // Any thread. nullptr for a slot that At() has not made.
  Job* Find(uint32_t slot) const {
    const Place place = PlaceOf(slot);
    const Slot* where = SlotOf(place);
    Job* block =
        where == nullptr ? nullptr : where->load(std::memory_order_acquire);
    return block == nullptr ? nullptr : &block[place.index];
  }

  // Owner. Gives back the memory of a block; At() makes it again. REQUIRES:
  // `slot` >= kFixed, and of its block no job is under way.
  void DropBlock(uint32_t slot) {
    Slot* where = SlotOf(PlaceOf(slot));
    Job* block = where == nullptr ? nullptr : where->exchange(nullptr);
    if (block == nullptr) return;
    for (size_t i = 0; i < kBlock; ++i) {
      last_serial_ = std::max(last_serial_, block[i].serial);
    }
    FreeBlock(block);
  }

 private:
  using Slot = std::atomic<Job*>;
  // Of the fixed jobs, chunk n holds twice as many as chunk n - 1.
  static constexpr size_t kChunks =
      std::bit_width(kBlock) - std::bit_width(kFirst) + 1;
  // Of the blocks, folder n holds kFirst << n.
  static constexpr size_t kFolders = 20;
  static constexpr size_t kNoFolder = kFolders;

  struct Place {
    size_t folder;
    size_t chunk;  // Its place in the folder, if there is one.
    size_t size;
    size_t index;
  };
  static Place PlaceOf(uint32_t slot) {
    const uint64_t at = uint64_t{slot} + kFirst;
    if (at >= 2 * kBlock) {
      const uint64_t block = at / kBlock - 2 + kFirst;
      const auto folder =
          static_cast<size_t>(std::bit_width(block) - std::bit_width(kFirst));
      return {folder, static_cast<size_t>(block - (kFirst << folder)), kBlock,
              static_cast<size_t>(at % kBlock)};
    }
    const size_t size = size_t{1} << (std::bit_width(at) - 1);
    return {kNoFolder,
            static_cast<size_t>(std::bit_width(size) - std::bit_width(kFirst)),
            size, static_cast<size_t>(at - size)};
  }

  // The memory comes from the system, because malloc would keep what was freed.
  static Job* MakeBlock() {
    void* pages = TakePages(kBlock * sizeof(Job));
    if (pages == nullptr) EndProcess("the table of jobs", "got no memory");
    Job* block = static_cast<Job*>(pages);
    std::uninitialized_default_construct_n(block, kBlock);
    return block;
  }
  static void FreeBlock(Job* block) {
    if (block == nullptr) return;
    std::destroy_n(block, kBlock);
    GivePages(block, kBlock * sizeof(Job));
  }

  // nullptr without its folder.
  Slot* SlotOf(const Place& place) {
    return const_cast<Slot*>(std::as_const(*this).SlotOf(place));
  }
  const Slot* SlotOf(const Place& place) const {
    if (place.folder == kNoFolder) return &chunks_[place.chunk];
    const Slot* folder = folders_[place.folder].load(std::memory_order_acquire);
    return folder == nullptr ? nullptr : &folder[place.chunk];
  }

  std::array<Slot, kChunks> chunks_{};
  std::array<std::atomic<Slot*>, kFolders> folders_{};
  uint32_t last_serial_ = 0;  // The last one of jobs that went.
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_JOB_TABLE_H_

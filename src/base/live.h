// Counts the objects in this process that a leak would leave behind. The chaos
// run asserts that each count falls to 0.
#ifndef SLOPPY_WORKERS_BASE_LIVE_H_
#define SLOPPY_WORKERS_BASE_LIVE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sloppy::workers {

enum class Live : uint8_t {
  kEnvironments,
  kThreads,
  kIsolates,
  kRealms,
  // One for each isolate; it lives as long as any backing store it gave.
  kAllocators,
  kThreadsafeFunctions,
  // Functions and exports that jobs call, as many as their owners still know.
  kEntries,
  // Values that owners share with workers, and workers' views of their bytes.
  kSharedValues,
  kPagesViews,
  kKinds,
};

class LiveCounts {
 public:
  // Any thread.
  static void Add(Live kind, int32_t change) {
    counts_[static_cast<size_t>(kind)].fetch_add(change,
                                                 std::memory_order_relaxed);
  }
  static int32_t Of(Live kind) {
    return counts_[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
  }

 private:
  static inline std::atomic<int32_t> counts_[size_t(Live::kKinds)]{};
};

// A member that counts its owner.
template <Live kind>
class Counted {
 public:
  Counted() { LiveCounts::Add(kind, 1); }
  ~Counted() { LiveCounts::Add(kind, -1); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_LIVE_H_

// Whether a debugger may attach to workers of this process. Any thread.
#ifndef SLOPPY_WORKERS_BASE_DEBUG_FLAG_H_
#define SLOPPY_WORKERS_BASE_DEBUG_FLAG_H_

#include <atomic>

namespace sloppy::workers {

class DebugFlag {
 public:
  static bool IsOpen() { return open_.load(std::memory_order_relaxed); }
  static void Set(bool open) { open_.store(open, std::memory_order_relaxed); }

 private:
  static inline std::atomic<bool> open_{false};
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_DEBUG_FLAG_H_

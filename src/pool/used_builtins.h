// The built-ins that jobs of a pool have used, by the names of the runtime's
// bundles: what an idle worker loads ahead of its next job.
//
// Any thread. A name stays where it is once it is here.
#ifndef SLOPPY_WORKERS_POOL_USED_BUILTINS_H_
#define SLOPPY_WORKERS_POOL_USED_BUILTINS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"

namespace sloppy::workers {

class UsedBuiltins {
 public:
  // A realm is made for jobs of the pool.
  void CountRealm() { realms_.fetch_add(1, std::memory_order_relaxed); }

  // Jobs of a realm have used it; at most once a realm. More names than there
  // are built-ins are not kept.
  void Add(std::string_view name) SW_EXCLUDES(mutex_);

  // Loading ahead has ended a realm, which it would do again and again.
  void Stop() { stopped_.store(true, std::memory_order_relaxed); }

  // Whether there may be one at `*place` or after it; without a lock.
  bool HasFrom(size_t place) const {
    return place < count_.load(std::memory_order_acquire) &&
           !stopped_.load(std::memory_order_relaxed);
  }

  // The next from `*place` on that is worth its time; moves `*place` behind
  // it. Empty when there is none.
  std::string Next(size_t* place) const SW_EXCLUDES(mutex_);

 private:
  static constexpr size_t kMost = 256;
  // A built-in that fewer realms have used costs the others more than it saves.
  static constexpr uint64_t kOneOf = 16;

  struct Use {
    std::string name;
    uint64_t realms;
  };

  std::atomic<uint64_t> realms_{0};
  std::atomic<size_t> count_{0};
  std::atomic<bool> stopped_{false};
  mutable Mutex mutex_;
  std::vector<Use> uses_ SW_GUARDED_BY(mutex_);
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_USED_BUILTINS_H_

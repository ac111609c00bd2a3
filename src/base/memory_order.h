// The atomics of the lock-free headers, as a template parameter: those of the
// language here, in the unit tests a model that weakens them (test/unit/model).
#ifndef SLOPPY_WORKERS_BASE_MEMORY_ORDER_H_
#define SLOPPY_WORKERS_BASE_MEMORY_ORDER_H_

#include <atomic>

namespace sloppy::workers {

struct RealMemory {
  template <typename T>
  using Atomic = std::atomic<T>;
  // Written by one thread and read by another, in an order that an atomic
  // gives.
  template <typename T>
  using Plain = T;
};

// The atomic of all else that threads share without a lock; the simulation of
// the pool (test/sim) has its own.
template <typename T>
using Atomic = RealMemory::Atomic<T>;

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_MEMORY_ORDER_H_

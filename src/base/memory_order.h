// What the lock-free headers share between threads with, as a parameter of
// theirs: the language's atomics here, in the unit tests a model that weakens
// them (test/unit/model).
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

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_MEMORY_ORDER_H_

// Stands for src/base/memory_order.h in the simulation: each operation that is
// not relaxed is a point of choice. An atomic is as large as what it holds,
// because the rings lie in memory that others lay out.
#ifndef SLOPPY_WORKERS_BASE_MEMORY_ORDER_H_
#define SLOPPY_WORKERS_BASE_MEMORY_ORDER_H_

#include <atomic>
#include <utility>

#include "test/sim/world.h"

namespace sloppy::workers {

template <typename T>
class Atomic {
 public:
  constexpr Atomic() = default;
  constexpr Atomic(T value) : value_(value) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst) const {
    if (order != std::memory_order_relaxed) Point();
    return value_;
  }
  void store(T value, std::memory_order = std::memory_order_seq_cst) {
    Point();
    Set(value);
  }
  T exchange(T value, std::memory_order = std::memory_order_seq_cst) {
    Point();
    return Set(value);
  }
  bool compare_exchange_strong(T& expected, T desired,
                               std::memory_order = std::memory_order_seq_cst,
                               std::memory_order = std::memory_order_seq_cst) {
    Point();
    if (value_ == expected) {
      Set(desired);
      return true;
    }
    expected = value_;
    return false;
  }
  bool compare_exchange_weak(T& expected, T desired,
                             std::memory_order = std::memory_order_seq_cst,
                             std::memory_order = std::memory_order_seq_cst) {
    return compare_exchange_strong(expected, desired);
  }
  T fetch_add(T change, std::memory_order = std::memory_order_seq_cst) {
    Point();
    return Set(static_cast<T>(value_ + change));
  }
  T fetch_sub(T change, std::memory_order = std::memory_order_seq_cst) {
    Point();
    return Set(static_cast<T>(value_ - change));
  }
  operator T() const { return load(); }
  T operator=(T value) {
    store(value);
    return value;
  }

  void wait(T old, std::memory_order = std::memory_order_seq_cst) const {
    Point();
    while (value_ == old) sim::World::Current()->WaitOn(this);
  }
  void notify_one() {
    sim::World* world = sim::World::Current();
    if (world != nullptr) world->NotifyOne(this);
  }

 private:
  static void Point() {
    sim::World* world = sim::World::Current();
    if (world != nullptr) world->Point();
  }
  T Set(T value) {
    sim::World* world = sim::World::Current();
    if (world != nullptr && value_ != value) world->Changed();
    return std::exchange(value_, value);
  }
  T value_{};
};

struct RealMemory {
  template <typename T>
  using Atomic = workers::Atomic<T>;
  template <typename T>
  using Plain = T;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_MEMORY_ORDER_H_

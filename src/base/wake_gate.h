// One thread sleeps here, others wake it.
//
// Invariants
// (1) One thread calls Spin() and Sleep(). Any thread calls Wake().
// (2) A wake is never lost: Sleep() and Wake() change the same word, so the
//     later one of the two sees the other.
// (3) The thread that sees kWoken sees all that was written before Wake()
//     (release, acquire), also after a second Wake(), because an exchange
//     continues the release sequence of what it replaces.
// (4) A wake is a system call only when the thread sleeps in the kernel.
//     std::atomic::wait is the platform's futex (Linux, Windows, macOS) behind
//     the standard library's own fallback.
//
// Held by: (1) (2) (3) test/unit/model/wake_gate_test.cc, for WorkerThread,
// which alone has one. (4) the line round-trip of bench/.
//
// test/unit/model/wake_gate_test.cc finds (2) or (3) broken when an order is
// weakened.
#ifndef SLOPPY_WORKERS_BASE_WAKE_GATE_H_
#define SLOPPY_WORKERS_BASE_WAKE_GATE_H_

#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/memory_order.h"

namespace sloppy::workers {

template <typename Memory = RealMemory>
class BasicWakeGate {
 public:
  // The sleeping thread. Polls for at most `spin_ns`, true as soon as Wake()
  // was called since the last Spin or Sleep, or `ready()` says so. Gives up
  // when another thread wants this core: two that poll for each other there
  // would stay together, and a sleeper is woken on a free core.
  template <typename Ready>
  bool Spin(int64_t spin_ns, Ready ready) {
    int64_t now = MonotonicNow();
    const int64_t until = now + spin_ns;
    do {
      for (int i = 0; i < 32; ++i) {
        // acquire: what the waker wrote before Wake() is visible.
        if (state_.load(std::memory_order_acquire) == kWoken) {
          state_.exchange(kAwake, std::memory_order_acq_rel);
          return true;
        }
        if (ready()) return true;
        CpuRelax();
      }
      // The waker may need this very core.
      std::this_thread::yield();
      const int64_t before = std::exchange(now, MonotonicNow());
      if (now - before > kCrowded) return ready();
    } while (now < until);
    return false;
  }

  // The sleeping thread. Returns once Wake() was called since the last Spin
  // or Sleep that it ended.
  void Sleep() {
    int expected = kAwake;
    if (state_.compare_exchange_strong(expected, kAsleep,
                                       std::memory_order_acq_rel)) {
      do {
        state_.wait(kAsleep, std::memory_order_acquire);
      } while (state_.load(std::memory_order_acquire) == kAsleep);
    }
    // Takes in whatever was written before the latest Wake().
    state_.exchange(kAwake, std::memory_order_acq_rel);
  }

  // Any thread.
  void Wake() {
    if (state_.exchange(kWoken, std::memory_order_acq_rel) == kAsleep) {
      state_.notify_one();
    }
  }

 private:
  // Much longer than a turn of Spin takes undisturbed.
  static constexpr int64_t kCrowded = 10'000;

  enum State : int { kAwake, kAsleep, kWoken };
  typename Memory::template Atomic<int> state_{kAwake};
};

using WakeGate = BasicWakeGate<>;

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_WAKE_GATE_H_

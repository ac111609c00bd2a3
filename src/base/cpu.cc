#include "base/cpu.h"

#include <atomic>

#if defined(__linux__) && defined(__x86_64__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#define SW_MEMBARRIER 1
#elif defined(_WIN32) && defined(_M_X64)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#define SW_FLUSH_WRITE_BUFFERS 1
#endif

namespace sloppy::workers {
namespace {

// GCC's thread sanitizer knows no fences; everything around this one is
// seq_cst by itself.
[[maybe_unused]] void FullFence() {
#if !defined(__SANITIZE_THREAD__)
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace

// Only on processors that keep the order of stores by themselves: the side
// without a barrier is JavaScript, which has no weaker order to ask for.
#if defined(SW_MEMBARRIER)

bool HasLightFence() {
  static const bool has =
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) ==
      0;
  return has;
}

void HeavyFence() {
  FullFence();
  if (HasLightFence()) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
  }
}

#elif defined(SW_FLUSH_WRITE_BUFFERS)

bool HasLightFence() { return true; }

void HeavyFence() { FlushProcessWriteBuffers(); }

#else

bool HasLightFence() { return false; }

void HeavyFence() { FullFence(); }

#endif

}  // namespace sloppy::workers

#include "base/cpu.h"

#include <atomic>
#include <cstddef>
#include <mutex>

#if defined(__linux__)
#include <sched.h>
#endif

#if defined(__linux__) && defined(__x86_64__)
#include <linux/membarrier.h>
#include <pthread.h>
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

int CurrentCore() {
#if defined(__linux__)
  return sched_getcpu();
#elif defined(SW_FLUSH_WRITE_BUFFERS)
  return static_cast<int>(GetCurrentProcessorNumber());
#else
  return -1;
#endif
}

// Only on processors that keep the order of stores by themselves: the side
// without a barrier is JavaScript, which has no weaker order to ask for.
#if defined(SW_MEMBARRIER)

namespace {

bool Register() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED,
                 0) == 0;
}

constexpr size_t kStackBytes = 128 << 10;

std::atomic<bool> registered{false};

void* RegisterProcess(void*) {
  if (Register()) registered.store(true);
  return nullptr;
}

// In a process with threads the kernel sleeps some ten milliseconds for it, so
// a thread of its own does it. That thread ends by itself. It may outlive its
// caller, because the addon is never unloaded.
void BeginRegistration() {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // A full one would be kept for a worker's thread, which then starts where
  // there is no memory left for its isolate.
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  pthread_create(&thread, &attributes, &RegisterProcess, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace

void PrepareLightFence() {
  static std::once_flag begun;
  std::call_once(begun, BeginRegistration);
}

bool HasLightFence() { return registered.load(); }

// A writer skips its barrier only after it saw `registered`. The full fence
// orders our caller's stores before the load of `registered`. So either we see
// it and issue the membarrier, or the writer still uses a barrier of its own.
void HeavyFence() {
  FullFence();
  if (registered.load()) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
  }
}

#elif defined(SW_FLUSH_WRITE_BUFFERS)

void PrepareLightFence() {}

bool HasLightFence() { return true; }

void HeavyFence() { FlushProcessWriteBuffers(); }

#else

void PrepareLightFence() {}

bool HasLightFence() { return false; }

void HeavyFence() { FullFence(); }

#endif

}  // namespace sloppy::workers

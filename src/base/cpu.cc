#include "base/cpu.h"

#include <atomic>

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

// In a process with threads the kernel takes some ten milliseconds for it,
// asleep: it happens on a thread of its own while others go on.
class Registration {
 public:
  Registration()
      : on_thread_(pthread_create(&thread_, nullptr, &Run, this) == 0) {}

  bool Wait() {
    if (on_thread_) {
      pthread_join(thread_, nullptr);
    } else {
      Run(this);
    }
    return done_;
  }

 private:
  static void* Run(void* self) {
    static_cast<Registration*>(self)->done_ = Register();
    return nullptr;
  }

  bool done_ = false;
  pthread_t thread_{};
  const bool on_thread_;
};

Registration& TheRegistration() {
  static auto* const registration = new Registration();
  return *registration;
}

}  // namespace

void PrepareLightFence() { TheRegistration(); }

bool HasLightFence() {
  static const bool has = TheRegistration().Wait();
  return has;
}

void HeavyFence() {
  FullFence();
  if (HasLightFence()) {
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

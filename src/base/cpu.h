// Hints and barriers for the processor, with a fallback where there are none.
#ifndef SLOPPY_WORKERS_BASE_CPU_H_
#define SLOPPY_WORKERS_BASE_CPU_H_

#include <cstddef>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace sloppy::workers {

// Words that different cores write often are this far apart. Some processors
// have lines of 128; the ABI must not depend on the processor, as the
// standard's constant does.
inline constexpr size_t kCacheLine = 64;

// Called inside a loop that polls.
inline void CpuRelax() {
#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
  _mm_pause();
#elif defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// The line at `address` is about to be read and written.
inline void Prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address, 1);
#endif
}

// The core that the calling thread is on just now, -1 if unknown.
int CurrentCore();

// A memory barrier of which one side is free. Where HasLightFence(), a thread
// that writes A and then reads B without any barrier, and one that writes B,
// calls HeavyFence() and then reads A, cannot both miss the other's write.
// Elsewhere the first needs a full barrier of its own.
//
// Process-wide; false at first, and true for ever some time after the first
// PrepareLightFence() where the system has such a barrier.
bool HasLightFence();

void PrepareLightFence();
void HeavyFence();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_CPU_H_

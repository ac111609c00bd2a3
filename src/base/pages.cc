#include "base/pages.h"

#include <algorithm>

#include "base/clock.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#elif defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#define SW_HAS_MMAP 1
#else
#include <cstdlib>
#endif

namespace sloppy::workers {

#if defined(_WIN32)

void* TakePages(size_t bytes) {
  return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void GivePages(void* pages, size_t) { VirtualFree(pages, 0, MEM_RELEASE); }

bool HasAddresses(size_t bytes) {
  void* pages = VirtualAlloc(nullptr, bytes, MEM_RESERVE, PAGE_NOACCESS);
  if (pages == nullptr) return false;
  GivePages(pages, bytes);
  return true;
}

#elif defined(SW_HAS_MMAP)

void* TakePages(size_t bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
#if defined(MADV_NOHUGEPAGE)
  // Blocks lie side by side, and a huge page would be memory for all of them.
  madvise(pages, bytes, MADV_NOHUGEPAGE);
#endif
  return pages;
}

void GivePages(void* pages, size_t bytes) { munmap(pages, bytes); }

bool HasAddresses(size_t bytes) {
  void* pages =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return false;
  GivePages(pages, bytes);
  return true;
}

#else

void* TakePages(size_t bytes) { return std::calloc(bytes, 1); }

void GivePages(void* pages, size_t) { std::free(pages); }

bool HasAddresses(size_t) { return true; }

#endif

#if defined(__linux__)

void* TakeHugePages(size_t bytes) {
  // Aligned by leaving out what is before and after.
  const size_t mapped = bytes + kHugePage;
  void* pages = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  char* const first = static_cast<char*>(pages);
  const size_t before =
      (kHugePage - reinterpret_cast<uintptr_t>(first) % kHugePage) % kHugePage;
  char* const aligned = first + before;
  if (before != 0) munmap(first, before);
  munmap(aligned + bytes, kHugePage - before);
  madvise(aligned, bytes, MADV_HUGEPAGE);
  return aligned;
}

// Advises of the pages that are whole in these bytes.
static void AdviseWithin(void* block, size_t bytes, int advice) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const auto place = reinterpret_cast<uintptr_t>(block);
  const size_t before = (page - place % page) % page;
  if (bytes < before + page) return;
  madvise(static_cast<char*>(block) + before, (bytes - before) / page * page,
          advice);
}

void PreferHugePages(void* block, size_t bytes) {
  AdviseWithin(block, bytes, MADV_HUGEPAGE);
}

void EmptyPages(void* pages, size_t bytes) {
  AdviseWithin(pages, bytes, MADV_DONTNEED);
}

int64_t FirstTouchTakes() {
  constexpr size_t kPages = 16;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const Pages pages(kPages * page);
  if (pages.data() == nullptr) return 0;
  auto* const bytes = static_cast<volatile char*>(pages.data());
  // The fastest counts, because others may have been interrupted.
  int64_t fastest = kNever;
  for (size_t i = 0; i < kPages; ++i) {
    const int64_t before = MonotonicNow();
    bytes[i * page] = 1;
    fastest = std::min(fastest, MonotonicNow() - before);
  }
  return fastest;
}

// Never a part of its caller, as link-time optimisation would have it: "here"
// would be above that one's variables, and they would go as well.
[[gnu::noinline]] void GiveStackBelow(size_t bytes) {
  // Bytes that a function may use without moving the stack's end; this one
  // does.
  constexpr uintptr_t kInUse = 1024;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  char* const here = static_cast<char*>(__builtin_frame_address(0));
  const auto place = reinterpret_cast<uintptr_t>(here);
  const uintptr_t end = (place - kInUse) / page * page;
  const uintptr_t begin = (place - bytes + page - 1) / page * page;
  // The stack grows down; what is there holds nothing.
  if (begin < end) {
    madvise(here - (place - begin), end - begin, MADV_DONTNEED);
  }
}

#else

void* TakeHugePages(size_t) { return nullptr; }
void PreferHugePages(void*, size_t) {}
void EmptyPages(void*, size_t) {}
int64_t FirstTouchTakes() { return 0; }

// Elsewhere stacks are not promised to come back when they are needed.
void GiveStackBelow(size_t) {}

#endif

}  // namespace sloppy::workers

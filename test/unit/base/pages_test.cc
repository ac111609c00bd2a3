#include "base/pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/clock.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace sloppy::workers {
namespace {

TEST(Pages, AreZeros) {
  constexpr size_t kBytes = 50'000;
  auto* pages = static_cast<uint8_t*>(TakePages(kBytes));
  ASSERT_NE(pages, nullptr);
  EXPECT_EQ(std::count(pages, pages + kBytes, 0), kBytes);
  pages[0] = pages[kBytes - 1] = 1;
  GivePages(pages, kBytes);
}

TEST(Pages, ThereMayBeNone) { EXPECT_EQ(TakePages(SIZE_MAX / 2), nullptr); }

TEST(Pages, HugeOnesAreAlignedZerosAndCanBeEmptied) {
#if defined(__linux__)
  constexpr size_t kBytes = 2 * kHugePage;
  auto* pages = static_cast<uint8_t*>(TakeHugePages(kBytes));
  ASSERT_NE(pages, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pages) % kHugePage, 0u);
  EXPECT_EQ(std::count(pages, pages + kBytes, 0), kBytes);
  std::fill(pages, pages + kBytes, 1);
  // A page is 64 kB at the most.
  constexpr size_t kSome = 65536;
  EmptyPages(pages + kSome, kSome);
  EXPECT_EQ(pages[kSome - 1], 1);
  EXPECT_EQ(std::count(pages + kSome, pages + 2 * kSome, 0), kSome);
  EXPECT_EQ(pages[2 * kSome], 1);
  // Not a page is whole in these.
  EmptyPages(pages + 1, 4096);
  EXPECT_EQ(pages[1], 1);
  EXPECT_EQ(pages[4096], 1);
  GivePages(pages, kBytes);
#endif
}

// A block of malloc's does not begin where a page does, and is left as it is.
TEST(Pages, HugeOnesMayBePreferredForABlock) {
  for (const size_t bytes : {size_t{1}, size_t{5000}, 2 * kHugePage}) {
    std::vector<uint8_t> block(bytes, 7);
    PreferHugePages(block.data(), bytes);
    EXPECT_EQ(std::count(block.begin(), block.end(), 7), bytes);
  }
}

TEST(Pages, AFirstTouchTakesSomeTime) {
  const int64_t takes = FirstTouchTakes();
  EXPECT_GE(takes, 0);
  EXPECT_LT(takes, kNever);
}

TEST(Pages, AddressesAreThereOrNot) {
  EXPECT_TRUE(HasAddresses(size_t{512} << 20));
  EXPECT_FALSE(HasAddresses(SIZE_MAX / 2));
}

#if defined(__linux__)
TEST(Pages, AreMemoryFromTheFirstTouchOn) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  constexpr size_t kPages = 16;
  auto* pages = static_cast<uint8_t*>(TakePages(kPages * page));
  ASSERT_NE(pages, nullptr);
  pages[3 * page] = 1;
  std::vector<unsigned char> resident(kPages);
  ASSERT_EQ(mincore(pages, kPages * page, resident.data()), 0);
  EXPECT_EQ(std::count(resident.begin(), resident.end(), 1), 1);
  EXPECT_EQ(resident[3], 1);
  GivePages(pages, kPages * page);
}

// Answers where it was.
[[gnu::noinline]] uintptr_t GoDeep(size_t bytes) {
  auto* deep = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (size_t i = 0; i < bytes; i += 512) deep[i] = 1;
  return reinterpret_cast<uintptr_t>(deep);
}

size_t ResidentBelow(uintptr_t top, size_t bytes) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = (top - bytes) / page * page;
  std::vector<unsigned char> resident(bytes / page);
  EXPECT_EQ(mincore(reinterpret_cast<void*>(begin), bytes, resident.data()), 0);
  return static_cast<size_t>(std::count(resident.begin(), resident.end(), 1));
}

TEST(Pages, OfAStackThatWasDeepAreGivenBack) {
  std::thread([] {
    constexpr size_t kDeep = size_t{256} << 10;
    const uintptr_t bottom = GoDeep(kDeep);
    const uintptr_t middle = bottom + kDeep / 2;
    ASSERT_GT(ResidentBelow(middle, kDeep / 4), 0u);
    GiveStackBelow(2 * kDeep);
    EXPECT_EQ(ResidentBelow(middle, kDeep / 4), 0u);
    // It is there when it is needed.
    EXPECT_EQ(GoDeep(kDeep), bottom);
  }).join();
}

// Its caller's own frame would be below "here" and go as well if
// it became a part of that.
[[gnu::noinline]] size_t LostOfTheCallersFrame() {
  constexpr size_t kLarge = size_t{64} << 10;
  volatile char mine[kLarge];
  for (size_t i = 0; i < kLarge; ++i) mine[i] = 1;
  GiveStackBelow(4 * kLarge);
  size_t lost = 0;
  for (size_t i = 0; i < kLarge; ++i) lost += mine[i] != 1;
  return lost;
}

TEST(Pages, OfTheCallersFrameAreKept) {
  std::thread([] { EXPECT_EQ(LostOfTheCallersFrame(), 0u); }).join();
}
#endif

}  // namespace
}  // namespace sloppy::workers

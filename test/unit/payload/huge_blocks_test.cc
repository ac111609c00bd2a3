#include "payload/huge_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "base/pages.h"

namespace sloppy::workers {
namespace {

#if defined(__linux__)

constexpr size_t kMegabyte = size_t{1} << 20;
constexpr size_t kGrain = HugeBlocks::kGrain;

// The first and the last byte of each page are enough: nobody here writes less
// than a page.
bool IsZero(const void* block, size_t bytes) {
  const auto* each = static_cast<const uint8_t*>(block);
  for (size_t i = 0; i < bytes; i += 4096) {
    if (each[i] != 0 || each[i + 4095] != 0) return false;
  }
  return true;
}

TEST(HugeBlocks, AreZerosSideBySide) {
  HugeBlocks blocks;
  auto* first = static_cast<uint8_t*>(blocks.Take(4 * kGrain));
  auto* second = static_cast<uint8_t*>(blocks.Take(5 * kGrain));
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(second, first + 4 * kGrain);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % kHugePage, 0u);
  EXPECT_TRUE(IsZero(first, 9 * kGrain));
  EXPECT_EQ(blocks.RoomOf(first), 4 * kGrain);
  EXPECT_EQ(blocks.RoomOf(second), 5 * kGrain);
  EXPECT_TRUE(blocks.Give(second));
  EXPECT_TRUE(blocks.Give(first));
}

TEST(HugeBlocks, KnowTheirOwn) {
  HugeBlocks blocks;
  int other = 0;
  EXPECT_FALSE(blocks.Give(&other));
  EXPECT_EQ(blocks.RoomOf(&other), 0u);
  void* block = blocks.Take(kGrain);
  EXPECT_FALSE(blocks.Give(static_cast<char*>(block) + 4096));
  EXPECT_TRUE(blocks.Give(block));
  EXPECT_FALSE(blocks.Give(block));
  EXPECT_EQ(blocks.RoomOf(block), 0u);
}

TEST(HugeBlocks, GiveBackTheirPagesWhileOthersStay) {
  HugeBlocks blocks;
  void* first = blocks.Take(kMegabyte);
  void* second = blocks.Take(kMegabyte);
  std::memset(first, 1, kMegabyte);
  std::memset(second, 2, kMegabyte);
  EXPECT_TRUE(blocks.Give(first));
  // Its addresses stay, because its neighbour does; its content does not.
  EXPECT_TRUE(IsZero(first, kMegabyte));
  EXPECT_EQ(static_cast<uint8_t*>(second)[0], 2);
  EXPECT_EQ(static_cast<uint8_t*>(second)[kMegabyte - 1], 2);
  EXPECT_TRUE(blocks.Give(second));
}

TEST(HugeBlocks, GiveBackManyAtOnce) {
  HugeBlocks blocks;
  int other = 0;
  std::vector<void*> taken;
  for (int i = 0; i < 100; ++i) {
    taken.push_back(blocks.Take(kMegabyte / 4));
    std::memset(taken.back(), 1, kMegabyte / 4);
  }
  // Some stay: none of a region, one at its end, and every other one.
  std::vector<void*> kept;
  std::vector<void*> gone{&other};
  for (size_t i = 0; i < taken.size(); ++i) {
    const bool stays = i == 31 || (i >= 48 && i % 2 == 0);
    (stays ? kept : gone).push_back(taken[taken.size() - 1 - i]);
  }
  blocks.GiveAll(&gone);
  EXPECT_EQ(gone, std::vector<void*>{&other});
  for (void* block : taken) {
    const bool stays = std::find(kept.begin(), kept.end(), block) != kept.end();
    EXPECT_EQ(blocks.RoomOf(block), stays ? kMegabyte / 4 : 0);
    if (stays) {
      EXPECT_EQ(static_cast<uint8_t*>(block)[kMegabyte / 4 - 1], 1);
    }
  }
  EXPECT_LT(blocks.mapped(), 25 * kMegabyte);
  blocks.GiveAll(&kept);
  EXPECT_TRUE(kept.empty());
  EXPECT_EQ(blocks.mapped(), 0u);
}

TEST(HugeBlocks, NeverCutTheSamePlaceTwice) {
  HugeBlocks blocks;
  void* first = blocks.Take(kMegabyte);
  void* kept = blocks.Take(kGrain);
  blocks.Give(first);
  void* third = blocks.Take(kMegabyte);
  EXPECT_NE(third, first);
  blocks.Give(third);
  blocks.Give(kept);
}

TEST(HugeBlocks, HoldNoAddressesOnceAllAreGivenBack) {
  HugeBlocks blocks;
  std::vector<void*> taken;
  for (size_t bytes = kGrain; bytes <= 32 * kMegabyte; bytes *= 2) {
    taken.push_back(blocks.Take(bytes));
    ASSERT_NE(taken.back(), nullptr);
    std::memset(taken.back(), 1, bytes);
    EXPECT_EQ(blocks.RoomOf(taken.back()), bytes);
  }
  EXPECT_GE(blocks.mapped(), 64 * kMegabyte - kGrain);
  // Little more than the blocks.
  EXPECT_LE(blocks.mapped(), 80 * kMegabyte);
  for (void* block : taken) EXPECT_TRUE(blocks.Give(block));
  EXPECT_EQ(blocks.mapped(), 0u);
  // And begin again.
  void* next = blocks.Take(kGrain);
  EXPECT_TRUE(IsZero(next, kGrain));
  blocks.Give(next);
  EXPECT_EQ(blocks.mapped(), 0u);
}

TEST(HugeBlocks, ALargeOnesRestServesSmallOnes) {
  HugeBlocks blocks;
  auto* large = static_cast<uint8_t*>(blocks.Take(7 * kMegabyte));
  void* small = blocks.Take(kMegabyte);
  EXPECT_EQ(small, large + 7 * kMegabyte);
  EXPECT_EQ(blocks.mapped(), 8 * kMegabyte);
  blocks.Give(large);
  blocks.Give(small);
}

// A large block of which little is left does not end a region that has more.
TEST(HugeBlocks, GoOnInTheRegionWithMoreRoom) {
  HugeBlocks blocks;
  auto* first = static_cast<uint8_t*>(blocks.Take(kGrain));
  void* large = blocks.Take(8 * kMegabyte);
  void* next = blocks.Take(kGrain);
  EXPECT_EQ(next, first + kGrain);
  for (void* block : {static_cast<void*>(first), large, next}) {
    EXPECT_TRUE(blocks.Give(block));
  }
}

TEST(HugeBlocks, ThereMayBeNone) {
  HugeBlocks blocks;
  EXPECT_EQ(blocks.Take(SIZE_MAX / 2 / kHugePage * kHugePage), nullptr);
  EXPECT_EQ(blocks.mapped(), 0u);
}

TEST(HugeBlocks, ServeManyThreads) {
  HugeBlocks blocks;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&blocks, t] {
      for (int i = 0; i < 500; ++i) {
        const size_t bytes = kGrain * (1 + i % 7);
        auto* block = static_cast<uint8_t*>(blocks.Take(bytes));
        ASSERT_TRUE(IsZero(block, bytes));
        std::memset(block, t + 1, bytes);
        ASSERT_EQ(block[bytes - 1], t + 1);
        ASSERT_TRUE(blocks.Give(block));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(blocks.mapped(), 0u);
}

#endif

}  // namespace
}  // namespace sloppy::workers

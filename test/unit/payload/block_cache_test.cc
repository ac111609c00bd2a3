#include "payload/block_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "base/clock.h"

namespace sloppy::workers {
namespace {

constexpr size_t kKiB = 1024;
constexpr size_t kMiB = 1024 * kKiB;
// No thread is held up for longer.
constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;

using Fresh = BlockCache::Fresh;

// Whatever machine the tests are run on, blocks of both kinds are tried.
class BlockCacheOf : public testing::TestWithParam<Fresh> {};
INSTANTIATE_TEST_SUITE_P(BlockCache, BlockCacheOf,
                         testing::Values(Fresh::kMalloc, Fresh::kHugePages));

TEST_P(BlockCacheOf, GivesTheSameBlockAgain) {
  BlockCache cache(kHour, GetParam());
  void* first = cache.Take(kMiB);
  cache.Give(first, kMiB);
  EXPECT_EQ(cache.bytes(), kMiB);
  // A little smaller will do as well.
  void* second = cache.Take(kMiB - 5);
  EXPECT_EQ(second, first);
  EXPECT_EQ(cache.bytes(), 0u);
  cache.Give(second, kMiB - 5);
}

// Fresh pages cost more than what is not used of a block.
TEST_P(BlockCacheOf, GivesALargerBlockWhereNoneOfTheSizeIsKept) {
  for (const size_t size : {kMiB, kMiB + kMiB / 2, 2 * kMiB - 1}) {
    BlockCache cache(kHour, GetParam());
    void* large = cache.Take(2 * kMiB);
    cache.Give(large, 2 * kMiB);
    void* taken = cache.Take(size);
    EXPECT_EQ(taken, large) << size;
    EXPECT_EQ(cache.bytes(), 0u);
    // Its room is not forgotten.
    cache.Give(taken, size);
    EXPECT_EQ(cache.bytes(), 2 * kMiB) << size;
    taken = cache.Take(2 * kMiB);
    EXPECT_EQ(taken, large) << size;
    cache.Give(taken, 2 * kMiB);
  }
}

// The size tells malloc's blocks from others, and not by itself.
TEST_P(BlockCacheOf, FreesALargerBlockThatServesASmallSize) {
  for (size_t room = 4 * kKiB; room <= 128 * kKiB; room += 4 * kKiB) {
    for (size_t size = room / 2 - kKiB; size <= room / 2 + kKiB; size += 512) {
      BlockCache cache(kHour, GetParam());
      cache.Give(cache.Take(room), room);
      void* taken = cache.Take(size);
      std::memset(taken, 0x5a, size);
      cache.Free(taken, size);
    }
  }
}

TEST_P(BlockCacheOf, GivesTheSmallestBlockThatWillDo) {
  BlockCache cache(kHour, GetParam());
  void* large = cache.Take(2 * kMiB);
  void* middle = cache.Take(kMiB + kMiB / 2);
  cache.Give(large, 2 * kMiB);
  cache.Give(middle, kMiB + kMiB / 2);
  void* taken = cache.Take(kMiB);
  EXPECT_EQ(taken, middle);
  cache.Give(taken, kMiB);
}

TEST_P(BlockCacheOf, GivesNoBlockOfMoreThanTwiceTheSize) {
  BlockCache cache(kHour, GetParam());
  cache.Give(cache.Take(2 * kMiB), 2 * kMiB);
  void* taken = cache.Take(kMiB - 1 - kMiB / 8);
  EXPECT_EQ(cache.bytes(), 2 * kMiB);
  cache.Give(taken, kMiB - 1 - kMiB / 8);
}

TEST_P(BlockCacheOf, ClearsAllThatWasAskedForOfALargerBlock) {
  BlockCache cache(kHour, GetParam());
  void* large = cache.Take(2 * kMiB);
  std::memset(large, 0x5a, 2 * kMiB);
  cache.Give(large, 2 * kMiB);
  auto* taken = static_cast<unsigned char*>(cache.TakeZeroed(kMiB + 1));
  ASSERT_EQ(taken, large);
  for (size_t i = 0; i <= kMiB; ++i) ASSERT_EQ(taken[i], 0) << i;
  cache.Give(taken, kMiB + 1);
}

// One that was lent to smaller sizes is wanted there.
TEST_P(BlockCacheOf, KeepsALargerBlockAsLongAsItIsOfUse) {
  BlockCache cache(kHour, GetParam());
  cache.Give(cache.Take(2 * kMiB), 2 * kMiB);
  const int64_t before = MonotonicNow();
  cache.Give(cache.Take(kMiB), kMiB);
  cache.Trim(before + kHour - 1);
  EXPECT_EQ(cache.bytes(), 2 * kMiB);
  cache.Trim(MonotonicNow() + kHour);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST_P(BlockCacheOf, KeepsBlocksOfAllSizesFromTheSmallestToTheLargest) {
  for (const bool zeroed : {false, true}) {
    BlockCache cache(kHour, GetParam());
    const auto kept = [&](size_t size) {
      const size_t before = cache.bytes();
      cache.Give(zeroed ? cache.TakeZeroed(size) : cache.Take(size), size);
      return cache.bytes() - before;
    };
    EXPECT_EQ(kept(BlockCache::kSmallest - 1), 0u);
    EXPECT_EQ(kept(BlockCache::kSmallest), BlockCache::kSmallest);
    EXPECT_EQ(kept(BlockCache::kLargest), BlockCache::kLargest);
    EXPECT_EQ(kept(BlockCache::kLargest + 1), 0u);
  }
}

TEST_P(BlockCacheOf, ABlockHasRoomForWhatItWasTakenFor) {
  for (size_t base = BlockCache::kSmallest; base < BlockCache::kLargest;
       base *= 2) {
    for (size_t quarter = 0; quarter < 4; ++quarter) {
      const size_t border = base + quarter * (base / 4);
      for (const size_t size : {border, border + 1, border + 2}) {
        BlockCache cache(kHour, GetParam());
        cache.Give(cache.Take(size), size);
        EXPECT_GE(cache.bytes(), size);
        // Little more is held.
        EXPECT_LE(cache.bytes(), size + base / 4);
      }
    }
  }
}

TEST_P(BlockCacheOf, GivesZerosWhereTheyAreAskedFor) {
  BlockCache cache(kHour, GetParam());
  for (const size_t size : {size_t{0}, kKiB, kMiB, 40 * kMiB}) {
    for (int i = 0; i < 3; ++i) {
      auto* block = static_cast<unsigned char*>(cache.TakeZeroed(size));
      ASSERT_NE(block, nullptr);
      for (size_t k = 0; k < size; k += 509) ASSERT_EQ(block[k], 0) << size;
      std::memset(block, 0x5a, size);
      cache.Give(block, size);
    }
  }
  EXPECT_EQ(cache.bytes(), kMiB);
}

TEST_P(BlockCacheOf, HasRoomForEverySize) {
  BlockCache cache(BlockCache::kKeepFor, GetParam());
  for (size_t size = 0; size <= 3 * kMiB; size = size * 5 / 4 + 1) {
    for (const size_t each : {size, size + 1}) {
      // Twice, so that what was given back for the size before is used.
      for (int i = 0; i < 2; ++i) {
        void* block = cache.Take(each);
        ASSERT_NE(block, nullptr);
        std::memset(block, 0x5a, each);
        cache.Give(block, each);
      }
    }
  }
  for (const size_t size : {BlockCache::kSmallest - 1, BlockCache::kSmallest,
                            BlockCache::kSmallest + 1, BlockCache::kLargest - 1,
                            BlockCache::kLargest, BlockCache::kLargest + 1}) {
    void* block = cache.Take(size);
    ASSERT_NE(block, nullptr);
    std::memset(block, 0x5a, size);
    cache.Give(block, size);
  }
}

TEST_P(BlockCacheOf, KeepsNeitherSmallNorHugeBlocks) {
  BlockCache cache(BlockCache::kKeepFor, GetParam());
  for (const size_t size :
       {size_t{0}, BlockCache::kSmallest - 1, BlockCache::kLargest + 1}) {
    cache.Give(cache.Take(size), size);
    EXPECT_EQ(cache.bytes(), 0u) << size;
  }
}

TEST_P(BlockCacheOf, KeepsNoMoreThanItsBound) {
  BlockCache cache(kHour, GetParam());
  std::vector<void*> blocks;
  for (size_t bytes = 0; bytes < BlockCache::kMaxBytes + 8 * kMiB;
       bytes += 4 * kMiB) {
    blocks.push_back(cache.Take(4 * kMiB));
  }
  for (void* block : blocks) cache.Give(block, 4 * kMiB);
  EXPECT_EQ(cache.bytes(), BlockCache::kMaxBytes);
}

TEST_P(BlockCacheOf, ForgetsSizesThatNobodyWants) {
  BlockCache cache(kHour, GetParam());
  EXPECT_EQ(cache.Trim(MonotonicNow()), kNever);
  const int64_t before = MonotonicNow();
  cache.Give(cache.Take(kMiB), kMiB);
  const int64_t next = cache.Trim(before + kHour - 1);
  EXPECT_GE(next, before + kHour);
  EXPECT_LE(next, MonotonicNow() + kHour);
  EXPECT_EQ(cache.bytes(), kMiB);
  EXPECT_EQ(cache.Trim(next), kNever);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(BlockCache, KeepsHugePagesForLonger) {
  BlockCache usual(BlockCache::kKeepFor, Fresh::kMalloc);
  usual.Give(usual.Take(kMiB), kMiB);
  EXPECT_EQ(usual.keep_for(), BlockCache::kKeepFor);
#if defined(__linux__)
  BlockCache cache(BlockCache::kKeepFor, Fresh::kHugePages);
  EXPECT_EQ(cache.keep_for(), BlockCache::kKeepFor);
  const int64_t before = MonotonicNow();
  cache.Give(cache.Take(kMiB), kMiB);
  EXPECT_EQ(cache.keep_for(), BlockCache::kKeepHugeFor);
  EXPECT_TRUE(cache.MayKeep(before + 2 * BlockCache::kKeepFor));
  cache.Trim(before + 2 * BlockCache::kKeepFor);
  EXPECT_EQ(cache.bytes(), kMiB);
  cache.Trim(MonotonicNow() + BlockCache::kKeepHugeFor);
  EXPECT_EQ(cache.bytes(), 0u);
#endif
}

// Its last user may sleep by then: somebody has to look again.
TEST_P(BlockCacheOf, SaysThatABlockInUseMayComeBack) {
  BlockCache cache(kHour, GetParam());
  EXPECT_FALSE(cache.MayKeep(MonotonicNow()));
  const int64_t before = MonotonicNow();
  void* block = cache.Take(BlockCache::kSmallest);
  ASSERT_EQ(cache.bytes(), 0u);
  EXPECT_TRUE(cache.MayKeep(before));
  const int64_t next = cache.Trim(before);
  EXPECT_GE(next, before + kHour);
  EXPECT_LT(next, kNever);
  cache.Give(block, BlockCache::kSmallest);
  EXPECT_NE(cache.bytes(), 0u);
  EXPECT_EQ(cache.Trim(next), kNever);
  EXPECT_EQ(cache.bytes(), 0u);
  EXPECT_FALSE(cache.MayKeep(next));
}

TEST_P(BlockCacheOf, ServesManyThreads) {
  BlockCache cache(BlockCache::kKeepFor, GetParam());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&cache, t] {
      for (int i = 0; i < 2000; ++i) {
        const size_t size = 64 * kKiB + 1000 * (i % 7);
        auto* block = static_cast<char*>(cache.Take(size));
        block[0] = block[size - 1] = static_cast<char>(t);
        ASSERT_EQ(block[0], block[size - 1]);
        cache.Give(block, size);
        if (i % 100 == 0) cache.Trim(MonotonicNow());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // Each thread has had one at a time of both sizes there are.
  EXPECT_LE(cache.bytes(), 4 * (64 + 80) * kKiB);
}

}  // namespace
}  // namespace sloppy::workers

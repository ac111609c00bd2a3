#include "base/common_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace sloppy::workers {
namespace {

std::unique_ptr<CommonPages> Filled(size_t bytes, uint8_t with) {
  auto pages = CommonPages::Make(bytes);
  if (pages == nullptr) return nullptr;
  std::memset(pages->data(), with, bytes);
  pages->Seal();
  return pages;
}

TEST(CommonPages, AViewHasTheContentAndIsItsOwn) {
  constexpr size_t kBytes = 100'000;
  const auto pages = Filled(kBytes, 7);
  ASSERT_NE(pages, nullptr);
  const auto one = pages->Open();
  const auto other = pages->Open();
  ASSERT_NE(one, nullptr);
  ASSERT_NE(other, nullptr);
  one->data()[0] = one->data()[kBytes - 1] = 1;
  EXPECT_EQ(other->data()[0], 7);
  EXPECT_EQ(other->data()[kBytes - 1], 7);
  const auto later = pages->Open();
  EXPECT_EQ(later->data()[0], 7);
  EXPECT_EQ(one->data()[0], 1);
}

TEST(CommonPages, ViewsOutliveThem) {
  auto pages = Filled(5000, 3);
  ASSERT_NE(pages, nullptr);
  const auto view = pages->Open();
  pages.reset();
  EXPECT_EQ(view->data()[4999], 3);
  view->data()[4999] = 4;
  EXPECT_EQ(view->data()[4999], 4);
}

TEST(CommonPages, ThereMayBeNone) {
  EXPECT_EQ(CommonPages::Make(SIZE_MAX / 2), nullptr);
  EXPECT_EQ(CommonPages::Make(SIZE_MAX), nullptr);
}

TEST(CommonPages, AreReadByManyThreads) {
  const auto pages = Filled(64'000, 9);
  ASSERT_NE(pages, nullptr);
  std::vector<std::thread> threads;
  for (uint8_t i = 0; i < 4; ++i) {
    threads.emplace_back([&pages, i] {
      const auto view = pages->Open();
      for (size_t at = 0; at < 64'000; at += 1000) {
        EXPECT_EQ(view->data()[at], 9);
        view->data()[at] = i;
        EXPECT_EQ(view->data()[at], i);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

#if defined(__linux__)
TEST(CommonPages, AreCommonOnLinux) {
  const auto pages = Filled(10, 1);
  ASSERT_NE(pages, nullptr);
  EXPECT_TRUE(pages->is_common());
}
#endif

TEST(CommonPages, AreCounted) {
  const int32_t before = LiveCounts::Of(Live::kPagesViews);
  const auto pages = Filled(10, 1);
  ASSERT_NE(pages, nullptr);
  {
    const auto view = pages->Open();
    EXPECT_EQ(LiveCounts::Of(Live::kPagesViews), before + 1);
  }
  EXPECT_EQ(LiveCounts::Of(Live::kPagesViews), before);
}

}  // namespace
}  // namespace sloppy::workers

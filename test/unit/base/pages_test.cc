#include "base/pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

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
#endif

}  // namespace
}  // namespace sloppy::workers

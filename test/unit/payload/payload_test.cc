#include "payload/payload.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "payload/block_cache.h"
#include "payload/shape_table.h"

namespace sloppy::workers {
namespace {

void Fill(Text* text, const std::string& value) {
  uint8_t* to = text->Allocate(static_cast<uint32_t>(value.size()), false);
  ASSERT_NE(to, nullptr);
  std::memcpy(to, value.data(), value.size());
}

std::string Read(const Text& text) {
  return {reinterpret_cast<const char*>(text.data()), text.bytes()};
}

// Both sides of the border between the inline and the heap storage.
class TextOfSize : public testing::TestWithParam<size_t> {};

TEST_P(TextOfSize, MovesItsUnitsAndLeavesTheSourceEmpty) {
  const std::string value(GetParam(), 'x');
  Text from;
  Fill(&from, value);
  EXPECT_EQ(from.is_inline(), GetParam() <= Text::kInlineBytes);
  Text to;
  Fill(&to, std::string(100, 'y'));
  to = std::move(from);
  EXPECT_EQ(Read(to), value);
  // NOLINTNEXTLINE(bugprone-use-after-move): is the test.
  EXPECT_TRUE(from.empty() && from.is_inline());
}

TEST_P(TextOfSize, KeepsItsUnitsWhenItIsMovedToItself) {
  const std::string value(GetParam(), 'x');
  Text text;
  Fill(&text, value);
  Text& same = text;
  text = std::move(same);
  EXPECT_EQ(Read(text), value);
}

TEST_P(TextOfSize, SharesItsUnitsWithOthers) {
  const std::string value(GetParam(), 'x');
  Text other;
  {
    Text text;
    Fill(&text, value);
    other = text.Share();
    EXPECT_EQ(other.SharesBlockWith(text), !text.is_inline());
  }
  EXPECT_EQ(Read(other), value);
}

INSTANTIATE_TEST_SUITE_P(Sizes, TextOfSize, testing::Values(0, 1, 48, 49, 500));

TEST(Text, CountsTwoByteUnitsAsTwoBytes) {
  Text text;
  ASSERT_NE(text.Allocate(30, true), nullptr);
  EXPECT_EQ(text.length(), 30u);
  EXPECT_EQ(text.bytes(), 60u);
  EXPECT_FALSE(text.is_inline());
}

TEST(Slots, KeepsEveryBitOfShortAndLongRuns) {
  for (const uint32_t count : {1u, 12u, 13u, 1000u}) {
    std::vector<double> values(count, -0.0);
    Slots slots;
    ASSERT_TRUE(slots.Assign(values.data(), count));
    EXPECT_EQ(slots.is_inline(), count <= Slots::kInlineSlots);
    Slots moved(std::move(slots));
    ASSERT_EQ(moved.count(), count);
    // NOLINTNEXTLINE(bugprone-use-after-move): is the test.
    EXPECT_TRUE(slots.count() == 0 && slots.is_inline());
    EXPECT_EQ(std::memcmp(moved.data(), values.data(), count * sizeof(double)),
              0);
  }
}

TEST(Slots, AreEmptyOnceTheirBlockIsReleased) {
  const std::vector<double> values(100, 1.5);
  Slots slots;
  ASSERT_TRUE(slots.Assign(values.data(), 100));
  double* block = slots.Release();
  EXPECT_EQ(block[99], 1.5);
  EXPECT_EQ(slots.count(), 0u);
  EXPECT_TRUE(slots.is_inline());
  BlockCache::Process().Give(block, 100 * sizeof(double));
}

TEST(Slots, HaveWhatWasAssignedLastAlsoIfThatIsShorter) {
  const std::vector<double> values = {3, 2, 1};
  const std::vector<double> many(100, 1.5);
  Slots slots;
  ASSERT_TRUE(slots.Assign(many.data(), 100));
  ASSERT_TRUE(slots.Assign(values.data(), 3));
  ASSERT_EQ(slots.count(), 3u);
  EXPECT_TRUE(slots.is_inline());
  EXPECT_EQ(slots.data()[0], 3);
}

TEST(Slots, KeepWhatTheyHaveWhenTheyAreMovedToThemselves) {
  const std::vector<double> many(100, 1.5);
  for (const uint32_t count : {3u, 100u}) {
    Slots slots;
    ASSERT_TRUE(slots.Assign(many.data(), count));
    Slots& same = slots;
    slots = std::move(same);
    ASSERT_EQ(slots.count(), count);
    EXPECT_EQ(slots.data()[count - 1], 1.5);
  }
}

TEST(Slots, GiveTheirBlockToTheNext) {
  const std::vector<double> values(BlockCache::kSmallest);
  const auto count = static_cast<uint32_t>(values.size());
  bool is_the_same = false;
  // A block is not kept for a thread that is held up in between.
  for (int i = 0; i < 20 && !is_the_same; ++i) {
    Slots slots, others;
    ASSERT_TRUE(slots.Assign(values.data(), count));
    const double* block = slots.data();
    slots.Clear();
    EXPECT_EQ(slots.count(), 0u);
    ASSERT_TRUE(others.Assign(values.data(), count));
    is_the_same = others.data() == block;
  }
  EXPECT_TRUE(is_the_same);
}

TEST(Slots, GiveBackTheBlockThatOthersReplace) {
  const std::vector<double> values(BlockCache::kSmallest);
  const auto count = static_cast<uint32_t>(values.size());
  bool is_the_same = false;
  for (int i = 0; i < 20 && !is_the_same; ++i) {
    Slots slots, few, next;
    ASSERT_TRUE(slots.Assign(values.data(), count));
    ASSERT_TRUE(few.Assign(values.data(), 3));
    const double* block = slots.data();
    slots = std::move(few);
    EXPECT_EQ(slots.count(), 3u);
    ASSERT_TRUE(next.Assign(values.data(), count));
    is_the_same = next.data() == block;
  }
  EXPECT_TRUE(is_the_same);
}

TEST(Text, GivesBackTheBlockThatAnotherReplaces) {
  const auto length = static_cast<uint32_t>(BlockCache::kSmallest);
  bool is_the_same = false;
  for (int i = 0; i < 20 && !is_the_same; ++i) {
    Text text, next;
    const uint8_t* block = text.Allocate(length, false);
    Text few;
    Fill(&few, "few");
    text = std::move(few);
    EXPECT_EQ(Read(text), "few");
    is_the_same = next.Allocate(length, false) == block;
  }
  EXPECT_TRUE(is_the_same);
}

TEST(Payload, ByteSizeCountsEveryPartAndClearReleasesThem) {
  auto owner = std::make_shared<int>(1);
  Payload payload;
  payload.kind = PayloadKind::kStructured;
  const double slots[] = {1, 2, 3};
  ASSERT_TRUE(payload.slots.Assign(slots, 3));
  Fill(&payload.text, "four");
  payload.more_text.emplace_back();
  Fill(&payload.more_text.back(), std::string(60, 'm'));
  payload.buffers.push_back({owner, 1000});
  EXPECT_EQ(payload.ByteSize(), 24u + 4 + 60 + 1000);
  EXPECT_EQ(owner.use_count(), 2);
  payload.Clear();
  EXPECT_EQ(payload.ByteSize(), 0u);
  EXPECT_EQ(payload.kind, PayloadKind::kUndefined);
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(ShapeTable, OneIdPerShape) {
  ShapeTable table;
  const int32_t a = table.Define(u"a,b");
  const int32_t b = table.Define(u"b,a");
  EXPECT_NE(a, b);
  EXPECT_EQ(table.Define(u"a,b"), a);
  EXPECT_EQ(table.Lookup(b), u"b,a");
  EXPECT_EQ(table.Lookup(99), u"");
  EXPECT_EQ(table.Lookup(-1), u"");
  EXPECT_EQ(table.Define(u"c"), 2);
  EXPECT_EQ(table.Lookup(3), u"");
}

TEST(ShapeTable, IsBounded) {
  ShapeTable table;
  EXPECT_EQ(table.Define(std::u16string(ShapeTable::kMaxTextLength + 1, 'k')),
            -1);
  ShapeTable longest;
  EXPECT_EQ(longest.Define(std::u16string(ShapeTable::kMaxTextLength, 'k')), 0);
  for (int32_t i = 0; i < ShapeTable::kMaxShapes; ++i) {
    const std::string text = std::to_string(i);
    ASSERT_EQ(table.Define(std::u16string(text.begin(), text.end())), i);
  }
  EXPECT_EQ(table.Define(u"one more"), -1);
  EXPECT_EQ(table.Define(u"17"), 17);
}

}  // namespace
}  // namespace sloppy::workers

#include "pool/shared_values.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace sloppy::workers {
namespace {

std::shared_ptr<const SharedValue> Value(size_t bytes) {
  auto value = std::make_shared<SharedValue>();
  value->bytes = bytes;
  return value;
}

TEST(SharedValues, AreFoundUntilTheyAreDropped) {
  SharedValues values;
  EXPECT_EQ(values.Find(1), nullptr);
  values.Add(1, Value(10));
  values.Add(2, Value(20));
  EXPECT_EQ(values.Find(1)->bytes, 10u);
  values.Drop(1);
  values.Drop(1);
  EXPECT_EQ(values.Find(1), nullptr);
  EXPECT_EQ(values.Find(2)->bytes, 20u);
}

TEST(SharedValues, WhatWasTakenOutIsItsTakers) {
  const int32_t before = LiveCounts::Of(Live::kSharedValues);
  SharedValues values;
  values.Add(1, Value(10));
  auto taken = values.Find(1);
  values.Drop(1);
  EXPECT_EQ(taken->bytes, 10u);
  EXPECT_EQ(LiveCounts::Of(Live::kSharedValues), before + 1);
  taken.reset();
  EXPECT_EQ(LiveCounts::Of(Live::kSharedValues), before);
}

TEST(SharedValues, AreTakenWhileTheyComeAndGo) {
  SharedValues values;
  std::thread worker([&values] {
    for (int i = 0; i < 20'000; ++i) {
      const auto found = values.Find(i % 8);
      if (found == nullptr) continue;
      EXPECT_EQ(found->bytes, 5u);
      values.CountTaken();
    }
  });
  for (int i = 0; i < 20'000; ++i) {
    if (i % 3 == 0) {
      values.Drop(i % 8);
    } else {
      values.Add(i % 8, Value(5));
    }
  }
  worker.join();
  EXPECT_LE(values.taken(), 20'000u);
}

}  // namespace
}  // namespace sloppy::workers

#include "pool/used_builtins.h"

#include <gtest/gtest.h>

#include <string>

namespace sloppy::workers {
namespace {

TEST(UsedBuiltins, GivesEachNameOnceInTheOrderOfItsFirstUse) {
  UsedBuiltins used;
  size_t place = 0;
  EXPECT_FALSE(used.HasFrom(place));
  EXPECT_EQ(used.Next(&place), "");
  used.Add("node:zlib");
  used.Add("url");
  used.Add("node:zlib");
  EXPECT_TRUE(used.HasFrom(place));
  EXPECT_EQ(used.Next(&place), "node:zlib");
  EXPECT_EQ(used.Next(&place), "url");
  EXPECT_FALSE(used.HasFrom(place));
  EXPECT_EQ(used.Next(&place), "");
  used.Add("events");
  EXPECT_EQ(used.Next(&place), "events");
}

TEST(UsedBuiltins, LeavesOutWhatOneRealmInSixteenDoesNotUse) {
  UsedBuiltins used;
  for (int realm = 0; realm < 16; ++realm) used.CountRealm();
  used.Add("rare");
  size_t place = 0;
  EXPECT_EQ(used.Next(&place), "rare");
  used.CountRealm();
  place = 0;
  EXPECT_EQ(used.Next(&place), "");
  used.Add("often");
  used.Add("often");
  place = 0;
  EXPECT_EQ(used.Next(&place), "often");
  EXPECT_EQ(place, 2u);
}

TEST(UsedBuiltins, HasNoneOnceItIsStopped) {
  UsedBuiltins used;
  used.Add("url");
  used.Stop();
  EXPECT_FALSE(used.HasFrom(0));
}

TEST(UsedBuiltins, KeepsABoundedNumberOfNames) {
  UsedBuiltins used;
  for (int name = 0; name < 1000; ++name) used.Add(std::to_string(name));
  size_t place = 0;
  size_t count = 0;
  while (!used.Next(&place).empty()) ++count;
  EXPECT_EQ(count, 256u);
}

}  // namespace
}  // namespace sloppy::workers

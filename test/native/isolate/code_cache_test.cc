#include "isolate/code_cache.h"

#include <gtest/gtest.h>

#include <vector>

namespace sloppy::workers {
namespace {

void StoreBytes(CodeCache* cache, const std::string& key, int size) {
  const std::vector<uint8_t> bytes(static_cast<size_t>(size), 7);
  const v8::ScriptCompiler::CachedData data(
      bytes.data(), size, v8::ScriptCompiler::CachedData::BufferNotOwned);
  cache->Store(key, &data);
}

TEST(CodeCacheTest, DropsUserCodeThatWasNotUsedForLongest) {
  CodeCache cache(100);
  StoreBytes(&cache, "builtin:a", 1000);
  StoreBytes(&cache, "module:1", 40);
  StoreBytes(&cache, "module:2", 40);
  EXPECT_NE(cache.Lookup("module:1"), nullptr);
  StoreBytes(&cache, "module:3", 40);
  EXPECT_EQ(cache.Lookup("module:2"), nullptr);
  EXPECT_NE(cache.Lookup("module:1"), nullptr);
  EXPECT_NE(cache.Lookup("module:3"), nullptr);
  EXPECT_NE(cache.Lookup("builtin:a"), nullptr);
}

TEST(CodeCacheTest, KeepsTheFirstAndTakesNothingThatIsTooLarge) {
  CodeCache cache(100);
  StoreBytes(&cache, "module:1", 60);
  StoreBytes(&cache, "module:1", 90);
  ASSERT_NE(cache.Lookup("module:1"), nullptr);
  EXPECT_EQ(cache.Lookup("module:1")->size(), 60u);
  StoreBytes(&cache, "module:2", 101);
  EXPECT_EQ(cache.Lookup("module:2"), nullptr);
  EXPECT_NE(cache.Lookup("module:1"), nullptr);
  StoreBytes(&cache, "module:3", 100);
  EXPECT_NE(cache.Lookup("module:3"), nullptr);
}

}  // namespace
}  // namespace sloppy::workers

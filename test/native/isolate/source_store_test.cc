#include "isolate/modules/source_store.h"

#include <gtest/gtest.h>

#include <string>

#include "test/native/support.h"

namespace sloppy::workers {
namespace {

std::string Utf8(v8::Isolate* isolate, const SourceStore::Text& text) {
  const auto string = ExternalString(isolate, text).ToLocalChecked();
  return *v8::String::Utf8Value(isolate, string);
}

TEST(SourceStoreTest, SharesATextByContent) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::HandleScope scope(isolate);
  SourceStore store(1000);
  const SourceStore::Text first = store.TextOf(isolate, "\xEF\xBB\xBFplain");
  EXPECT_EQ(store.TextOf(isolate, "\xEF\xBB\xBFplain"), first);
  EXPECT_NE(store.TextOf(isolate, "plane"), first);
  EXPECT_EQ(Utf8(isolate, first), "plain");
  const auto string = ExternalString(isolate, first).ToLocalChecked();
  EXPECT_EQ(DataOf(string), first->data());
  EXPECT_EQ(DataOf(v8::String::NewFromUtf8Literal(isolate, "plain")), nullptr);
}

TEST(SourceStoreTest, KeepsLatin1InOneByteAndTheRestInTwo) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::HandleScope scope(isolate);
  SourceStore store(1000);
  const SourceStore::Text latin = store.TextOf(isolate, "caf\xC3\xA9");
  EXPECT_EQ(latin->size(), 4u);
  EXPECT_EQ(Utf8(isolate, latin), "caf\xC3\xA9");
  const SourceStore::Text other = store.TextOf(isolate, "\xD0\xB6\xC3\xA9");
  EXPECT_EQ(other->size(), 4u);
  EXPECT_EQ(Utf8(isolate, other), "\xD0\xB6\xC3\xA9");
}

TEST(SourceStoreTest, LetsGoWhatWasNotUsedForLongest) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::HandleScope scope(isolate);
  SourceStore store(100);
  const SourceStore::Text first = store.TextOf(isolate, std::string(40, '1'));
  const SourceStore::Text second = store.TextOf(isolate, std::string(40, '2'));
  EXPECT_EQ(store.TextOf(isolate, std::string(40, '1')), first);
  (void)store.TextOf(isolate, std::string(40, '3'));
  EXPECT_EQ(store.TextOf(isolate, std::string(40, '1')), first);
  EXPECT_NE(store.TextOf(isolate, std::string(40, '2')), second);
  const SourceStore::Text large = store.TextOf(isolate, std::string(101, '4'));
  EXPECT_NE(store.TextOf(isolate, std::string(101, '4')), large);
}

}  // namespace
}  // namespace sloppy::workers

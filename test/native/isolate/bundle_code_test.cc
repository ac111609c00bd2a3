#include "isolate/bundle_code.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "test/native/support.h"

namespace sloppy::workers {
namespace {

constexpr size_t kLimit = size_t{64} << 20;
constexpr char kText[] =
    "({ first(n) { return [n, n + 1].map((each) => each * 2).join(); },"
    "  second(n) { return `${n}`.padStart(10, '-').split('').reverse(); } })";

size_t StoredBytes(const EmbeddedSource& bundle) {
  const CodeCache::Data code = CachedCodeOf(bundle);
  return code == nullptr ? 0 : code->size();
}

// Runs the bundle as a realm of its own would, then `call` on its value.
void RunAndStore(const EmbeddedSource& bundle, const std::string& call) {
  WithIsolate(
      TestPlatform(), kLimit,
      [&](IsolateHost* host, v8::Local<v8::Context> context) {
        v8::Isolate* isolate = host->isolate();
        const CodeCache::Data cached = CachedCodeOf(bundle);
        v8::Local<v8::UnboundScript> script;
        v8::Local<v8::Value> value;
        ASSERT_TRUE(CompileEmbedded(isolate, bundle, cached).ToLocal(&script));
        ASSERT_TRUE(
            script->BindToCurrentContext()->Run(context).ToLocal(&value));
        BundleCode code(isolate);
        code.Add(bundle, script);
        v8::Local<v8::String> name =
            v8::String::NewFromUtf8Literal(isolate, "bundle");
        ASSERT_TRUE(
            context->Global()->Set(context, name, value).FromMaybe(false));
        Evaluate(isolate, context, call);
        code.StoreGrown();
      });
}

TEST(BundleCodeTest, StoresWhatAJobHadCompiled) {
  const EmbeddedSource bundle{"bundle-grows", kText, std::strlen(kText)};
  RunAndStore(bundle, "0");
  const size_t without_jobs = StoredBytes(bundle);
  EXPECT_GT(without_jobs, 0u);
  RunAndStore(bundle, "bundle.first(1)");
  const size_t with_first = StoredBytes(bundle);
  EXPECT_GT(with_first, without_jobs);
  RunAndStore(bundle, "bundle.second(1)");
  EXPECT_GT(StoredBytes(bundle), with_first);
}

TEST(BundleCodeTest, StopsAfterSomeTimes) {
  const EmbeddedSource bundle{"bundle-ends", kText, std::strlen(kText)};
  for (int i = 0; i < 4; ++i) RunAndStore(bundle, "0");
  const size_t before = StoredBytes(bundle);
  RunAndStore(bundle, "bundle.first(1) + bundle.second(1)");
  EXPECT_EQ(StoredBytes(bundle), before);
}

}  // namespace
}  // namespace sloppy::workers

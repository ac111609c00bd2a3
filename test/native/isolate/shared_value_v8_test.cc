#include "isolate/shared_value_v8.h"

#include <string>

#include "test/native/support.h"

namespace sloppy::workers {
namespace {

constexpr size_t kSmall = size_t{16} << 20;

// The parts that the codec would make of `source`, an array of buffers.
std::shared_ptr<const SharedValue> Shared(const PlatformBridge& platform,
                                          const std::string& buffers) {
  std::shared_ptr<const SharedValue> shared;
  WithIsolate(platform, kAmpleLimit,
              [&](IsolateHost* host, v8::Local<v8::Context> context) {
                EncodedParts parts;
                parts.kind = static_cast<int>(PayloadKind::kStructured);
                parts.slots =
                    ValueOf(host->isolate(), context, "new Float64Array([5])");
                parts.slot_count = 1;
                parts.text = ValueOf(host->isolate(), context, "'first'");
                parts.more =
                    ValueOf(host->isolate(), context,
                            "var b = " + buffers +
                                "; [['first', 'second'], b, b.map(() => 0)]");
                shared = ReadSharedValue(host->texts(), context, parts);
              });
  return shared;
}

// The answer of `source` about `b`, the buffers in another isolate.
std::string Seen(const PlatformBridge& platform, const SharedValue& value,
                 const std::string& source) {
  std::string seen;
  WithIsolate(
      platform, kAmpleLimit,
      [&](IsolateHost* host, v8::Local<v8::Context> context) {
        MemoryLimit& memory = host->memory();
        Payload payload;
        ASSERT_TRUE(GiveSharedValue(value, &memory, &payload));
        double scratch[4] = {};
        DecodedParts parts;
        ASSERT_TRUE(
            GiveParts(host->texts(), context, &payload, scratch, 4, &parts));
        EXPECT_EQ(scratch[0], 5);
        auto buffers =
            parts.more.As<v8::Array>()->Get(context, 2).ToLocalChecked();
        (void)context->Global()->Set(
            context,
            v8::String::NewFromUtf8(host->isolate(), "b").ToLocalChecked(),
            buffers);
        seen = Evaluate(host->isolate(), context, source);
      });
  return seen;
}

TEST(SharedValueV8, EachIsolateHasTheBytesForItself) {
  const PlatformBridge platform = TestPlatform();
  const auto value = Shared(platform,
                            "[new Uint8Array([1, 2, 3]), new ArrayBuffer(0), "
                            "new Uint8Array(100000).fill(7)]");
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(value->bytes, 8u + 5 + 6 + 3 + 100'000);
  const std::string change =
      "var [x, e, y] = b.map((each) => new Uint8Array(each));"
      "[x.join(''), e.length, y.length, ++y[99999], ++x[0]].join()";
  EXPECT_EQ(Seen(platform, *value, change), "123,0,100000,8,2");
  EXPECT_EQ(Seen(platform, *value, change), "123,0,100000,8,2");
  EXPECT_EQ(LiveCounts::Of(Live::kPagesViews), 0);
}

TEST(SharedValueV8, SharedMemoryIsShared) {
  const PlatformBridge platform = TestPlatform();
  const auto value =
      Shared(platform, "[new SharedArrayBuffer(8), new Uint8Array(4)]");
  ASSERT_NE(value, nullptr);
  const std::string count =
      "[b[0] instanceof SharedArrayBuffer, b[0].byteLength,"
      "Atomics.add(new Int32Array(b[0]), 1, 1), b[1].byteLength].join()";
  EXPECT_EQ(Seen(platform, *value, count), "true,8,0,4");
  EXPECT_EQ(Seen(platform, *value, count), "true,8,1,4");
}

TEST(SharedValueV8, OneWithoutBuffersOrOnlyEmptyOnes) {
  const PlatformBridge platform = TestPlatform();
  const auto none = Shared(platform, "[]");
  ASSERT_NE(none, nullptr);
  EXPECT_EQ(none->pages, nullptr);
  const auto empty = Shared(platform, "[new ArrayBuffer(0)]");
  ASSERT_NE(empty, nullptr);
  EXPECT_EQ(Seen(platform, *empty, "b.map((e) => e.byteLength).join()"), "0");
}

TEST(SharedValueV8, CountsAgainstTheLimitAndEndsNothing) {
  const PlatformBridge platform = TestPlatform();
  const auto value = Shared(platform, "[new Uint8Array(10 << 20)]");
  ASSERT_NE(value, nullptr);
  WithIsolate(platform, kSmall,
              [&](IsolateHost* host, v8::Local<v8::Context> context) {
                MemoryLimit& memory = host->memory();
                const size_t before = memory.external_bytes();
                {
                  Payload payload;
                  ASSERT_TRUE(GiveSharedValue(*value, &memory, &payload));
                  EXPECT_EQ(memory.external_bytes(), before + (10 << 20));
                  Payload another;
                  EXPECT_FALSE(GiveSharedValue(*value, &memory, &another));
                }
                EXPECT_EQ(memory.external_bytes(), before);
                EXPECT_EQ(Evaluate(host->isolate(), context, "1 + 1"), "2");
                EXPECT_FALSE(memory.hit());
              });
}

}  // namespace
}  // namespace sloppy::workers

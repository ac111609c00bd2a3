#include "isolate/payload_v8.h"

#include <cmath>
#include <string>

#include "test/native/support.h"

namespace sloppy::workers {
namespace {

// The parts that the codec would make of `source`, an array
// [slots, text, [texts, buffers, moved]].
bool Read(IsolateHost* host, v8::Local<v8::Context> context,
          const std::string& source, Payload* payload) {
  v8::Isolate* isolate = host->isolate();
  auto made = ValueOf(isolate, context, source).As<v8::Array>();
  EncodedParts parts;
  parts.kind = static_cast<int>(PayloadKind::kStructured);
  parts.slots = made->Get(context, 0).ToLocalChecked();
  parts.slot_count =
      parts.slots->IsFloat64Array()
          ? static_cast<uint32_t>(parts.slots.As<v8::Float64Array>()->Length())
          : 0;
  parts.text = made->Get(context, 1).ToLocalChecked();
  parts.more = made->Get(context, 2).ToLocalChecked();
  return ReadParts(host->texts(), context, parts, payload);
}

TEST(PayloadV8, PartsArriveInAnotherIsolate) {
  const PlatformBridge platform = TestPlatform();
  Payload payload;
  WithIsolate(platform, kAmpleLimit,
              [&](IsolateHost* host, v8::Local<v8::Context> context) {
                EXPECT_TRUE(Read(
                    host, context,
                    "var b = new ArrayBuffer(4), m = new ArrayBuffer(6);"
                    "new Uint8Array(b).fill(7); new Uint8Array(m).fill(9);"
                    "[new Float64Array([1, -0, 2 ** 1000]), 'first',"
                    "[['first', 'second'], [b, new Uint8Array(b, 1, 2), m],"
                    "[false, false, true]]]",
                    &payload));
                EXPECT_EQ(Evaluate(host->isolate(), context,
                                   "[b.byteLength, m.byteLength].join()"),
                          "4,0");
              });
  EXPECT_EQ(payload.ByteSize(), 3 * 8 + 5 + 6 + 4 + 2 + 6u);
  WithIsolate(
      platform, kAmpleLimit,
      [&](IsolateHost* host, v8::Local<v8::Context> context) {
        double scratch[4] = {};
        DecodedParts parts;
        ASSERT_TRUE(
            GiveParts(host->texts(), context, &payload, scratch, 4, &parts));
        EXPECT_EQ(scratch[2], std::pow(2, 1000));
        EXPECT_TRUE(std::signbit(scratch[1]));
        auto global = context->Global();
        const auto set = [&](const char* name, v8::Local<v8::Value> value) {
          (void)global->Set(
              context,
              v8::String::NewFromUtf8(host->isolate(), name).ToLocalChecked(),
              value);
        };
        set("text", parts.text);
        set("more", parts.more);
        EXPECT_EQ(Evaluate(host->isolate(), context,
                           "[text, more[0], more[1], more[2].map((b) => new "
                           "Uint8Array(b).join('')).join('|')].join()"),
                  "first,,second,7777|77|999999");
      });
}

TEST(PayloadV8, ABufferThatIsLockedIsCopied) {
  const PlatformBridge platform = TestPlatform();
  WithIsolate(
      platform, kAmpleLimit,
      [&](IsolateHost* host, v8::Local<v8::Context> context) {
        v8::Isolate* isolate = host->isolate();
        auto buffer = ValueOf(isolate, context,
                              "var b = new ArrayBuffer(4);"
                              "new Uint8Array(b).fill(7); b")
                          .As<v8::ArrayBuffer>();
        buffer->SetDetachKey(v8::Symbol::New(isolate));
        const v8::TryCatch nothing(isolate);
        Payload payload;
        EXPECT_TRUE(Read(host, context,
                         "[new Float64Array(1), '', [null, [b], [true]]]",
                         &payload));
        EXPECT_FALSE(nothing.HasCaught());
        EXPECT_EQ(buffer->ByteLength(), 4u);
        ASSERT_EQ(payload.buffers.size(), 1u);
        EXPECT_EQ(payload.buffers[0].size, 4u);
        auto copy = std::static_pointer_cast<v8::BackingStore>(
            payload.buffers[0].owner);
        EXPECT_NE(copy->Data(), buffer->Data());
        EXPECT_EQ(static_cast<char*>(copy->Data())[3], 7);
      });
}

TEST(PayloadV8, ALongRunComesAsAnArrayOfItsOwn) {
  WithIsolate(
      TestPlatform(), kAmpleLimit,
      [](IsolateHost* host, v8::Local<v8::Context> context) {
        Payload payload;
        EXPECT_TRUE(
            Read(host, context,
                 "[new Float64Array(100).fill(2.5), undefined, undefined]",
                 &payload));
        double scratch[99];
        DecodedParts parts;
        ASSERT_TRUE(
            GiveParts(host->texts(), context, &payload, scratch, 99, &parts));
        ASSERT_TRUE(parts.more->IsArray());
        auto run = parts.more.As<v8::Array>()->Get(context, 0).ToLocalChecked();
        ASSERT_TRUE(run->IsFloat64Array());
        EXPECT_EQ(run.As<v8::Float64Array>()->Length(), 100u);
      });
}

TEST(PayloadV8, AViewThatFollowsItsBufferIsCopiedWhole) {
  WithIsolate(
      TestPlatform(), kAmpleLimit,
      [](IsolateHost* host, v8::Local<v8::Context> context) {
        Payload payload;
        EXPECT_TRUE(
            Read(host, context,
                 "var r = new ArrayBuffer(64, { maxByteLength: 128 });"
                 "var v = new Uint8Array(r); v.fill(5);"
                 "[new Float64Array(1), undefined, [null, [v], [false]]]",
                 &payload));
        ASSERT_EQ(payload.buffers.size(), 1u);
        ASSERT_EQ(payload.buffers[0].size, 64u);
        const auto* store =
            static_cast<v8::BackingStore*>(payload.buffers[0].owner.get());
        for (int i = 0; i < 64; ++i) {
          EXPECT_EQ(static_cast<const uint8_t*>(store->Data())[i], 5) << i;
        }
      });
}

TEST(PayloadV8, PartsThatNoCodecMakesAreRefusedAndLeaveNothing) {
  WithIsolate(TestPlatform(), kAmpleLimit,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                Payload payload;
                for (const char* source :
                     {"[1, 'x', undefined]", "[[], undefined, undefined]",
                      "[new Float64Array(1), 'a', [['a', 5], null, null]]",
                      "[new Float64Array(1), 'a', [null, [{}], [false]]]",
                      "[new Float64Array(1), 'a', [null, [new Uint8Array(1)], "
                      "[true]]]"}) {
                  EXPECT_FALSE(Read(host, context, source, &payload)) << source;
                  EXPECT_EQ(payload.ByteSize(), 0u) << source;
                  EXPECT_EQ(payload.kind, PayloadKind::kUndefined) << source;
                }
              });
}

}  // namespace
}  // namespace sloppy::workers

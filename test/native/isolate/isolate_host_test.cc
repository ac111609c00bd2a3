#include "isolate/isolate_host.h"

#include <memory>
#include <vector>

#include "test/native/support.h"

namespace sloppy::workers {
namespace {

TEST(IsolateHost, RunsScriptsAndManyComeAndGoAtOnce) {
  const PlatformBridge platform = TestPlatform();
  ASSERT_TRUE(platform.ok());
  std::vector<std::unique_ptr<TestThread>> threads;
  for (int i = 0; i < 4; ++i) {
    threads.push_back(std::make_unique<TestThread>([&platform] {
      for (int round = 0; round < 6; ++round) {
        WithIsolate(
            platform, 32 * kMiB,
            [](IsolateHost* host, v8::Local<v8::Context> context) {
              EXPECT_EQ(Evaluate(host->isolate(), context, "[1, 2].join('+')"),
                        "1+2");
            });
      }
    }));
  }
}

TEST(IsolateHost, TheStackEndsWithARangeError) {
  WithIsolate(TestPlatform(), 64 * kMiB,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                EXPECT_EQ(Evaluate(host->isolate(), context,
                                   "(function f() { return 1 + f(); })()"),
                          "RangeError: Maximum call stack size exceeded");
                EXPECT_EQ(Evaluate(host->isolate(), context, "1 + 1"), "2");
              });
}

TEST(IsolateHost, ClearTerminationTakesItBackAndDropsMicrotasks) {
  WithIsolate(
      TestPlatform(), 64 * kMiB,
      [](IsolateHost* host, v8::Local<v8::Context> context) {
        v8::Isolate* isolate = host->isolate();
        EXPECT_EQ(Evaluate(isolate, context,
                           "var ran = 0; const later = () => { ran++; };"
                           "Promise.resolve().then(later).then(later);"
                           "Promise.resolve().then(later); 'queued'"),
                  "queued");
        isolate->TerminateExecution();
        EXPECT_EQ(Evaluate(isolate, context, "for (;;);"), "terminated");
        host->ClearTermination();
        EXPECT_FALSE(isolate->IsExecutionTerminating());
        EXPECT_EQ(Evaluate(isolate, context, "ran"), "0");
        v8::MicrotasksScope::PerformCheckpoint(isolate);
        EXPECT_EQ(Evaluate(isolate, context, "ran"), "0");
      });
}

TEST(MemoryLimit, CountsABufferOfItsOwnUntilItIsGone) {
  std::vector<char> memory(kMiB);
  std::shared_ptr<v8::BackingStore> kept;
  WithIsolate(
      TestPlatform(), 32 * kMiB,
      [&](IsolateHost* host, v8::Local<v8::Context> context) {
        v8::Isolate* isolate = host->isolate();
        const size_t before = host->memory().external_bytes();
        kept = host->memory().Lend(memory.data(), kMiB);
        ASSERT_NE(kept, nullptr);
        EXPECT_EQ(kept->ByteLength(), kMiB);
        EXPECT_EQ(host->memory().external_bytes(), before + kMiB);
        for (const char* name : {"first", "second"}) {
          auto buffer = v8::ArrayBuffer::New(isolate, kept);
          auto key = v8::String::NewFromUtf8(isolate, name).ToLocalChecked();
          context->Global()->Set(context, key, buffer).Check();
        }
        EXPECT_EQ(Evaluate(isolate, context,
                           "new Uint8Array(first)[9] = 7;"
                           "new Uint8Array(second)[9]"),
                  "7");
        EXPECT_EQ(host->memory().Lend(memory.data(), 64 * kMiB), nullptr);
      });
  // Its isolate is gone.
  static_cast<char*>(kept->Data())[0] = 1;
  kept.reset();
}

struct Eater {
  const char* name;
  const char* source;
};

class MemoryLimitTest : public testing::TestWithParam<Eater> {};

TEST_P(MemoryLimitTest, EndsTheScriptAndIsRemembered) {
  WithIsolate(TestPlatform(), 24 * kMiB,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                EXPECT_FALSE(host->memory().hit());
                // A refused buffer may end the script before it is interrupted.
                const std::string end =
                    Evaluate(host->isolate(), context, GetParam().source);
                if (end != "terminated") {
                  EXPECT_EQ(end, "RangeError: Array buffer allocation failed");
                  EXPECT_EQ(Evaluate(host->isolate(), context, "for (;;);"),
                            "terminated");
                }
                EXPECT_TRUE(host->memory().hit());
                host->ClearTermination();
              });
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, MemoryLimitTest,
    testing::Values(
        Eater{"Objects", "const a = []; for (;;) a.push({ n: a.length });"},
        Eater{"Strings",
              "const a = []; for (;;) a.push(JSON.stringify('x'.repeat(5e4) "
              "+ a.length));"},
        Eater{"Buffers", "const a = []; for (;;) a.push(new Uint8Array(1e6));"},
        Eater{"BuffersDespiteCatch",
              "const a = []; for (;;) try { a.push(new Uint8Array(1e6)); } "
              "catch {}"},
        Eater{"TheSumOfBoth",
              "const a = [], b = []; for (;;) { a.push(new Uint8Array(1e4));"
              "for (let i = 0; i < 100; i++) b.push({ i }); }"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(MemoryLimit, CountsBuffersAndGivesThemBack) {
  WithIsolate(
      TestPlatform(), 64 * kMiB,
      [](IsolateHost* host, v8::Local<v8::Context> context) {
        const size_t before = host->memory().external_bytes();
        EXPECT_EQ(Evaluate(host->isolate(), context,
                           "var held = new Uint8Array(1 << 20); held.length"),
                  "1048576");
        EXPECT_EQ(host->memory().external_bytes(), before + kMiB);
        EXPECT_EQ(Evaluate(host->isolate(), context, "held = null; 1"), "1");
        host->isolate()->LowMemoryNotification();
        EXPECT_EQ(host->memory().external_bytes(), before);
        EXPECT_FALSE(host->memory().hit());
      });
}

TEST(MemoryLimit, GarbageIsNotCounted) {
  WithIsolate(TestPlatform(), 24 * kMiB,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                EXPECT_EQ(Evaluate(host->isolate(), context,
                                   "let sum = 0; for (let i = 0; i < 200; i++) "
                                   "sum += new Uint8Array(1e6).length; sum"),
                          "200000000");
                EXPECT_FALSE(host->memory().hit());
              });
}

}  // namespace
}  // namespace sloppy::workers

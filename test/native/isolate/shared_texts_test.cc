#include "isolate/shared_texts.h"

#include <string>
#include <utility>
#include <vector>

#include "test/native/support.h"

namespace sloppy::workers {
namespace {

v8::Local<v8::String> TextOf(v8::Isolate* isolate,
                             v8::Local<v8::Context> context,
                             const std::string& source) {
  return ValueOf(isolate, context, source).As<v8::String>();
}

Text TextOf(const std::string& units) {
  Text text;
  uint8_t* to = text.Allocate(static_cast<uint32_t>(units.size()), false);
  std::copy(units.begin(), units.end(), to);
  return text;
}

void Collect(v8::Isolate* isolate) {
  // Twice: weak callbacks of the first free what the second finds.
  isolate->LowMemoryNotification();
  isolate->LowMemoryNotification();
}

TEST(SharedTexts, TextsOfEveryKindArriveInAnotherIsolate) {
  const PlatformBridge platform = TestPlatform();
  for (const char* source :
       {"''", "'short'", "'\\u00ff'.repeat(48)", "'x'.repeat(49)", "'\\ud800'",
        "'\\u20ac'.repeat(20)", "'\\u20ac'.repeat(5000)", "'x'.repeat(8191)",
        "'x'.repeat(8192)", "'x'.repeat(1e6)", "'\\u20ac'.repeat(1e6)"}) {
    SCOPED_TRACE(source);
    Text text;
    WithIsolate(platform, kAmpleLimit,
                [&](IsolateHost* host, v8::Local<v8::Context> context) {
                  auto string = TextOf(host->isolate(), context, source);
                  ASSERT_TRUE(host->texts()->Read(string, &text));
                  EXPECT_EQ(text.length(),
                            static_cast<uint32_t>(string->Length()));
                  EXPECT_EQ(text.two_byte(), !string->IsOneByte());
                });
    WithIsolate(platform, kAmpleLimit,
                [&](IsolateHost* host, v8::Local<v8::Context> context) {
                  v8::Local<v8::String> string;
                  ASSERT_TRUE(host->texts()->Give(&text).ToLocal(&string));
                  EXPECT_TRUE(string->StrictEquals(
                      TextOf(host->isolate(), context, source)));
                });
  }
}

TEST(SharedTexts, AStringArrivesInTheHeap) {
  WithIsolate(
      TestPlatform(), kAmpleLimit,
      [](IsolateHost* host, v8::Local<v8::Context>) {
        for (const size_t size : {size_t{49}, SharedTexts::kRemembered,
                                  SharedTexts::kLong, 10 * kMiB, 20 * kMiB}) {
          Text text = TextOf(std::string(size, 's'));
          v8::Local<v8::String> string;
          ASSERT_TRUE(host->texts()->Give(&text).ToLocal(&string));
          EXPECT_FALSE(string->IsExternalOneByte()) << size;
          EXPECT_EQ(host->texts()->bytes(), 0u);
        }
      });
}

TEST(SharedTexts, WhoPassesOnLongStringsGetsTheNextOutsideItsHeap) {
  WithIsolate(TestPlatform(), kAmpleLimit,
              [](IsolateHost* host, v8::Local<v8::Context>) {
                SharedTexts* texts = host->texts();
                const auto arrives_outside = [&](size_t size, bool goes_out) {
                  Text text = TextOf(std::string(size, 's'));
                  v8::Local<v8::String> string;
                  EXPECT_TRUE(texts->Give(&text).ToLocal(&string));
                  Text out;
                  if (goes_out) {
                    EXPECT_TRUE(texts->Read(string, &out));
                  }
                  return string->IsExternalOneByte();
                };
                EXPECT_FALSE(arrives_outside(kMiB, true));
                EXPECT_FALSE(arrives_outside(SharedTexts::kLong - 1, false));
                EXPECT_TRUE(arrives_outside(kMiB, true));
                EXPECT_TRUE(arrives_outside(kMiB, false));
                EXPECT_FALSE(arrives_outside(kMiB, false));
                // A short text says nothing.
                EXPECT_FALSE(arrives_outside(SharedTexts::kLong - 1, true));
                EXPECT_FALSE(arrives_outside(kMiB, false));
              });
}

TEST(SharedTexts, AStringThatGoesBackIsTheSameBlock) {
  const PlatformBridge platform = TestPlatform();
  for (const size_t size :
       {SharedTexts::kRemembered, SharedTexts::kLong, kMiB}) {
    Text there = TextOf(std::string(size, 's'));
    Text back;
    WithIsolate(platform, kAmpleLimit,
                [&](IsolateHost* host, v8::Local<v8::Context>) {
                  v8::Local<v8::String> string;
                  ASSERT_TRUE(host->texts()->Give(&there).ToLocal(&string));
                  ASSERT_TRUE(host->texts()->Read(string, &back));
                });
    EXPECT_TRUE(back.SharesBlockWith(there));
    there.Clear();
    // The units outlive the isolate that they came from.
    EXPECT_EQ(back.data()[size - 1], 's');
  }
}

TEST(SharedTexts, ABlockThatComesAgainIsTheSameString) {
  WithIsolate(TestPlatform(), kAmpleLimit,
              [](IsolateHost* host, v8::Local<v8::Context>) {
                Text text = TextOf(std::string(kMiB, 's'));
                Text again = text.Share();
                v8::Local<v8::String> first;
                v8::Local<v8::String> second;
                ASSERT_TRUE(host->texts()->Give(&text).ToLocal(&first));
                ASSERT_TRUE(host->texts()->Give(&again).ToLocal(&second));
                EXPECT_TRUE(first == second);
              });
}

TEST(SharedTexts, AnOwnStringIsCopiedOnceWhereThatIsWanted) {
  WithIsolate(TestPlatform(), kAmpleLimit,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                v8::Isolate* isolate = host->isolate();
                auto string = TextOf(isolate, context, "'x'.repeat(1e6)");
                for (const bool keeps_own : {false, true}) {
                  SharedTexts texts(isolate, keeps_own);
                  Text first;
                  Text second;
                  ASSERT_TRUE(texts.Read(string, &first));
                  ASSERT_TRUE(texts.Read(string, &second));
                  EXPECT_EQ(first.SharesBlockWith(second), keeps_own);
                  EXPECT_EQ(second.data()[999'999], 'x');
                  v8::Local<v8::String> back;
                  ASSERT_TRUE(texts.Give(&second).ToLocal(&back));
                  EXPECT_EQ(back == string, keeps_own);
                }
              });
}

TEST(SharedTexts, RemembersABoundedNumber) {
  WithIsolate(
      TestPlatform(), kAmpleLimit,
      [](IsolateHost* host, v8::Local<v8::Context> context) {
        v8::Isolate* isolate = host->isolate();
        SharedTexts texts(isolate, true);
        const auto read = [&](v8::Local<v8::String> string) {
          Text text;
          EXPECT_TRUE(texts.Read(string, &text));
          return text;
        };
        auto large = TextOf(isolate, context, "'l'.repeat(10e6)");
        auto other = TextOf(isolate, context, "'o'.repeat(10e6)");
        auto huge = TextOf(isolate, context, "'h'.repeat(20e6)");
        EXPECT_TRUE(read(large).SharesBlockWith(read(large)));
        EXPECT_FALSE(read(huge).SharesBlockWith(read(huge)));
        EXPECT_TRUE(read(large).SharesBlockWith(read(large)));
        const Text before = read(large);
        EXPECT_TRUE(read(other).SharesBlockWith(read(other)));
        // Only one of the two has room.
        EXPECT_FALSE(read(large).SharesBlockWith(before));
        std::vector<v8::Local<v8::String>> many;
        for (size_t i = 0; i <= SharedTexts::kMaxRemembered; ++i) {
          many.push_back(TextOf(isolate, context, "'m'.repeat(1e5)"));
        }
        std::vector<Text> firsts;
        for (auto& string : many) firsts.push_back(read(string));
        EXPECT_TRUE(read(many.back()).SharesBlockWith(firsts.back()));
        EXPECT_FALSE(read(many.front()).SharesBlockWith(firsts.front()));
      });
}

TEST(SharedTexts, DeadStringsAreForgotten) {
  WithIsolate(TestPlatform(), kAmpleLimit,
              [](IsolateHost* host, v8::Local<v8::Context>) {
                v8::Isolate* isolate = host->isolate();
                for (int i = 0; i < 20; ++i) {
                  v8::HandleScope inner(isolate);
                  Text text = TextOf(std::string(kMiB, 's'));
                  v8::Local<v8::String> string;
                  ASSERT_TRUE(host->texts()->Give(&text).ToLocal(&string));
                  ASSERT_TRUE(host->texts()->Read(string, &text));
                }
                EXPECT_GE(host->texts()->bytes(), kMiB);
                Collect(isolate);
                EXPECT_EQ(host->texts()->bytes(), 0u);
              });
}

TEST(SharedTexts, GarbageCollectsItself) {
  WithIsolate(TestPlatform(), kAmpleLimit,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                v8::Isolate* isolate = host->isolate();
                for (int i = 0; i < 1000; ++i) {
                  v8::HandleScope inner(isolate);
                  Text text = TextOf(std::string(kMiB, 's'));
                  v8::Local<v8::String> string;
                  ASSERT_TRUE(host->texts()->Give(&text).ToLocal(&string));
                  // Every other one, so that both kinds come.
                  if (i % 2 == 0) {
                    ASSERT_TRUE(host->texts()->Read(string, &text));
                  }
                  host->memory().RequestCheck(isolate);
                  ASSERT_EQ(Evaluate(isolate, context, "1"), "1") << i;
                }
                EXPECT_FALSE(host->memory().hit());
              });
}

TEST(SharedTexts, WhatIsHeldCountsAgainstTheMemoryLimit) {
  WithIsolate(TestPlatform(), kAmpleLimit / 4,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                v8::Isolate* isolate = host->isolate();
                v8::HandleScope held(isolate);
                for (int i = 0; i < 1000 && !host->memory().hit(); ++i) {
                  Text text = TextOf(std::string(kMiB, 's'));
                  v8::Local<v8::String> string;
                  ASSERT_TRUE(host->texts()->Give(&text).ToLocal(&string));
                  // Every other one, so that both kinds come.
                  if (i % 2 == 0) {
                    ASSERT_TRUE(host->texts()->Read(string, &text));
                  }
                  host->memory().RequestCheck(isolate);
                  Evaluate(isolate, context, "for (let i = 0; i < 10; i++);");
                }
                EXPECT_TRUE(host->memory().hit());
                EXPECT_LE(host->texts()->bytes(), kAmpleLimit);
                host->ClearTermination();
              });
}

}  // namespace
}  // namespace sloppy::workers

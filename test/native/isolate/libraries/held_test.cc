#include "isolate/libraries/held.h"

#include <memory>
#include <string>
#include <utility>

#include "isolate/libraries/libraries.h"
#include "isolate/libraries/library_natives.h"
#include "test/native/support.h"

namespace sloppy::workers {
namespace {

constexpr size_t kLimit = size_t{64} << 20;

// Counts those that are there.
struct Thing {
  explicit Thing(int* counter) : count(counter) { ++*count; }
  ~Thing() { --*count; }
  int* count;
};
using Owner = std::unique_ptr<Thing>;

void Collect(v8::Isolate* isolate) {
  isolate->LowMemoryNotification();
  isolate->LowMemoryNotification();
}

TEST(Held, ObjectsAreFreedByTheCollector) {
  int count = 0;
  WithIsolate(
      TestPlatform(), kLimit, [&](IsolateHost* host, v8::Local<v8::Context>) {
        v8::Isolate* isolate = host->isolate();
        v8::HandleScope outer(isolate);
        v8::Local<v8::Object> kept =
            Held<Owner>::New(isolate, std::make_unique<Thing>(&count))
                .ToLocalChecked();
        {
          v8::HandleScope inner(isolate);
          for (int i = 0; i < 100; ++i) {
            (void)Held<Owner>::New(isolate, std::make_unique<Thing>(&count));
          }
          EXPECT_EQ(count, 101);
        }
        Collect(isolate);
        EXPECT_EQ(count, 1);
        EXPECT_EQ(LibraryState::Of(isolate).held(), 1u);
        EXPECT_EQ((*Held<Owner>::From(kept))->count, &count);
      });
  EXPECT_EQ(count, 0);
}

TEST(Held, OthersAreNotTakenForOne) {
  int count = 0;
  WithIsolate(TestPlatform(), kLimit,
              [&](IsolateHost* host, v8::Local<v8::Context> context) {
                v8::Isolate* isolate = host->isolate();
                v8::Local<v8::Object> number =
                    Held<int>::New(isolate, 7).ToLocalChecked();
                EXPECT_EQ(*Held<int>::From(number), 7);
                EXPECT_EQ(Held<Owner>::From(number), nullptr);
                EXPECT_EQ(Held<int>::From(context->Global()), nullptr);
                EXPECT_EQ(Held<int>::From(v8::Undefined(isolate)), nullptr);
                EXPECT_EQ(Held<int>::From(v8::ArrayBuffer::New(isolate, 8)),
                          nullptr);
                EXPECT_EQ(Held<int>::From(v8::Object::New(isolate)), nullptr);
              });
  EXPECT_EQ(count, 0);
}

TEST(Held, ManyIsolatesLeaveNothing) {
  int count = 0;
  const PlatformBridge platform = TestPlatform();
  for (int i = 0; i < 50; ++i) {
    WithIsolate(platform, kLimit,
                [&](IsolateHost* host, v8::Local<v8::Context>) {
                  for (int k = 0; k < 20; ++k) {
                    (void)Held<Owner>::New(host->isolate(),
                                           std::make_unique<Thing>(&count));
                  }
                  EXPECT_EQ(count, 20);
                });
    EXPECT_EQ(count, 0);
  }
}

TEST(Libraries, AreThoseOfThisNode) {
  ASSERT_NE(FindCrypto(), nullptr);
  EXPECT_EQ(FindCrypto()->OpenSSL_version_num() >> 28, 3u);
  EXPECT_NE(FindZlib(), nullptr);
  EXPECT_EQ(FindSymbol("no_such_name_of_any_library"), nullptr);
}

TEST(Libraries, HandTheirNativesToJavaScript) {
  WithIsolate(
      TestPlatform(), kLimit,
      [](IsolateHost* host, v8::Local<v8::Context> context) {
        v8::Isolate* isolate = host->isolate();
        v8::Local<v8::Object> natives =
            MakeFunctions(isolate, context, {}, {LibraryNatives()})
                .ToLocalChecked();
        (void)context->Global()->Set(
            context, v8::String::NewFromUtf8Literal(isolate, "host"), natives);
        EXPECT_EQ(Evaluate(isolate, context, "typeof host.library('none')"),
                  "undefined");
        EXPECT_EQ(Evaluate(isolate, context,
                           "const c = host.library('crypto');"
                           "c.hash(c.digestId('md5'), 'abc', true, -1)"),
                  "900150983cd24fb0d6963f7d28e17f72");
        EXPECT_EQ(Evaluate(isolate, context,
                           "const h = c.hashNew(c.digestId('RSA-SHA1'));"
                           "c.hashUpdate(h, 'ab');"
                           "c.hashUpdate(h, new Uint8Array([99]));"
                           "c.hashFinal(h, true, -1)"),
                  "a9993e364706816aba3e25717850c26c9cd0d89d");
        EXPECT_EQ(Evaluate(isolate, context, "c.digestId('none')"), "-1");
        // Natives take no object of another kind.
        EXPECT_EQ(Evaluate(isolate, context,
                           "c.hmacUpdate(h, 'x'); c.hashUpdate({}, 'x');"
                           "c.hashFinal(5)"),
                  "undefined");
      });
}

}  // namespace
}  // namespace sloppy::workers

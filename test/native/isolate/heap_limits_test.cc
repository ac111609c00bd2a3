#include <algorithm>
#include <cstddef>
#include <string>

#include "isolate/heap_guard.h"
#include "isolate/heap_room.h"
#include "test/native/support.h"

namespace sloppy::workers {
namespace {

// Its table doubles, and the new one does not fit into the limit.
constexpr char kGrow[] =
    "const map = new Map(); for (let i = 0;; i++) map.set(i, i)";

TEST(HeapRoom, IsWhatIsWantedWithinBounds) {
  EXPECT_EQ(HeapRoom(0), 32 * kMiB);
  EXPECT_EQ(HeapRoom(40 * kMiB), 40 * kMiB);
  EXPECT_LE(HeapRoom(size_t{1} << 40), kMostRoom);
}

// V8 would abort here if it were out of memory.
TEST(MemoryLimit, GivesATableRoomToDouble) {
  WithIsolate(TestPlatform(), 32 * kMiB,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                EXPECT_EQ(Evaluate(host->isolate(), context, kGrow),
                          "terminated");
                EXPECT_TRUE(host->memory().hit());
              });
}

// The largest that the space was behind a collection.
size_t LargestNewSpace(IsolateHost* host, v8::Local<v8::Context> context,
                       const char* source) {
  static thread_local size_t largest;
  largest = 0;
  const auto look = [](v8::Isolate* isolate, v8::GCType, v8::GCCallbackFlags) {
    v8::HeapSpaceStatistics space;
    for (size_t i = 0; isolate->GetHeapSpaceStatistics(&space, i); ++i) {
      if (std::string(space.space_name()) != "new_space") continue;
      largest = std::max(largest, space.space_size());
    }
  };
  host->isolate()->AddGCEpilogueCallback(look);
  Evaluate(host->isolate(), context, source);
  host->isolate()->RemoveGCEpilogueCallback(look);
  return largest;
}

TEST(MemoryLimit, TheYoungGenerationGrowsWithWhatSurvives) {
  WithIsolate(TestPlatform(), 128 * kMiB,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                EXPECT_EQ(LargestNewSpace(host, context, "1"), 0u);
                EXPECT_GE(
                    LargestNewSpace(host, context,
                                    "for (let n = 0; n < 10; n++) {"
                                    "  const all = [];"
                                    "  for (let i = 0; i < 3e5; i++)"
                                    "    all.push({ i, text: 'item ' + i });"
                                    "}"),
                    12 * kMiB);
                EXPECT_FALSE(host->memory().hit());
              });
}

TEST(HeapGuard, TerminatesAndTellsOnce) {
  WithIsolate(
      TestPlatform(), 32 * kMiB,
      [](IsolateHost* host, v8::Local<v8::Context> context) {
        int hits = 0;
        const HeapGuard guard(
            host->isolate(), [](void* data) { ++*static_cast<int*>(data); },
            &hits);
        EXPECT_EQ(Evaluate(host->isolate(), context, kGrow), "terminated");
        EXPECT_EQ(hits, 1);
        // Room once more, for code that has not ended by then.
        EXPECT_EQ(Evaluate(host->isolate(), context,
                           "const all = []; for (;;) all.push(new Map(map))"),
                  "terminated");
        EXPECT_EQ(hits, 1);
      });
}

}  // namespace
}  // namespace sloppy::workers

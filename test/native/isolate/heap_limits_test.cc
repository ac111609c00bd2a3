#include <cstddef>

#include "isolate/heap_guard.h"
#include "isolate/heap_room.h"
#include "test/native/support.h"

namespace sloppy::workers {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
// Its table doubles, and the new one does not fit into the limit.
constexpr char kGrow[] =
    "const map = new Map(); for (let i = 0;; i++) map.set(i, i)";

TEST(HeapRoom, IsWhatIsWantedWithinBounds) {
  EXPECT_EQ(HeapRoom(0), 32 * kMiB);
  EXPECT_EQ(HeapRoom(40 * kMiB), 40 * kMiB);
  EXPECT_LE(HeapRoom(size_t{1} << 40), kMostRoom);
}

// Out of memory inside V8 would abort here.
TEST(MemoryLimit, GivesATableRoomToDouble) {
  WithIsolate(TestPlatform(), 32 * kMiB,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                EXPECT_EQ(Evaluate(host->isolate(), context, kGrow),
                          "terminated");
                EXPECT_TRUE(host->memory().hit());
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

#include "isolate/young_collector.h"

#include <cstdlib>
#include <memory>
#include <utility>

#include "test/native/support.h"

namespace sloppy::workers {
namespace {

constexpr size_t kSize = 10 * kMiB;
constexpr int kBuffers = 30;

struct Collections {
  int young = 0;
  int all = 0;
};

void Count(v8::Isolate*, v8::GCType type, v8::GCCallbackFlags, void* data) {
  auto* seen = static_cast<Collections*>(data);
  ++(type == v8::kGCTypeScavenge ? seen->young : seen->all);
}

v8::Local<v8::ArrayBuffer> Arrive(v8::Isolate* isolate) {
  std::unique_ptr<v8::BackingStore> memory = v8::ArrayBuffer::NewBackingStore(
      std::malloc(kSize), kSize,
      [](void* data, size_t, void*) { std::free(data); }, nullptr);
  return v8::ArrayBuffer::New(isolate, std::move(memory));
}

// The collections while buffers come, one after the other; `use` is what
// becomes of each.
template <typename Use>
Collections WhileBuffersArrive(bool makes_room, Use use) {
  Collections seen;
  WithIsolate(TestPlatform(), 512 * kMiB,
              [&](IsolateHost* host, v8::Local<v8::Context>) {
                v8::Isolate* isolate = host->isolate();
                isolate->AddGCEpilogueCallback(Count, &seen);
                for (int i = 0; i < kBuffers; ++i) {
                  v8::HandleScope scope(isolate);
                  if (makes_room) host->young().MakeRoom(kSize);
                  use(Arrive(isolate));
                }
                isolate->RemoveGCEpilogueCallback(Count, &seen);
              });
  return seen;
}

void Forget(v8::Local<v8::ArrayBuffer>) {}

// The number of each kind depends on how soon another thread frees what was
// found dead.
TEST(YoungCollector, BuffersThatDieYoungAreCollectedYoung) {
  const Collections before = WhileBuffersArrive(false, Forget);
  EXPECT_EQ(before.young, 0);
  EXPECT_GE(before.all, 1);
  EXPECT_GE(WhileBuffersArrive(true, Forget).young, 1);
}

TEST(YoungCollector, BuffersThatLeaveAgainCauseNoCollection) {
  const Collections seen =
      WhileBuffersArrive(true, [](v8::Local<v8::ArrayBuffer> buffer) {
        EXPECT_TRUE(buffer->Detach(v8::Local<v8::Value>()).FromMaybe(false));
      });
  EXPECT_EQ(seen.young, 0);
  EXPECT_EQ(seen.all, 0);
}

TEST(YoungCollector, SmallBuffersAreNoReason) {
  WithIsolate(TestPlatform(), 64 * kMiB,
              [](IsolateHost* host, v8::Local<v8::Context>) {
                Collections seen;
                host->isolate()->AddGCEpilogueCallback(Count, &seen);
                for (int i = 0; i < 1000; ++i) host->young().MakeRoom(1000);
                host->isolate()->RemoveGCEpilogueCallback(Count, &seen);
                EXPECT_EQ(seen.young, 0);
              });
}

}  // namespace
}  // namespace sloppy::workers

#include "isolate/inspector_proof.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "isolate/inspector_trial.h"
#include "isolate/v8_inspector.h"
#include "test/native/support.h"

#if SW_HAS_INSPECTOR

namespace sloppy::workers {
namespace {

// Functions of the test's own, in another object than `printf`.
void First() {}
void Second() {}

TEST(InspectorProof, TheRunningNodePasses) {
  EXPECT_EQ(FlawOfInspector(TestPlatform()), "");
  EXPECT_EQ(FlawOfInspector(TestPlatform()), "");
}

TEST(InspectorProof, TheTrialLeavesTheIsolateUsable) {
  WithIsolate(TestPlatform(), size_t{64} << 20,
              [](IsolateHost* host, v8::Local<v8::Context> context) {
                EXPECT_EQ(InspectorTrial(host->isolate(), context).Flaw(), "");
                EXPECT_EQ(InspectorTrial(host->isolate(), context).Flaw(), "");
                EXPECT_EQ(Evaluate(host->isolate(), context, "6 * 7"), "42");
              });
}

// A V8 that tells the linker no names leaves it to the trial to tell one from
// another.
TEST(InspectorProof, ASlotThatDoesNotSkipPausesIsRefused) {
  using Session = v8_inspector::V8InspectorSession;
  static constexpr size_t kSlots = 64;
  // A vtable begins with the offset to the object and its type.
  static constexpr size_t kHead = 2;
  static const void* table[kHead + kSlots];
  const auto alter = [](Session* session) {
    auto** object = reinterpret_cast<const void***>(session);
    const size_t used = SlotOf(&Session::stop) + 1;
    ASSERT_LE(used, size_t{kSlots});
    std::copy_n(*object - kHead, kHead + used, table);
    void (*nothing)(Session*, bool) = [](Session*, bool) {};
    table[kHead + SlotOf(&Session::setSkipAllPauses)] =
        reinterpret_cast<const void*>(nothing);
    *object = table + kHead;
  };
  WithIsolate(TestPlatform(), size_t{64} << 20,
              [&](IsolateHost* host, v8::Local<v8::Context> context) {
                InspectorTrial trial(host->isolate(), context, alter);
                EXPECT_EQ(trial.Flaw(), "self-test: setSkipAllPauses");
              });
}

TEST(InspectorProof, AnotherV8IsRefused) {
  const std::string own = v8::V8::GetVersion();
  EXPECT_EQ(FlawOfV8(own), "");
  // A later V8, one that was renumbered, one that another program has patched.
  EXPECT_NE(FlawOfV8("99.1.2.3-node.4"), "");
  EXPECT_NE(FlawOfV8("1" + own), "");
  const std::string patched = own.substr(0, own.find("-node.")) + "-electron.0";
  EXPECT_NE(FlawOfV8(patched).find(patched), std::string::npos);
  EXPECT_NE(FlawOfV8(""), "");
}

TEST(InspectorProof, WhatIsNoFunctionOfV8IsRefused) {
  const auto* first = reinterpret_cast<const void*>(&First);
  const auto* second = reinterpret_cast<const void*>(&Second);
  auto* const create = &v8_inspector::V8Inspector::create;
  const auto* code = reinterpret_cast<const void*>(create);
  const void* ours[] = {first, second};
  EXPECT_EQ(FlawOfSlots(ours, 2, {}, first), "");
  const void* mixed[] = {code, first};
  EXPECT_EQ(FlawOfSlots(mixed, 1, {}, code), "");
  EXPECT_EQ(FlawOfSlots(mixed, 2, {}, code), "slot 1 is no function of V8's");
  const void* hole[] = {nullptr};
  EXPECT_NE(FlawOfSlots(hole, 1, {}, code), "");
}

// `create` is a name that each executable tells the linker.
TEST(InspectorProof, AnotherNameIsRefused) {
  auto* const create = &v8_inspector::V8Inspector::create;
  const auto* code = reinterpret_cast<const void*>(create);
  const void* table[] = {code};
  const NamedSlot named[] = {{0, "create"}};
  EXPECT_EQ(FlawOfSlots(table, 1, named, code), "");
  const NamedSlot wrong[] = {{0, "connect"}};
  EXPECT_NE(FlawOfSlots(table, 1, wrong, code).find(", not connect"),
            std::string::npos);
}

}  // namespace
}  // namespace sloppy::workers

#endif  // SW_HAS_INSPECTOR

#include "worker/realm.h"

#include "test/native/support.h"

namespace sloppy::workers {
namespace {

using Body = std::function<void(IsolateHost*, Realm*)>;

void WithRealm(const Body& body) {
  WithIsolate(TestPlatform(), 32 * kMiB,
              [&](IsolateHost* host, v8::Local<v8::Context>) {
                const auto realm = Realm::Create(host->texts(), 1);
                ASSERT_NE(realm, nullptr);
                v8::Context::Scope entered(realm->context());
                body(host, realm.get());
              });
}

TEST(Realm, RunsCodeBeforeItsRuntimeButNoneMadeOfStrings) {
  WithRealm([](IsolateHost* host, Realm* realm) {
    EXPECT_FALSE(realm->has_runtime());
    EXPECT_FALSE(realm->has_globals());
    EXPECT_EQ(Evaluate(host->isolate(), realm->context(), "1 + 1"), "2");
    EXPECT_EQ(Evaluate(host->isolate(), realm->context(),
                       "(() => 1).constructor('return 1')()"),
              "EvalError: Code generation from strings disallowed for this "
              "context");
  });
}

TEST(Realm, TellsNobodyBeforeItsRuntime) {
  WithRealm([](IsolateHost* host, Realm* realm) {
    EXPECT_TRUE(realm->OnMail(0, 0));
    EXPECT_TRUE(realm->OnCancel(1));
    EXPECT_TRUE(realm->OnIdle());
    EXPECT_TRUE(realm->OnEnd());
    EXPECT_FALSE(host->isolate()->IsExecutionTerminating());
  });
}

TEST(Realm, HasNoRuntimeWithoutMemoryForInputs) {
  WithRealm([](IsolateHost* host, Realm* realm) {
    EXPECT_FALSE(realm->Start(PoolConfig(), host->bootstrap(), nullptr,
                              /*with_globals=*/true));
    EXPECT_FALSE(realm->has_runtime());
  });
}

TEST(Realm, KnowsTheFunctionThatWasCompiledBefore) {
  WithRealm([](IsolateHost*, Realm* realm) {
    v8::Local<v8::Function> function;
    ASSERT_TRUE(
        v8::Function::New(realm->context(), nullptr).ToLocal(&function));
    EXPECT_TRUE(realm->CompiledOf(7).IsEmpty());
    realm->KeepCompiled(7, function);
    EXPECT_TRUE(realm->CompiledOf(8).IsEmpty());
    v8::Local<v8::Function> kept;
    ASSERT_TRUE(realm->CompiledOf(7).ToLocal(&kept));
    EXPECT_TRUE(kept->StrictEquals(function));
  });
}

}  // namespace
}  // namespace sloppy::workers

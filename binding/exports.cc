#include "binding/exports.h"

#include <iterator>

#include "base/cpu.h"
#include "base/live.h"
#include "base/protocol_gen.h"
#include "binding/common_words.h"
#include "binding/debug_calls.h"
#include "binding/delivery.h"
#include "binding/env_calls.h"
#include "binding/env_state.h"
#include "binding/job_calls.h"
#include "binding/napi_v8.h"
#include "binding/owner_watch.h"
#include "binding/pool_calls.h"
#include "binding/process_guard.h"
#include "binding/snapshot_guard.h"
#include "binding/thread_calls.h"
#include "binding/thread_guard.h"
#include "isolate/payload_clone.h"

namespace sloppy::workers {
namespace {

// open() → an object of functions with a state of its own. Each copy of the
// JavaScript layer (a Jest file has one, a worker_threads Worker has one)
// opens its own, so that they share no tables.
Napi::Value OpenFunctions(const Napi::CallbackInfo& info) {
  RequireSnapshot(info.Env());
  EnvState* state = EnvState::Create(info.Env());
  if (state == nullptr) {
    throw Napi::Error::New(info.Env(), "this Node gives no V8 platform");
  }
  auto functions = Napi::Object::New(info.Env());
  ExportEnvCalls(info.Env(), functions, state);
  ExportPoolCalls(info.Env(), functions, state);
  ExportThreadCalls(info.Env(), functions, state);
  ExportJobCalls(info.Env(), functions, state);
  ExportDelivery(info.Env(), functions, state);
  for (const NativeFunction& item : PayloadCloneNatives()) {
    ExportFast(info.Env(), functions, item.name, item.callback, state);
  }
  return functions;
}

// live() → { kind: number }, of the whole process.
Napi::Value LiveNow(const Napi::CallbackInfo& info) {
  static constexpr struct {
    const char* name;
    Live kind;
  } kRows[] = {{"environments", Live::kEnvironments},
               {"workers", Live::kThreads},
               {"isolates", Live::kIsolates},
               {"realms", Live::kRealms},
               {"allocators", Live::kAllocators},
               {"threadsafeFunctions", Live::kThreadsafeFunctions},
               {"entries", Live::kEntries},
               {"sharedValues", Live::kSharedValues},
               {"pagesViews", Live::kPagesViews}};
  static_assert(std::size(kRows) == static_cast<size_t>(Live::kKinds));
  auto counts = Napi::Object::New(info.Env());
  for (const auto& row : kRows) counts[row.name] = LiveCounts::Of(row.kind);
  return counts;
}

}  // namespace

void ExportAll(Napi::Env env, Napi::Object exports) {
  PrepareLightFence();
  exports["build"] = Napi::Number::New(env, wire::Build::kDigest);
  exports["open"] = Napi::Function::New(env, OpenFunctions, "open");
  exports["live"] = Napi::Function::New(env, LiveNow, "live");
  ExportDebugCalls(env, exports);
  exports["guardHeap"] = Napi::Function::New(env, GuardHeap, "guardHeap");
  exports["guardProcess"] =
      Napi::Function::New(env, GuardProcess, "guardProcess");
  exports["makeWords"] = Napi::Function::New(env, MakeWords, "makeWords");
  exports["closeWords"] = Napi::Function::New(env, CloseWords, "closeWords");
  exports["openWords"] = Napi::Function::New(env, OpenWords, "openWords");
  exports["makeEnds"] = Napi::Function::New(env, MakeEnds, "makeEnds");
  exports["startWatch"] = Napi::Function::New(env, StartWatch, "startWatch");
  exports["writeSome"] = Napi::Function::New(env, WriteSomeOf, "writeSome");
}

}  // namespace sloppy::workers

#include "binding/snapshot_guard.h"

#include <cstdlib>
#include <sstream>
#include <string>

#include "isolate/node_snapshot.h"

namespace sloppy::workers {
namespace {

// The later of two options that contradict each other counts.
void Follow(const std::string& flag, bool* with_snapshot) {
  if (flag == "--no-node-snapshot") *with_snapshot = false;
  if (flag == "--node-snapshot") *with_snapshot = true;
}

void FollowEnvironment(bool* with_snapshot) {
  const char* options = std::getenv("NODE_OPTIONS");
  if (options == nullptr) return;
  std::istringstream words(options);
  for (std::string word; words >> word;) Follow(word, with_snapshot);
}

void FollowCommand(Napi::Env env, bool* with_snapshot) {
  const Napi::Value process = env.Global().Get("process");
  if (!process.IsObject()) return;
  const Napi::Value flags = process.As<Napi::Object>().Get("execArgv");
  if (!flags.IsArray()) return;
  const auto list = flags.As<Napi::Array>();
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Value flag = list.Get(i);
    if (!flag.IsString()) continue;
    Follow(flag.As<Napi::String>().Utf8Value(), with_snapshot);
  }
}

}  // namespace

void RequireSnapshot(Napi::Env env) {
  bool with_snapshot = true;
  FollowEnvironment(&with_snapshot);
  FollowCommand(env, &with_snapshot);
  if (DecideBeginning(with_snapshot) != Beginning::kNone) return;
  Napi::Error error =
      Napi::Error::New(env, "Node's snapshot does not fit that of its V8");
  error.Value()["code"] = Napi::String::New(env, "ERR_NODE_SNAPSHOT");
  throw error;
}

}  // namespace sloppy::workers

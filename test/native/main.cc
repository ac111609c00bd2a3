// The in-addon test runner: exports run(argv), which runs every GoogleTest
// linked into this addon on the calling thread and returns the exit code.
#include <gtest/gtest.h>
#include <napi.h>

#include <string>
#include <vector>

#include "binding/snapshot_guard.h"

namespace {

Napi::Value Run(const Napi::CallbackInfo& info) {
  const auto argv = info[0].As<Napi::Array>();
  std::vector<std::string> words{"sloppy_workers_native_tests"};
  for (uint32_t i = 0; i < argv.Length(); ++i) {
    words.push_back(argv.Get(i).ToString().Utf8Value());
  }
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  testing::InitGoogleTest(&count, pointers.data());
  return Napi::Number::New(info.Env(), RUN_ALL_TESTS());
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  sloppy::workers::RequireSnapshot(env);
  exports.Set("run", Napi::Function::New(env, Run));
  return exports;
}

}  // namespace

NODE_API_MODULE(sloppy_workers_native_tests, Init)

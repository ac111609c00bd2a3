// The addon with the tests: all that the other exports, and run(argv), which
// runs every GoogleTest linked into it on the calling thread and returns the
// exit code.
#include <gtest/gtest.h>
#include <napi.h>

#include <string>
#include <vector>

#include "binding/exports.h"
#include "binding/napi_v8.h"
#include "binding/snapshot_guard.h"
#include "isolate/bindings/bindings.h"
#include "isolate/libraries/library_state.h"

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

// binding(object, name) → MakeBinding in the object's context, for tests of
// the runtime's JavaScript in contexts of Node's (test/js/runtime), and for
// comparisons with Node's own (test/native/differ).
Napi::Value BindingOf(const Napi::CallbackInfo& info) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  const std::string name = info[1].ToString().Utf8Value();
  // An isolate of Node's has none. It is never freed, because nothing here
  // knows when that isolate ends.
  thread_local auto* const state =
      new sloppy::workers::LibraryState(isolate, nullptr, nullptr);
  (void)state;
  v8::Local<v8::Context> context;
  if (!sloppy::workers::ToV8(info[0])
           .As<v8::Object>()
           ->GetCreationContext()
           .ToLocal(&context)) {
    return info.Env().Undefined();
  }
  const v8::Context::Scope scope(context);
  v8::Local<v8::Object> binding;
  if (!sloppy::workers::MakeBinding(isolate, context, name).ToLocal(&binding)) {
    return info.Env().Undefined();
  }
  return Napi::Value(info.Env(), sloppy::workers::FromV8(binding));
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  sloppy::workers::RequireSnapshot(env);
  sloppy::workers::ExportAll(env, exports);
  exports.Set("run", Napi::Function::New(env, Run));
  exports.Set("binding", Napi::Function::New(env, BindingOf));
  return exports;
}

}  // namespace

NODE_API_MODULE(sloppy_workers_native_tests, Init)

// The value that V8 carries along with promise reactions, read and set.
#include <iterator>

#include "isolate/globals/host_natives.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

#if SW_V8_AT_LEAST(12, 0)

// Built-ins of V8 that its compilers know, which C++ is called for nothing of.
constexpr const char* kBuiltins[][2] = {
    {"getContinuation", "getContinuationPreservedEmbedderData"},
    {"setContinuation", "setContinuationPreservedEmbedderData"},
};

#else

using Info = v8::FunctionCallbackInfo<v8::Value>;

v8::Local<v8::Value> Current(const Info& info) {
  return GetContinuationData(info.GetIsolate()).As<v8::Value>();
}

void Get(const Info& info) { info.GetReturnValue().Set(Current(info)); }

void Set(const Info& info) { SetContinuationData(info.GetIsolate(), info[0]); }

// The one before, in one call instead of two.
void Exchange(const Info& info) {
  Get(info);
  Set(info);
}

constexpr NativeFunction kContinuationNatives[] = {
    {"exchangeContinuation", Exchange},
    {"getContinuation", Get},
    {"setContinuation", Set},
};

#endif

}  // namespace

#if SW_V8_AT_LEAST(12, 0)

NativeFunctions ContinuationNatives() { return {}; }

bool AddContinuation(v8::Isolate* isolate, v8::Local<v8::Context> context,
                     v8::Local<v8::Object> natives) {
  v8::Local<v8::Object> extras = context->GetExtrasBindingObject();
  for (const auto& [ours, theirs] : kBuiltins) {
    v8::Local<v8::String> name;
    v8::Local<v8::String> of;
    v8::Local<v8::Value> function;
    if (!v8::String::NewFromUtf8(isolate, ours).ToLocal(&name) ||
        !v8::String::NewFromUtf8(isolate, theirs).ToLocal(&of) ||
        !extras->Get(context, of).ToLocal(&function) ||
        natives->CreateDataProperty(context, name, function).IsNothing()) {
      return false;
    }
  }
  return true;
}

#else

NativeFunctions ContinuationNatives() { return kContinuationNatives; }

bool AddContinuation(v8::Isolate*, v8::Local<v8::Context>,
                     v8::Local<v8::Object>) {
  return true;
}

#endif

}  // namespace sloppy::workers

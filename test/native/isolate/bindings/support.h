// Calls of a binding's members from scripts: `natives` is the binding.
#ifndef SLOPPY_WORKERS_TEST_NATIVE_ISOLATE_BINDINGS_SUPPORT_H_
#define SLOPPY_WORKERS_TEST_NATIVE_ISOLATE_BINDINGS_SUPPORT_H_

#include <functional>
#include <string>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"
#include "test/native/support.h"

namespace sloppy::workers {

using RunScript = std::function<std::string(const std::string&)>;

inline constexpr size_t kBindingLimit = size_t{128} << 20;

// An isolate of ours with the binding `name` as a global, and `error(f)`: name,
// code and message of what f throws.
inline void WithBinding(
    const char* name,
    const std::function<void(IsolateHost*, const RunScript&)>& body,
    size_t limit = kBindingLimit) {
  WithIsolate(
      TestPlatform(), limit,
      [&](IsolateHost* host, v8::Local<v8::Context> context) {
        v8::Isolate* isolate = host->isolate();
        v8::Local<v8::Object> binding;
        ASSERT_TRUE(MakeBinding(isolate, context, name).ToLocal(&binding));
        ASSERT_TRUE(SetMember(context, context->Global(), "natives", binding));
        Evaluate(isolate, context,
                 "const error = (f) => { try { f(); return 'nothing'; } catch "
                 "(e) { return `${e.name} ${e.code} ${e.message}`; } };"
                 "const bytes = (...list) => Uint8Array.of(...list);");
        body(host, [&](const std::string& source) {
          v8::HandleScope inner(isolate);
          return Evaluate(isolate, context, source);
        });
      });
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_TEST_NATIVE_ISOLATE_BINDINGS_SUPPORT_H_

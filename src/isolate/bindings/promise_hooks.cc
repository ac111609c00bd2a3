// internalBinding('async_wrap'): V8's hooks of promises.
#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"

namespace sloppy::workers {
namespace {

// setPromiseHooks(init, before, after, settled), each a function or nothing
void SetPromiseHooks(const BindingInfo& info) {
  v8::Local<v8::Function> hooks[4];
  for (int i = 0; i < 4; ++i) {
    if (info[i]->IsFunction()) hooks[i] = info[i].As<v8::Function>();
  }
  info.GetIsolate()->GetCurrentContext()->SetPromiseHooks(hooks[0], hooks[1],
                                                          hooks[2], hooks[3]);
}

constexpr NativeFunction kPromiseHookNatives[] = {
    {"setPromiseHooks", SetPromiseHooks}};

}  // namespace

Binding PromiseHooksBinding() { return {"async_wrap", kPromiseHookNatives}; }

}  // namespace sloppy::workers

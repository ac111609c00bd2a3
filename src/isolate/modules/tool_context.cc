#include "isolate/modules/tool_context.h"

#include "isolate/builtin_script.h"
#include "isolate/globals/host_natives.h"
#include "isolate/modules/module_loader.h"

namespace sloppy::workers {

v8::MaybeLocal<v8::Function> ToolContext::Tool(const std::string& name) {
  const auto known = tools_.find(name);
  if (known != tools_.end()) return known->second.Get(isolate_);
  v8::Local<v8::Context> context = context_.Get(isolate_);
  v8::Local<v8::Object> natives;
  v8::Local<v8::Value> tool;
  v8::Local<v8::Object> host;
  if (!MakeLoaderNatives(isolate_, context).ToLocal(&natives) ||
      !MakeHostNatives(isolate_, context).ToLocal(&host) ||
      !natives
           ->Set(context, v8::String::NewFromUtf8Literal(isolate_, "host"),
                 host)
           .FromMaybe(false)) {
    return {};
  }
  v8::Local<v8::Value> arguments[] = {natives};
  v8::Local<v8::UnboundScript> fresh;
  if (!RunEmbedded(isolate_, context, "tool-" + name, 1, arguments, &fresh)
           .ToLocal(&tool) ||
      !tool->IsFunction()) {
    return {};
  }
  tools_[name].Reset(isolate_, tool.As<v8::Function>());
  if (!fresh.IsEmpty()) fresh_[name].Reset(isolate_, fresh);
  return tool.As<v8::Function>();
}

// Called after the first call: most of a tool's functions are compiled then.
void ToolContext::Remember(const std::string& name) {
  const auto found = fresh_.find(name);
  if (found == fresh_.end()) return;
  RememberEmbedded("tool-" + name, found->second.Get(isolate_));
  fresh_.erase(found);
}

v8::MaybeLocal<v8::String> ToolContext::Call(v8::Local<v8::Context> caller,
                                             const std::string& name, int argc,
                                             v8::Local<v8::Value>* argv) {
  v8::EscapableHandleScope scope(isolate_);
  if (context_.IsEmpty()) {
    v8::Local<v8::Context> made = v8::Context::New(isolate_);
    if (made.IsEmpty()) return {};
    context_.Reset(isolate_, made);
  }
  v8::Local<v8::Context> context = context_.Get(isolate_);
  v8::Local<v8::Value> result;
  v8::Local<v8::String> trouble;
  {
    v8::Context::Scope entered(context);
    v8::TryCatch caught(isolate_);
    v8::Local<v8::Function> tool;
    if (Tool(name).ToLocal(&tool) &&
        tool->Call(context, v8::Undefined(isolate_), argc, argv)
            .ToLocal(&result) &&
        result->IsString()) {
      Remember(name);
      return scope.Escape(result.As<v8::String>());
    }
    if (caught.HasTerminated()) {
      caught.ReThrow();
      return {};
    }
    if (!caught.HasCaught() ||
        !caught.Exception()->ToString(context).ToLocal(&trouble)) {
      trouble =
          v8::String::NewFromUtf8Literal(isolate_, "the module loader failed");
    }
  }
  v8::Context::Scope entered(caller);
  isolate_->ThrowException(v8::Exception::Error(trouble));
  return {};
}

}  // namespace sloppy::workers

#include "isolate/builtin_script.h"

#include <atomic>
#include <memory>
#include <string>

#include "embedded_js.h"
#include "isolate/code_cache.h"
#include "isolate/globals/host_natives.h"
#include "isolate/modules/module_loader.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// The embedded bytes live as long as the addon, so V8 needs no copy.
class EmbeddedText final : public v8::String::ExternalOneByteStringResource {
 public:
  explicit EmbeddedText(const EmbeddedSource& source) : source_(source) {}
  const char* data() const override { return source_.data; }
  size_t length() const override { return source_.size; }

 private:
  const EmbeddedSource& source_;
};

v8::Local<v8::String> Literal(v8::Isolate* isolate, const char* text) {
  return v8::String::NewFromUtf8(isolate, text,
                                 v8::NewStringType::kInternalized)
      .ToLocalChecked();  // Short literals of our own.
}

std::string CacheKey(const EmbeddedSource& embedded) {
  return std::string("builtin:") + embedded.name;
}

// V8 deletes the CachedData, not the bytes, which `cached` keeps alive.
v8::ScriptCompiler::CachedData* Borrow(const CodeCache::Data& cached) {
  if (cached == nullptr) return nullptr;
  return new v8::ScriptCompiler::CachedData(
      cached->data(), static_cast<int>(cached->size()),
      v8::ScriptCompiler::CachedData::BufferNotOwned);
}

v8::ScriptCompiler::CompileOptions OptionsFor(const CodeCache::Data& cached) {
  return cached == nullptr ? v8::ScriptCompiler::kNoCompileOptions
                           : v8::ScriptCompiler::kConsumeCodeCache;
}

using Info = v8::FunctionCallbackInfo<v8::Value>;

const EmbeddedSource* FindBundle(const std::string& name) {
  const std::string path = "src/runtime/gen/" + name + ".gen.js";
  for (const EmbeddedSource* source : kEmbeddedSources) {
    if (path == source->name) return source;
  }
  return nullptr;
}

// What a lazy global is: `data` called with the global's name.
void ResolveLazy(v8::Local<v8::Name> name,
                 const v8::PropertyCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Value> arguments[] = {name};
  v8::Local<v8::Value> value;
  if (info.Data()
          .As<v8::Function>()
          ->Call(isolate->GetCurrentContext(), v8::Undefined(isolate), 1,
                 arguments)
          .ToLocal(&value)) {
    info.GetReturnValue().Set(value);
  }
}

v8::MaybeLocal<v8::UnboundScript> Compile(v8::Isolate* isolate,
                                          const EmbeddedSource& embedded,
                                          const CodeCache::Data& cached) {
  v8::Local<v8::String> text;
  if (!v8::String::NewExternalOneByte(isolate, new EmbeddedText(embedded))
           .ToLocal(&text)) {
    return {};
  }
  const std::string name = std::string("sloppy:") + embedded.name;
  v8::ScriptCompiler::Source source(
      text, MakeOrigin(isolate, Literal(isolate, name.c_str()), 0, 0, false),
      Borrow(cached));
  return v8::ScriptCompiler::CompileUnboundScript(isolate, &source,
                                                  OptionsFor(cached));
}

// The function of (native, runtime) that the bootstrap is; compiled once for
// the isolate.
v8::MaybeLocal<v8::Function> MakeBootstrap(
    v8::Isolate* isolate, v8::Local<v8::Context> context,
    v8::Global<v8::UnboundScript>* kept) {
  v8::Local<v8::UnboundScript> script;
  if (!kept->IsEmpty()) {
    script = kept->Get(isolate);
  } else if (Compile(isolate, kGenBootstrap,
                     CodeCache::Get().Lookup(CacheKey(kGenBootstrap)))
                 .ToLocal(&script)) {
    kept->Reset(isolate, script);
  } else {
    return {};
  }
  v8::Local<v8::Value> function;
  if (!script->BindToCurrentContext()->Run(context).ToLocal(&function) ||
      !function->IsFunction()) {
    return {};
  }
  return function.As<v8::Function>();
}

}  // namespace

void RunBundle(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::String::Utf8Value file(isolate, info[0]);
  v8::Local<v8::Value> arguments[] = {info[1], info[2]};
  v8::Local<v8::Value> result;
  if (*file != nullptr &&
      RunEmbedded(isolate, isolate->GetCurrentContext(), *file, 2, arguments)
          .ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

void DefineLazy(const Info& info) {
  v8::Local<v8::Context> context = info.GetIsolate()->GetCurrentContext();
  auto names = info[1].As<v8::Array>();
  const auto attributes = info[2]->IsTrue() ? v8::None : v8::DontEnum;
  for (uint32_t i = 0; i < names->Length(); ++i) {
    v8::Local<v8::Value> name;
    if (!names->Get(context, i).ToLocal(&name) ||
        info[0]
            .As<v8::Object>()
            ->SetLazyDataProperty(context, name.As<v8::Name>(), ResolveLazy,
                                  info[3], attributes)
            .IsNothing()) {
      return;
    }
  }
}

void HostNativesOf(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Object> natives;
  if (MakeHostNatives(isolate, isolate->GetCurrentContext())
          .ToLocal(&natives)) {
    info.GetReturnValue().Set(natives);
  }
}

void LoaderNativesOf(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Object> natives;
  if (MakeLoaderNatives(isolate, isolate->GetCurrentContext())
          .ToLocal(&natives)) {
    info.GetReturnValue().Set(natives);
  }
}

v8::MaybeLocal<v8::Value> RunEmbedded(v8::Isolate* isolate,
                                      v8::Local<v8::Context> context,
                                      const std::string& file, int argc,
                                      v8::Local<v8::Value>* argv,
                                      v8::Local<v8::UnboundScript>* fresh) {
  const EmbeddedSource* embedded = FindBundle(file);
  if (embedded == nullptr) return {};
  const CodeCache::Data cached = CodeCache::Get().Lookup(CacheKey(*embedded));
  v8::Local<v8::UnboundScript> script;
  v8::Local<v8::Value> make;
  v8::Local<v8::Value> result;
  if (!Compile(isolate, *embedded, cached).ToLocal(&script) ||
      !script->BindToCurrentContext()->Run(context).ToLocal(&make) ||
      !make->IsFunction() ||
      !make.As<v8::Function>()
           ->Call(context, v8::Undefined(isolate), argc, argv)
           .ToLocal(&result)) {
    return {};
  }
  if (cached == nullptr && fresh == nullptr) RememberEmbedded(file, script);
  if (cached == nullptr && fresh != nullptr) *fresh = script;
  return result;
}

void RememberEmbedded(const std::string& file,
                      v8::Local<v8::UnboundScript> script) {
  const EmbeddedSource* embedded = FindBundle(file);
  std::unique_ptr<v8::ScriptCompiler::CachedData> data(
      v8::ScriptCompiler::CreateCodeCache(script));
  CodeCache::Get().Store(CacheKey(*embedded), data.get());
}

v8::MaybeLocal<v8::Value> RunBootstrap(v8::Isolate* isolate,
                                       v8::Local<v8::Context> context,
                                       v8::Local<v8::Object> natives,
                                       v8::Global<v8::UnboundScript>* script) {
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Object> runtime =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  v8::Local<v8::Value> arguments[] = {natives, runtime};
  v8::Local<v8::Function> bootstrap;
  if (!MakeBootstrap(isolate, context, script).ToLocal(&bootstrap) ||
      bootstrap->Call(context, v8::Undefined(isolate), 2, arguments)
          .IsEmpty()) {
    return {};
  }
  v8::Local<v8::Value> loading;
  if (!runtime->Get(context, Literal(isolate, "moduleHooks"))
           .ToLocal(&loading) ||
      !loading->IsObject()) {
    return {};
  }
  ModuleLoader::BindTo(isolate, context, loading.As<v8::Object>());
  v8::Local<v8::Value> hooks;
  if (!runtime->Get(context, Literal(isolate, "hooks")).ToLocal(&hooks)) {
    return {};
  }
  return scope.Escape(hooks);
}

void RememberBootstrap(v8::Isolate* isolate,
                       const v8::Global<v8::UnboundScript>& script) {
  static std::atomic<bool> remembered{false};
  // Asked before every sleep: a read is all that it costs from then on.
  if (remembered.load(std::memory_order_relaxed) || script.IsEmpty() ||
      remembered.exchange(true)) {
    return;
  }
  v8::HandleScope scope(isolate);
  std::unique_ptr<v8::ScriptCompiler::CachedData> data(
      v8::ScriptCompiler::CreateCodeCache(script.Get(isolate)));
  CodeCache::Get().Store(CacheKey(kGenBootstrap), data.get());
}

}  // namespace sloppy::workers

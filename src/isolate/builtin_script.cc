#include "isolate/builtin_script.h"

#include <atomic>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

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

// The parts of the realm's own JavaScript, in the order they build on each
// other; the last one leaves the hooks in `runtime.hooks`.
constexpr const EmbeddedSource* kParts[] = {
    &kRuntimeErrors,    &kRuntimeContext,        &kRuntimeChannels,
    &kRuntimePort,      &kRuntimeInstallGlobals, &kRuntimeLoader,
    &kRuntimeMemory,    &kRuntimeWasmLimits,     &kRuntimeWasmMemory,
    &kRuntimeLifecycle, &kRuntimeBootstrap};

using Info = v8::FunctionCallbackInfo<v8::Value>;

const EmbeddedSource* FindBundle(const std::string& name) {
  const std::string path = "src/runtime/gen/" + name + ".gen.js";
  for (const EmbeddedSource* source : kEmbeddedSources) {
    if (path == source->name) return source;
  }
  return nullptr;
}

// runBundle(file, host, load): see RunEmbedded.
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

// defineLazy(object, names, enumerable, resolve): properties whose value is
// resolve(name), asked for at the first access.
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

bool AddNative(v8::Isolate* isolate, v8::Local<v8::Context> context,
               v8::Local<v8::Object> natives, const char* name,
               v8::FunctionCallback callback) {
  v8::Local<v8::Function> function;
  return v8::Function::New(context, callback, {}, 0,
                           v8::ConstructorBehavior::kThrow)
             .ToLocal(&function) &&
         natives->Set(context, Literal(isolate, name), function)
             .FromMaybe(false);
}

// The codec's modules, each behind those it requires.
constexpr const EmbeddedSource* kCodecModules[] = {
    &kCodecGrammar, &kCodecCaptured, &kCodecShapes,  &kCodecByteParts,
    &kCodecEncoder, &kCodecDecoder,  &kInternalCodec};

v8::Local<v8::String> FileName(v8::Isolate* isolate, const std::string& path) {
  return Literal(isolate, path.c_str() + path.rfind('/') + 1);
}

// require(path) among the codec's modules: `data` has their exports by file.
void RequireCodecModule(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::String::Utf8Value path(isolate, info[0]);
  v8::Local<v8::Value> exports;
  if (*path != nullptr &&
      info.Data()
          .As<v8::Object>()
          ->Get(isolate->GetCurrentContext(), FileName(isolate, *path))
          .ToLocal(&exports)) {
    info.GetReturnValue().Set(exports);
  }
}

// All of the above in one script, which is one entry in the code cache: an
// array of functions of (module, require) and then of (native, runtime).
const std::string& BootstrapText() {
  static const std::string text = [] {
    std::string joined = "[";
    const auto add = [&](const EmbeddedSource& source, const char* parameters) {
      joined.append("(function(").append(parameters).append("){\n");
      joined.append(source.data, source.size).append("\n}),");
    };
    for (const EmbeddedSource* module : kCodecModules) {
      add(*module, "module,require");
    }
    for (const EmbeddedSource* part : kParts) add(*part, "native,runtime");
    return joined + "]";
  }();
  return text;
}

constexpr char kBootstrapName[] = "sloppy:src/runtime";

v8::MaybeLocal<v8::UnboundScript> CompileBootstrap(v8::Isolate* isolate) {
  static const EmbeddedSource source{kBootstrapName, BootstrapText().data(),
                                     BootstrapText().size()};
  v8::Local<v8::String> text;
  if (!v8::String::NewExternalOneByte(isolate, new EmbeddedText(source))
           .ToLocal(&text)) {
    return {};
  }
  const CodeCache::Data cached = CodeCache::Get().Lookup(kBootstrapName);
  v8::ScriptCompiler::Source script(
      text, MakeOrigin(isolate, Literal(isolate, kBootstrapName), 0, 0, false),
      Borrow(cached));
  return v8::ScriptCompiler::CompileUnboundScript(isolate, &script,
                                                  OptionsFor(cached));
}

using Bodies = std::vector<v8::Local<v8::Function>>;

// The functions of the script in this realm; compiled once for the isolate.
bool MakeBodies(v8::Isolate* isolate, v8::Local<v8::Context> context,
                v8::Global<v8::UnboundScript>* kept, Bodies* bodies) {
  v8::Local<v8::UnboundScript> script;
  if (!kept->IsEmpty()) {
    script = kept->Get(isolate);
  } else if (CompileBootstrap(isolate).ToLocal(&script)) {
    kept->Reset(isolate, script);
  } else {
    return false;
  }
  v8::Local<v8::Value> list;
  if (!script->BindToCurrentContext()->Run(context).ToLocal(&list)) {
    return false;
  }
  for (uint32_t i = 0; i < list.As<v8::Array>()->Length(); ++i) {
    v8::Local<v8::Value> body;
    if (!list.As<v8::Array>()->Get(context, i).ToLocal(&body)) return false;
    bodies->push_back(body.As<v8::Function>());
  }
  return true;
}

// The exports of lib/internal/codec.js.
v8::MaybeLocal<v8::Object> LoadCodecModules(v8::Isolate* isolate,
                                            v8::Local<v8::Context> context,
                                            const Bodies& bodies) {
  v8::Local<v8::Object> loaded =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  v8::Local<v8::Function> require;
  if (!v8::Function::New(context, RequireCodecModule, loaded, 1,
                         v8::ConstructorBehavior::kThrow)
           .ToLocal(&require)) {
    return {};
  }
  v8::Local<v8::Value> exports;
  for (size_t i = 0; i < std::size(kCodecModules); ++i) {
    v8::Local<v8::Object> module = v8::Object::New(isolate);
    v8::Local<v8::Value> arguments[] = {module, require};
    if (bodies[i]
            ->Call(context, v8::Undefined(isolate), 2, arguments)
            .IsEmpty() ||
        !module->Get(context, Literal(isolate, "exports")).ToLocal(&exports) ||
        !exports->IsObject() ||
        !loaded
             ->Set(context, FileName(isolate, kCodecModules[i]->name), exports)
             .FromMaybe(false)) {
      return {};
    }
  }
  return exports.As<v8::Object>();
}

// runtime.codec = createCodec(native).
bool MakeCodec(v8::Isolate* isolate, v8::Local<v8::Context> context,
               const Bodies& bodies, v8::Local<v8::Object> natives,
               v8::Local<v8::Object> runtime) {
  v8::Local<v8::Object> exports;
  v8::Local<v8::Value> create;
  v8::Local<v8::Value> codec;
  v8::Local<v8::Value> arguments[] = {natives};
  return LoadCodecModules(isolate, context, bodies).ToLocal(&exports) &&
         exports->Get(context, Literal(isolate, "createCodec"))
             .ToLocal(&create) &&
         create->IsFunction() &&
         create.As<v8::Function>()
             ->Call(context, v8::Undefined(isolate), 1, arguments)
             .ToLocal(&codec) &&
         runtime->Set(context, Literal(isolate, "codec"), codec)
             .FromMaybe(false);
}

}  // namespace

v8::MaybeLocal<v8::Value> RunEmbedded(v8::Isolate* isolate,
                                      v8::Local<v8::Context> context,
                                      const std::string& file, int argc,
                                      v8::Local<v8::Value>* argv,
                                      v8::Local<v8::UnboundScript>* fresh) {
  const EmbeddedSource* embedded = FindBundle(file);
  v8::Local<v8::String> text;
  if (embedded == nullptr ||
      !v8::String::NewExternalOneByte(isolate, new EmbeddedText(*embedded))
           .ToLocal(&text)) {
    return {};
  }
  const CodeCache::Data cached = CodeCache::Get().Lookup(CacheKey(*embedded));
  const std::string name = std::string("sloppy:") + embedded->name;
  v8::ScriptCompiler::Source source(
      text, MakeOrigin(isolate, Literal(isolate, name.c_str()), 0, 0, false),
      Borrow(cached));
  v8::Local<v8::UnboundScript> script;
  v8::Local<v8::Value> make;
  v8::Local<v8::Value> result;
  if (!v8::ScriptCompiler::CompileUnboundScript(isolate, &source,
                                                OptionsFor(cached))
           .ToLocal(&script) ||
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
  Bodies bodies;
  if (!MakeBodies(isolate, context, script, &bodies) ||
      !AddNative(isolate, context, natives, "runBundle", RunBundle) ||
      !AddNative(isolate, context, natives, "defineLazy", DefineLazy) ||
      !AddNative(isolate, context, natives, "hostNatives", HostNativesOf) ||
      !AddNative(isolate, context, natives, "loaderNatives", LoaderNativesOf)) {
    return {};
  }
  v8::Local<v8::Object> runtime =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  if (!MakeCodec(isolate, context, bodies, natives, runtime)) return {};
  v8::Local<v8::Value> arguments[] = {natives, runtime};
  for (size_t i = std::size(kCodecModules); i < bodies.size(); ++i) {
    if (bodies[i]
            ->Call(context, v8::Undefined(isolate), 2, arguments)
            .IsEmpty()) {
      return {};
    }
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
  CodeCache::Get().Store(kBootstrapName, data.get());
}

}  // namespace sloppy::workers

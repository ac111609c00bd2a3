#include "isolate/modules/module_loader.h"

#include <functional>
#include <memory>
#include <utility>

#include "isolate/code_cache.h"
#include "isolate/modules/file_path.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

ModuleLoader::Finder g_find = nullptr;

v8::MaybeLocal<v8::String> ToV8(v8::Isolate* isolate, std::string_view text) {
  return v8::String::NewFromUtf8(isolate, text.data(),
                                 v8::NewStringType::kNormal,
                                 static_cast<int>(text.size()));
}

std::string ToUtf8(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  v8::String::Utf8Value text(isolate, value);
  return *text == nullptr
             ? std::string()
             : std::string(*text, static_cast<size_t>(text.length()));
}

void Throw(v8::Isolate* isolate, const std::string& message) {
  v8::Local<v8::String> text;
  if (ToV8(isolate, message).ToLocal(&text)) {
    isolate->ThrowException(v8::Exception::Error(text));
  }
}

// The cache is by content: an edited file misses, equal files share.
std::string CacheKey(const std::string& path, const std::string& content) {
  return "module:" + std::to_string(std::hash<std::string>{}(content)) + ":" +
         std::to_string(content.size()) + ":" + path;
}

// From this size on the cache saves more than making it costs.
constexpr size_t kWorthCaching = 16384;

}  // namespace

// V8's callbacks; a struct so that the loader can befriend them.
struct ModuleCallbacks {
  static v8::MaybeLocal<v8::Module> Resolve(
      v8::Local<v8::Context> context, v8::Local<v8::String> specifier,
      v8::Local<v8::FixedArray> /*attributes*/,
      v8::Local<v8::Module> referrer) {
#if SW_V8_AT_LEAST(14, 0)
    v8::Isolate* isolate = v8::Isolate::GetCurrent();
#else
    v8::Isolate* isolate = context->GetIsolate();
#endif
    ModuleLoader* loader = g_find(isolate);
    if (loader == nullptr) return {};
    const std::string* importer = loader->PathOf(referrer);
    const std::string name = ToUtf8(isolate, specifier);
    const auto path = ResolveFile(name, importer == nullptr ? "" : *importer);
    if (!path) {
      Throw(isolate, CannotResolve(name, importer));
      return {};
    }
    return loader->Load(context, *path);
  }

  static v8::MaybeLocal<v8::Promise> ImportDynamically(
      v8::Local<v8::Context> context, v8::Local<v8::Data> /*options*/,
      v8::Local<v8::Value> referrer, v8::Local<v8::String> specifier,
      v8::Local<v8::FixedArray> /*attributes*/) {
#if SW_V8_AT_LEAST(14, 0)
    v8::Isolate* isolate = v8::Isolate::GetCurrent();
#else
    v8::Isolate* isolate = context->GetIsolate();
#endif
    v8::Local<v8::Promise::Resolver> resolver;
    if (!v8::Promise::Resolver::New(context).ToLocal(&resolver)) return {};
    ModuleLoader* loader = g_find(isolate);
    v8::TryCatch caught(isolate);
    v8::Local<v8::Value> outcome;
    if (loader != nullptr) {
      const std::string url = ToUtf8(isolate, referrer);
      const auto importer = ResolveFile(url, "");
      const std::string name = ToUtf8(isolate, specifier);
      const auto path = ResolveFile(name, importer.value_or(""));
      if (!path) {
        Throw(isolate, CannotResolve(name, importer ? &*importer : nullptr));
      } else if (loader->Import(context, *path).ToLocal(&outcome)) {
        if (resolver->Resolve(context, outcome).IsNothing()) return {};
        return resolver->GetPromise();
      }
    }
    if (caught.HasTerminated()) return {};
    const v8::Local<v8::Value> reason =
        caught.HasCaught() ? caught.Exception()
                           : v8::Local<v8::Value>(v8::Undefined(isolate));
    if (resolver->Reject(context, reason).IsNothing()) return {};
    return resolver->GetPromise();
  }

  static void FillMeta(v8::Local<v8::Context> context,
                       v8::Local<v8::Module> module,
                       v8::Local<v8::Object> meta) {
#if SW_V8_AT_LEAST(14, 0)
    v8::Isolate* isolate = v8::Isolate::GetCurrent();
#else
    v8::Isolate* isolate = context->GetIsolate();
#endif
    ModuleLoader* loader = g_find(isolate);
    const std::string* path =
        loader == nullptr ? nullptr : loader->PathOf(module);
    if (path == nullptr) return;
    const auto slash = path->find_last_of("/\\");
    Define(isolate, context, meta, "url", FileUrl(*path));
    Define(isolate, context, meta, "filename", *path);
    Define(isolate, context, meta, "dirname",
           path->substr(0, slash == 0 ? 1 : slash));
  }

  static void Define(v8::Isolate* isolate, v8::Local<v8::Context> context,
                     v8::Local<v8::Object> meta, const char* name,
                     const std::string& value) {
    v8::Local<v8::String> key;
    v8::Local<v8::String> text;
    if (ToV8(isolate, name).ToLocal(&key) &&
        ToV8(isolate, value).ToLocal(&text)) {
      // Fails only while execution is being terminated.
      (void)meta->CreateDataProperty(context, key, text);
    }
  }

  static std::string CannotResolve(const std::string& specifier,
                                   const std::string* importer) {
    return "cannot resolve module \"" + specifier + "\"" +
           (importer == nullptr ? std::string() : " imported by " + *importer) +
           ": worker isolates load files by relative path, absolute path or "
           "file: URL";
  }
};

void ModuleLoader::Install(v8::Isolate* isolate, Finder finder) {
  g_find = finder;
  isolate->SetHostImportModuleDynamicallyCallback(
      ModuleCallbacks::ImportDynamically);
  isolate->SetHostInitializeImportMetaObjectCallback(ModuleCallbacks::FillMeta);
}

v8::MaybeLocal<v8::Value> ModuleLoader::ImportEntry(
    v8::Local<v8::Context> context, v8::Local<v8::String> path) {
  return Import(context, ToUtf8(isolate_, path));
}

v8::MaybeLocal<v8::Value> ModuleLoader::Import(v8::Local<v8::Context> context,
                                               const std::string& path) {
  v8::Local<v8::Module> module;
  if (!Load(context, path).ToLocal(&module)) return {};
  if (module->GetStatus() == v8::Module::kUninstantiated &&
      !module->InstantiateModule(context, ModuleCallbacks::Resolve)
           .FromMaybe(false)) {
    return {};
  }
  if (module->GetStatus() == v8::Module::kErrored) {
    isolate_->ThrowException(module->GetException());
    return {};
  }
  v8::Local<v8::Value> evaluated;
  if (!module->Evaluate(context).ToLocal(&evaluated)) return {};
  // The promise of top-level await, followed by the namespace.
  v8::Local<v8::Value> space = module->GetModuleNamespace();
  if (!evaluated->IsPromise()) return space;
  v8::Local<v8::Function> give;
  v8::Local<v8::Promise> promise;
  if (!v8::Function::New(
           context,
           [](const v8::FunctionCallbackInfo<v8::Value>& info) {
             info.GetReturnValue().Set(info.Data());
           },
           space)
           .ToLocal(&give) ||
      !evaluated.As<v8::Promise>()->Then(context, give).ToLocal(&promise)) {
    return {};
  }
  return promise;
}

v8::MaybeLocal<v8::Module> ModuleLoader::Load(v8::Local<v8::Context> context,
                                              const std::string& path) {
  (void)context;
  const auto known = by_path_.find(path);
  if (known != by_path_.end()) return known->second.Get(isolate_);
  std::string content;
  switch (ReadFile(path, max_module_bytes_, &content)) {
    case ReadResult::kOk:
      break;
    case ReadResult::kMissing:
      Throw(isolate_, "cannot find module " + path);
      return {};
    case ReadResult::kTooLarge:
      Throw(isolate_, "module is larger than maxModuleBytes: " + path);
      return {};
  }
  v8::Local<v8::String> text;
  v8::Local<v8::String> url;
  if (!ToV8(isolate_, content).ToLocal(&text) ||
      !ToV8(isolate_, FileUrl(path)).ToLocal(&url)) {
    return {};
  }
  const std::string key = CacheKey(path, content);
  CodeCache::Data cached = CodeCache::Get().Lookup(key);
  auto* data = cached == nullptr
                   ? nullptr
                   : new v8::ScriptCompiler::CachedData(
                         cached->data(), static_cast<int>(cached->size()),
                         v8::ScriptCompiler::CachedData::BufferNotOwned);
  v8::ScriptCompiler::Source source(text, MakeOrigin(isolate_, url, 0, 0, true),
                                    data);
  v8::Local<v8::Module> module;
  if (!v8::ScriptCompiler::CompileModule(
           isolate_, &source,
           data == nullptr ? v8::ScriptCompiler::kNoCompileOptions
                           : v8::ScriptCompiler::kConsumeCodeCache)
           .ToLocal(&module)) {
    return {};
  }
  by_path_[path].Reset(isolate_, module);
  paths_by_hash_.emplace(module->GetIdentityHash(), path);
  if (cached == nullptr && content.size() >= kWorthCaching) {
    std::unique_ptr<v8::ScriptCompiler::CachedData> made(
        v8::ScriptCompiler::CreateCodeCache(module->GetUnboundModuleScript()));
    CodeCache::Get().Store(key, made.get());
  }
  return module;
}

const std::string* ModuleLoader::PathOf(v8::Local<v8::Module> module) const {
  const auto range = paths_by_hash_.equal_range(module->GetIdentityHash());
  for (auto it = range.first; it != range.second; ++it) {
    const auto found = by_path_.find(it->second);
    if (found != by_path_.end() && found->second == module) {
      return &found->first;
    }
  }
  return nullptr;
}

}  // namespace sloppy::workers

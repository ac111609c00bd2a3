#include "isolate/modules/module_loader.h"

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "isolate/modules/file_path.h"
#include "isolate/modules/module_callbacks.h"
#include "isolate/modules/syntax_error.h"
#include "isolate/modules/v8_text.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// The same for all threads, each of which sets it.
std::atomic<ModuleLoader::Finder> g_find = nullptr;

// The name before it is compiled; empty if it has no such name.
std::string UncompiledName(const std::string& name) {
  for (const char* end : {".js", ".mjs", ".cjs"}) {
    if (!name.ends_with(end)) continue;
    std::string source = name;
    return source.replace(source.size() - 2, 1, "t");
  }
  return {};
}

bool IsTypeScript(std::string_view importer) {
  const std::string_view path =
      importer.substr(0, importer.find_first_of("?#"));
  return path.ends_with(".ts") || path.ends_with(".mts") ||
         path.ends_with(".cts");
}

// The file of an import that leads to `path`; nullopt if there is none. Builds
// for bundlers leave out extensions, which only packages may.
std::optional<std::string> FileMeant(const std::string& path,
                                     const std::string& importer) {
  const auto real_file = [](const std::string& file) {
    auto real = RealPath(file);
    return real && KindOfFile(*real) == FileKind::kFile ? real : std::nullopt;
  };
  auto found = real_file(path);
  if (found || importer.find("node_modules") == std::string::npos) return found;
  for (const char* end : {".js", ".mjs", ".cjs", "/index.js", "/index.mjs"}) {
    found = real_file(path + end);
    if (found) break;
  }
  return found;
}

ModuleLoader* LoaderOf(v8::Isolate* isolate) {
  return g_find.load(std::memory_order_relaxed)(isolate);
}

// `specifier` as it had to be for a file that is there; empty if there is none.
std::string Correction(const std::string& specifier, const std::string& path) {
  for (const char* end : {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json",
                          "/index.js", "/index.mjs", "/index.ts"}) {
    if (KindOfFile(path + end) == FileKind::kFile) return specifier + end;
  }
  // TypeScript's compiler has the names of what it makes.
  const std::string source = UncompiledName(path);
  if (!source.empty() && KindOfFile(source) == FileKind::kFile) {
    return UncompiledName(specifier);
  }
  return {};
}

std::string NotFound(const std::string& specifier, const std::string& path,
                     const std::string& importer) {
  std::string text = "Cannot find module '" + path + "'";
  if (!importer.empty()) text += " imported from " + importer;
  const std::string meant = Correction(specifier, path);
  return meant.empty() ? text : text + "; did you mean '" + meant + "'?";
}

}  // namespace

void ModuleLoader::Install(v8::Isolate* isolate, Finder finder) {
  g_find.store(finder, std::memory_order_relaxed);
  isolate->SetHostImportModuleDynamicallyCallback(
      ModuleCallbacks::ImportDynamically);
  isolate->SetHostInitializeImportMetaObjectCallback(ModuleCallbacks::FillMeta);
  isolate->SetPrepareStackTraceCallback(ModuleCallbacks::FormatStack);
}

ModuleLoader* ModuleLoader::Of(v8::Local<v8::Context> context) {
  ModuleLoader* loader = LoaderOf(IsolateOf(context));
  return loader != nullptr && loader->context_ == context ? loader : nullptr;
}

void ModuleLoader::BindTo(v8::Isolate* isolate, v8::Local<v8::Context> context,
                          v8::Local<v8::Object> hooks) {
  ModuleLoader* loader = LoaderOf(isolate);
  if (loader == nullptr) return;
  loader->context_.Reset(isolate, context);
  loader->hooks_.Reset(isolate, hooks);
}

v8::MaybeLocal<v8::Value> ModuleLoader::CallHook(v8::Local<v8::Context> context,
                                                 const char* name, int argc,
                                                 v8::Local<v8::Value>* argv) {
  v8::Local<v8::String> key;
  v8::Local<v8::Value> hook;
  v8::Local<v8::Object> hooks = hooks_.Get(isolate_);
  if (!ToV8(isolate_, name).ToLocal(&key) ||
      !hooks->Get(context, key).ToLocal(&hook) || !hook->IsFunction()) {
    return {};
  }
  return hook.As<v8::Function>()->Call(context, v8::Undefined(isolate_), argc,
                                       argv);
}

v8::MaybeLocal<v8::Value> ModuleLoader::ImportEntry(
    v8::Local<v8::Context> context, v8::Local<v8::String> path, bool is_main) {
  const std::string name = ToUtf8(isolate_, path);
  std::string url;
  const bool is_url = name.starts_with("data:") || name.starts_with("file:");
  if (!Locate(context, is_url ? name : FileUrl(name), "", &url)) return {};
  if (is_main) main_url_ = url;
  return Import(context, url, Wanted::kCode);
}

bool ModuleLoader::Locate(v8::Local<v8::Context> context,
                          const std::string& specifier,
                          const std::string& importer, std::string* url) {
  const auto from = ResolveFile(importer, "");
  const bool relative =
      specifier.starts_with("./") || specifier.starts_with("../");
  const auto path = relative && !from
                        ? std::nullopt
                        : ResolveFile(specifier, from.value_or(""));
  if (path) {
    if (const auto file = FileMeant(*path, importer)) {
      *url = FileUrl(*file) + UrlSuffix(specifier);
      return true;
    }
    // The resolver knows how TypeScript files may name others.
    if (!IsTypeScript(importer)) {
      ThrowCoded(isolate_, "ERR_MODULE_NOT_FOUND",
                 NotFound(specifier, *path, importer));
      return false;
    }
  }
  v8::Local<v8::String> name;
  v8::Local<v8::String> base;
  v8::Local<v8::Value> found;
  if (!ToV8(isolate_, path.value_or(specifier)).ToLocal(&name) ||
      !ToV8(isolate_, importer).ToLocal(&base)) {
    return false;
  }
  v8::Local<v8::Value> arguments[] = {name, base};
  if (!CallHook(context, "resolve", 2, arguments).ToLocal(&found)) return false;
  *url = ToUtf8(isolate_, found);
  if (path) *url += UrlSuffix(specifier);
  return true;
}

v8::MaybeLocal<v8::Module> ModuleLoader::Load(v8::Local<v8::Context> context,
                                              const std::string& url,
                                              Wanted wanted) {
  auto& record = records_[url];
  v8::Local<v8::Module> module;
  if (record == nullptr) {
    auto made = std::make_unique<Record>();
    made->url = url;
    const bool loaded = Make(context, url, made.get()).ToLocal(&module);
    if (!loaded) {
      records_.erase(url);
      return {};
    }
    made->module.Reset(isolate_, module);
    by_hash_.emplace(module->GetIdentityHash(), made.get());
    records_[url] = std::move(made);
  } else {
    module = record->module.Get(isolate_);
  }
  const bool json = records_[url]->format == Format::kJson;
  if (json == (wanted == Wanted::kJson)) return module;
  if (json) {
    ThrowCoded(
        isolate_, "ERR_IMPORT_ATTRIBUTE_MISSING",
        "Module \"" + url + "\" needs an import attribute of \"type: json\"");
  } else {
    ThrowCoded(isolate_, "ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE",
               "Module \"" + url + "\" is not of type \"json\"");
  }
  return {};
}

v8::MaybeLocal<v8::Module> ModuleLoader::Make(v8::Local<v8::Context> context,
                                              const std::string& url,
                                              Record* record) {
  const auto path = ResolveFile(url, "");
  v8::Local<v8::String> text;
  if (path) {
    record->format = source_.FormatOf(context, *path);
    if (record->format == Format::kModule &&
        !source_.Read(*path).ToLocal(&text)) {
      return {};
    }
  } else {
    record->format = Format::kBuiltin;
  }
  if (record->format == Format::kUnknown) {
    ThrowCoded(isolate_, "ERR_UNKNOWN_FILE_EXTENSION",
               "Unknown file extension for " + *path +
                   ": worker isolates load .js, .mjs, .cjs, .json, .ts, .mts "
                   "and .cts files");
    return {};
  }
  if (text.IsEmpty()) {
    // [format, text | names]: what the loader in JavaScript makes of it.
    v8::Local<v8::String> name;
    v8::Local<v8::Value> opened;
    v8::Local<v8::Value> content;
    v8::Local<v8::Value> format;
    if (!ToV8(isolate_, url).ToLocal(&name)) return {};
    v8::Local<v8::Value> arguments[] = {
        name, v8::Integer::New(isolate_, static_cast<int>(record->format))};
    if (!CallHook(context, "open", 2, arguments).ToLocal(&opened) ||
        !opened->IsObject() ||
        !opened.As<v8::Object>()->Get(context, 0).ToLocal(&format) ||
        !opened.As<v8::Object>()->Get(context, 1).ToLocal(&content)) {
      return {};
    }
    record->format = static_cast<Format>(format.As<v8::Int32>()->Value());
    if (content->IsArray()) {
      record->names.Reset(isolate_, content.As<v8::Array>());
      return MakeSynthetic(context, record);
    }
    text = content.As<v8::String>();
  }
  v8::TryCatch caught(isolate_);
  v8::Local<v8::Module> module;
  if (source_.CompileModule(url, text).ToLocal(&module)) return module;
  ShowPosition(isolate_, context, &caught);
  return {};
}

v8::MaybeLocal<v8::Module> ModuleLoader::MakeSynthetic(
    v8::Local<v8::Context> context, Record* record) {
  v8::Local<v8::Array> list = record->names.Get(isolate_);
  std::vector<v8::Local<v8::String>> names;
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> name;
    if (!list->Get(context, i).ToLocal(&name)) return {};
    names.push_back(name.As<v8::String>());
  }
  v8::Local<v8::String> url;
  if (!ToV8(isolate_, record->url).ToLocal(&url)) return {};
  return NewSyntheticModule(isolate_, url, names,
                            ModuleCallbacks::EvaluateSynthetic);
}

v8::MaybeLocal<v8::Module> ModuleLoader::Link(v8::Local<v8::Context> context,
                                              const std::string& url,
                                              Wanted wanted) {
  v8::Local<v8::Module> module;
  if (!Load(context, url, wanted).ToLocal(&module)) return {};
  if (module->GetStatus() == v8::Module::kUninstantiated) {
    v8::TryCatch caught(isolate_);
    if (!module->InstantiateModule(context, ModuleCallbacks::Resolve)
             .FromMaybe(false)) {
      ShowPosition(isolate_, context, &caught);
      return {};
    }
  }
  if (module->GetStatus() == v8::Module::kErrored) {
    isolate_->ThrowException(module->GetException());
    return {};
  }
  return module;
}

v8::MaybeLocal<v8::Value> ModuleLoader::Import(v8::Local<v8::Context> context,
                                               const std::string& url,
                                               Wanted wanted) {
  v8::Local<v8::Module> module;
  v8::Local<v8::Value> evaluated;
  if (!Link(context, url, wanted).ToLocal(&module)) return {};
  // Its own code imports it, or code that it depends on.
  if (module->GetStatus() == v8::Module::kEvaluating) {
    return ImportLater(context, url);
  }
  const bool done = module->Evaluate(context).ToLocal(&evaluated);
  source_.StoreCompiled();
  if (!done) return {};
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

// V8 ends the process when it is to evaluate what is being evaluated. That is
// over when the microtasks run. Only code gets there, no JSON.
v8::MaybeLocal<v8::Value> ModuleLoader::ImportLater(
    v8::Local<v8::Context> context, const std::string& url) {
  v8::Local<v8::String> text;
  v8::Local<v8::Promise::Resolver> resolver;
  v8::Local<v8::Function> import;
  v8::Local<v8::Promise> promise;
  if (!ToV8(isolate_, url).ToLocal(&text) ||
      !v8::Promise::Resolver::New(context).ToLocal(&resolver) ||
      resolver->Resolve(context, v8::Undefined(isolate_)).IsNothing() ||
      !v8::Function::New(context, ImportAgain, text).ToLocal(&import) ||
      !resolver->GetPromise()->Then(context, import).ToLocal(&promise)) {
    return {};
  }
  return promise;
}

void ModuleLoader::ImportAgain(
    const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  ModuleLoader* loader = Of(context);
  v8::Local<v8::Value> imported;
  if (loader != nullptr &&
      loader->Import(context, ToUtf8(isolate, info.Data()), Wanted::kCode)
          .ToLocal(&imported)) {
    info.GetReturnValue().Set(imported);
  }
}

v8::MaybeLocal<v8::Value> ModuleLoader::ImportNow(
    v8::Local<v8::Context> context, const std::string& url) {
  v8::Local<v8::Module> module;
  v8::Local<v8::Value> evaluated;
  if (!Link(context, url, Wanted::kCode).ToLocal(&module)) return {};
  if (module->IsGraphAsync()) {
    ThrowCoded(isolate_, "ERR_REQUIRE_ASYNC_MODULE",
               "require() cannot load " + url +
                   ", which awaits at its top level; use import()");
    return {};
  }
  if (module->GetStatus() == v8::Module::kInstantiated &&
      !module->Evaluate(context).ToLocal(&evaluated)) {
    return {};
  }
  if (!evaluated.IsEmpty() && evaluated->IsPromise() &&
      evaluated.As<v8::Promise>()->State() == v8::Promise::kRejected) {
    evaluated.As<v8::Promise>()->MarkAsHandled();
    isolate_->ThrowException(evaluated.As<v8::Promise>()->Result());
    return {};
  }
  return module->GetModuleNamespace();
}

const ModuleLoader::Record* ModuleLoader::RecordOf(
    v8::Local<v8::Module> module) const {
  const auto range = by_hash_.equal_range(module->GetIdentityHash());
  for (auto it = range.first; it != range.second; ++it) {
    if (it->second->module == module) return it->second;
  }
  return nullptr;
}

}  // namespace sloppy::workers

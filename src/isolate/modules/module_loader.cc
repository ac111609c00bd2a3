#include "isolate/modules/module_loader.h"

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "isolate/modules/file_path.h"
#include "isolate/modules/module_callbacks.h"
#include "isolate/modules/place_errors.h"
#include "isolate/modules/syntax_error.h"
#include "isolate/modules/v8_text.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// The same for all threads, each of which sets it.
std::atomic<ModuleLoader::Finder> g_find = nullptr;

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

}  // namespace

void ModuleLoader::Install(v8::Isolate* isolate, Finder finder) {
  g_find.store(finder, std::memory_order_relaxed);
  isolate->SetHostImportModuleDynamicallyCallback(
      ModuleCallbacks::ImportDynamically);
#if SW_HAS_IMPORT_PHASES
  isolate->SetHostImportModuleWithPhaseDynamicallyCallback(
      ModuleCallbacks::ImportPhase);
#endif
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

bool ModuleLoader::LocateEntry(v8::Local<v8::Context> context,
                               v8::Local<v8::String> specifier,
                               std::string* url) {
  const std::string name = ToUtf8(isolate_, specifier);
  return Locate(context, name.starts_with('/') ? FileUrl(name) : name, "", url);
}

bool ModuleLoader::LoadEntry(v8::Local<v8::Context> context,
                             v8::Local<v8::String> specifier) {
  std::string url;
  return LocateEntry(context, specifier, &url) &&
         LoadGraph(context, url, Wanted::kCode, Way::kImport);
}

bool ModuleLoader::Foresee(v8::Local<v8::Context> context,
                           v8::Local<v8::String> specifier) {
  std::string url;
  v8::Local<v8::String> name;
  if (!LocateEntry(context, specifier, &url) ||
      !ToV8(isolate_, url).ToLocal(&name)) {
    return false;
  }
  v8::Local<v8::Value> arguments[] = {name};
  return !CallHook(context, "foresee", 1, arguments).IsEmpty();
}

v8::MaybeLocal<v8::Value> ModuleLoader::ImportEntry(
    v8::Local<v8::Context> context, v8::Local<v8::String> path, bool is_main) {
  const std::string name = ToUtf8(isolate_, path);
  std::string url;
  const bool is_url = name.starts_with("data:") || name.starts_with("file:");
  if (!Locate(context, is_url ? name : FileUrl(name), "", &url)) return {};
  if (is_main) main_url_ = url;
  bool loaded = false;
  {
    v8::TryCatch caught(isolate_);
    loaded = LoadGraph(context, url, Wanted::kCode, Way::kImport);
    if (!loaded && (kLoadsDepthFirst || caught.HasTerminated())) {
      caught.ReThrow();
      return {};
    }
  }
  if (!loaded) return ImportInTurn(context, url);
  Record& record = *RecordAt(url);
  v8::Local<v8::Module> module = record.module.Get(isolate_);
  v8::Local<v8::Value> evaluated;
  if (!Instantiate(context, record)) return {};
  MarkEntered(&record);
  if (module->GetStatus() == v8::Module::kErrored) {
    isolate_->ThrowException(module->GetException());
    return {};
  }
  if (!Evaluate(context, record).ToLocal(&evaluated)) return {};
  // The promise of top-level await, followed by the namespace.
  v8::Local<v8::Value> space = module->GetModuleNamespace();
  if (!evaluated->IsPromise()) return space;
  v8::Local<v8::Function> give;
  v8::Local<v8::Promise> promise;
  // A constructor that a program has put in its place does not count.
  if (!evaluated.As<v8::Promise>()
           ->CreateDataProperty(
               context, v8::String::NewFromUtf8Literal(isolate_, "constructor"),
               v8::Undefined(isolate_))
           .FromMaybe(false) ||
      !v8::Function::New(
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

// Until Node 24, which one of several faults an import shows depends on the
// turns in which the files of its graph come.
v8::MaybeLocal<v8::Value> ModuleLoader::ImportInTurn(
    v8::Local<v8::Context> context, const std::string& url) {
  v8::Local<v8::String> name;
  if (!ToV8(isolate_, url).ToLocal(&name)) return {};
  v8::Local<v8::Value> arguments[] = {
      name, v8::String::Empty(isolate_), v8::False(isolate_),
      v8::Integer::New(isolate_, static_cast<int>(Phase::kEvaluation))};
  return CallHook(context, "importLater", 4, arguments);
}

bool ModuleLoader::Locate(v8::Local<v8::Context> context,
                          const std::string& specifier,
                          const std::string& importer, std::string* url) {
  const auto from = ResolveFile(importer, "");
  const bool is_folder = specifier == "." || specifier == "..";
  const std::string place = is_folder ? specifier + "/" : specifier;
  const bool relative = place.starts_with("./") || place.starts_with("../");
  const auto path =
      relative && !from ? std::nullopt : ResolveFile(place, from.value_or(""));
  if (path && RefuseName(isolate_, specifier, *path)) return false;
  if (path) {
    if (const auto file = FileMeant(*path, importer)) {
      *url = FileUrl(*file) + UrlSuffix(specifier);
      return true;
    }
    // The resolver knows how TypeScript files may name others.
    if (!IsTypeScript(importer)) {
      ThrowMissing(isolate_, specifier, *path, importer);
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
    const bool loaded = Make(context, url, wanted, made.get()).ToLocal(&module);
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
  if (!Fits(url, records_[url]->format, wanted)) return {};
  return module;
}

void ModuleLoader::ForgetFailed(const std::string& url) {
  const Record* record = RecordAt(url);
  if (record == nullptr || record->known) return;
  v8::Local<v8::Module> module = record->module.Get(isolate_);
  // Others depend on it.
  if (module->GetStatus() != v8::Module::kUninstantiated) return;
  const auto range = by_hash_.equal_range(module->GetIdentityHash());
  for (auto it = range.first; it != range.second; ++it) {
    if (it->second != record) continue;
    by_hash_.erase(it);
    break;
  }
  records_.erase(url);
}

bool ModuleLoader::Fits(const std::string& url, Format format, Wanted wanted) {
  const bool json = format == Format::kJson;
  if (json == (wanted == Wanted::kJson)) return true;
  if (json) {
    ThrowCoded(
        isolate_, kAttributeMissing,
        "Module \"" + url + "\" needs an import attribute of \"type: json\"",
        ErrorKind::kTypeError);
  } else {
    ThrowCoded(isolate_, kAttributeWrong,
               "Module \"" + url + "\" is not of type \"json\"",
               ErrorKind::kTypeError);
  }
  return false;
}

v8::MaybeLocal<v8::Module> ModuleLoader::Make(v8::Local<v8::Context> context,
                                              const std::string& url,
                                              Wanted wanted, Record* record) {
  const auto path = ResolveFile(url, "");
  v8::Local<v8::String> text;
  if (!path) {
    record->format = Format::kBuiltin;
  } else if (url == required_ && !IsTypeScript(url)) {
    record->format = Format::kModule;
  } else if (!source_.FormatOf(context, *path, &record->format)) {
    return {};
  }
  if (record->format == Format::kUnknown) {
    ThrowCoded(isolate_, "ERR_UNKNOWN_FILE_EXTENSION",
               "Unknown file extension for " + *path +
                   ": worker isolates load .js, .mjs, .cjs, .json, .ts, .mts "
                   "and .cts files",
               ErrorKind::kTypeError);
    return {};
  }
  // This comes before anything says what is wrong with its text, as in Node.
  if (path && !Fits(url, record->format, wanted)) return {};
  if (record->format == Format::kModule &&
      !source_.Read(*path).ToLocal(&text)) {
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

}  // namespace sloppy::workers

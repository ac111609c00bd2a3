#include "isolate/modules/module_source.h"

#include <functional>
#include <memory>
#include <string_view>

#include "isolate/code_cache.h"
#include "isolate/modules/file_path.h"
#include "isolate/modules/v8_text.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// The cache saves more than making it costs from this size on.
constexpr int kWorthCaching = 16384;

std::string FolderOf(const std::string& path) {
  const size_t slash = path.find_last_of("/\\");
  if (slash == std::string::npos) return {};
  return path.substr(0, slash == 0 ? 1 : slash);
}

std::string_view ExtensionOf(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {};
  if (slash != std::string_view::npos && dot <= slash + 1) return {};
  return path.substr(dot);
}

bool IsPackaged(const std::string& path) {
  return path.find("node_modules") != std::string::npos;
}

v8::ScriptCompiler::CachedData* BorrowCode(const CodeCache::Data& cached) {
  if (cached == nullptr) return nullptr;
  return new v8::ScriptCompiler::CachedData(
      cached->data(), static_cast<int>(cached->size()),
      v8::ScriptCompiler::CachedData::BufferNotOwned);
}

// Whether V8 has compiled nothing, because it had cached code and could use it.
bool WasAccepted(const v8::ScriptCompiler::Source& source) {
  const v8::ScriptCompiler::CachedData* data = source.GetCachedData();
  return data != nullptr && !data->rejected;
}

enum class Verdict { kScript, kPerhaps, kModule };

// Judges by the message that V8 gives to the text of a script. As in Node, what
// a module may say and a script may not is a module if it compiles as one.
Verdict VerdictOf(v8::Isolate* isolate, v8::Local<v8::Message> message) {
  v8::String::Utf8Value text(isolate, message->Get());
  if (*text == nullptr) return Verdict::kScript;
  const std::string_view said(*text, static_cast<size_t>(text.length()));
  const auto says = [said](std::string_view part) {
    return said.find(part) != std::string_view::npos;
  };
  for (const std::string_view part :
       {"Cannot use import statement outside a module",
        "Unexpected token 'export'", "Cannot use 'import.meta' outside"}) {
    if (says(part)) return Verdict::kModule;
  }
  for (const std::string_view part :
       {"await is only valid in async functions", "SyntaxError: Unexpected",
        "missing ) after argument list"}) {
    if (says(part)) return Verdict::kPerhaps;
  }
  for (const std::string_view name :
       {"__filename", "__dirname", "module", "exports", "require"}) {
    if (says("Identifier '" + std::string(name) +
             "' has already been declared")) {
      return Verdict::kPerhaps;
    }
  }
  return Verdict::kScript;
}

}  // namespace

v8::MaybeLocal<v8::Object> CodedError(v8::Isolate* isolate, const char* code,
                                      const std::string& message,
                                      ErrorKind kind) {
  v8::Local<v8::String> text;
  v8::Local<v8::String> value;
  if (!ToV8(isolate, message).ToLocal(&text) ||
      !ToV8(isolate, code).ToLocal(&value)) {
    return {};
  }
  v8::Local<v8::Object> error;
  switch (kind) {
    case ErrorKind::kError:
      error = v8::Exception::Error(text).As<v8::Object>();
      break;
    case ErrorKind::kTypeError:
      error = v8::Exception::TypeError(text).As<v8::Object>();
      break;
    case ErrorKind::kSyntaxError:
      error = v8::Exception::SyntaxError(text).As<v8::Object>();
      break;
  }
  // Fails only while execution is being terminated.
  (void)error->CreateDataProperty(
      isolate->GetCurrentContext(),
      v8::String::NewFromUtf8Literal(isolate, "code"), value);
  return error;
}

void ThrowCoded(v8::Isolate* isolate, const char* code,
                const std::string& message, ErrorKind kind) {
  v8::Local<v8::Object> error;
  if (CodedError(isolate, code, message, kind).ToLocal(&error)) {
    isolate->ThrowException(error);
  }
}

ModuleSource::PackageType ModuleSource::TypeIn(
    v8::Local<v8::Context> context, const std::string& manifest) const {
  v8::TryCatch ignore(isolate_);
  v8::Local<v8::String> text;
  v8::Local<v8::Value> value;
  v8::Local<v8::Value> type;
  std::string_view content = manifest;
  if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
  if (!ToV8(isolate_, content).ToLocal(&text) ||
      !v8::JSON::Parse(context, text).ToLocal(&value) || !value->IsObject() ||
      value->IsArray()) {
    return PackageType::kBroken;
  }
  const auto object = value.As<v8::Object>();
  const auto key = v8::String::NewFromUtf8Literal(isolate_, "type");
  if (!object->HasOwnProperty(context, key).FromMaybe(false) ||
      !object->Get(context, key).ToLocal(&type)) {
    return PackageType::kNone;
  }
  v8::String::Utf8Value said(isolate_, type);
  const std::string_view name(*said == nullptr ? "" : *said);
  if (name == "module") return PackageType::kModule;
  return name == "commonjs" ? PackageType::kCommonJs : PackageType::kNone;
}

ModuleSource::PackageType ModuleSource::TypeFor(v8::Local<v8::Context> context,
                                                const std::string& folder) {
  if (folder.empty() || folder.ends_with("node_modules")) {
    return PackageType::kNone;
  }
  const auto known = types_.find(folder);
  if (known != types_.end()) return known->second;
  PackageType type = PackageType::kNone;
  std::string content;
  const std::string path = folder + "/package.json";
  if (ReadFile(path, size_t{1} << 24, &content) == ReadResult::kOk) {
    type = TypeIn(context, content);
  } else {
    const std::string parent = FolderOf(folder);
    if (parent != folder) type = TypeFor(context, parent);
    if (type == PackageType::kBroken) return type;
  }
  // A broken one is told of each time, and may have been mended meanwhile.
  if (type == PackageType::kBroken) {
    if (!isolate_->IsExecutionTerminating()) {
      ThrowCoded(
          isolate_, "ERR_INVALID_PACKAGE_CONFIG",
          "Invalid package config " + path + ": it is no object of JSON");
    }
    return type;
  }
  types_.emplace(folder, type);
  return type;
}

bool ModuleSource::FormatOf(v8::Local<v8::Context> context,
                            const std::string& path, Format* format) {
  const std::string_view extension = ExtensionOf(path);
  *format = Format::kUnknown;
  if (extension == ".mjs") *format = Format::kModule;
  if (extension == ".cjs") *format = Format::kCommonJs;
  if (extension == ".json") *format = Format::kJson;
  if (extension == ".ts" || extension == ".mts" || extension == ".cts") {
    *format = Format::kTypeScript;
  }
  if (extension != ".js" && !extension.empty()) return true;
  switch (TypeFor(context, FolderOf(path))) {
    case PackageType::kBroken:
      return false;
    case PackageType::kModule:
      *format = Format::kModule;
      return true;
    case PackageType::kCommonJs:
      // A file that a package has for bundlers may be a module all the same.
      *format = Format::kCommonJs;
      if (!IsPackaged(path)) return true;
      break;
    case PackageType::kNone:
      break;
  }
  // The loader reports that it cannot be read or compiled.
  v8::TryCatch ignore(isolate_);
  v8::Local<v8::String> text;
  v8::Local<v8::Value> function;
  *format = Format::kModule;
  if (!Read(path).ToLocal(&text)) return true;
  *format = Format::kCommonJs;
  if (!CompileCommonJs(context, path, text).ToLocal(&function)) return true;
  judged_path_ = path;
  judged_text_.Reset(isolate_, text);
  judged_.Reset(isolate_, function);
  if (!function->IsFunction()) *format = Format::kModule;
  return true;
}

bool ModuleSource::FormatOfStripped(v8::Local<v8::Context> context,
                                    const std::string& path,
                                    v8::Local<v8::String> stripped,
                                    Format* format) {
  *format = path.ends_with(".cts") ? Format::kCommonJs : Format::kModule;
  if (path.ends_with(".mts") || path.ends_with(".cts")) return true;
  switch (TypeFor(context, FolderOf(path))) {
    case PackageType::kBroken:
      return false;
    case PackageType::kModule:
      return true;
    case PackageType::kCommonJs:
      *format = Format::kCommonJs;
      return true;
    case PackageType::kNone:
      break;
  }
  v8::TryCatch ignore(isolate_);
  v8::Local<v8::Value> function;
  if (CompileCommonJs(context, path, stripped).ToLocal(&function) &&
      function->IsFunction()) {
    *format = Format::kCommonJs;
  }
  return true;
}

v8::MaybeLocal<v8::String> ModuleSource::Read(const std::string& path) {
  if (path == judged_path_) return judged_text_.Get(isolate_);
  // The option is not for packages: what they take, the heap's limit counts.
  const size_t max_bytes = IsPackaged(path) ? kMaxFileBytes : max_bytes_;
  std::string content;
  switch (ReadFile(path, max_bytes, &content)) {
    case ReadResult::kOk:
      break;
    case ReadResult::kMissing:
      ThrowCoded(isolate_, "ERR_MODULE_NOT_FOUND", "cannot read " + path);
      return {};
    case ReadResult::kTooLarge:
      ThrowCoded(isolate_, "ERR_OUT_OF_RANGE",
                 (max_bytes < kMaxFileBytes
                      ? "module is larger than maxModuleBytes: "
                      : "module is larger than 256 MiB, or than memory: ") +
                     path);
      return {};
  }
  if (content.size() >= kWorthCaching) {
    const SourceStore::Text shared =
        SourceStore::Get().TextOf(isolate_, std::move(content));
    if (shared == nullptr) {
      ThrowCoded(isolate_, "ERR_STRING_TOO_LONG",
                 "module is too large for a string: " + path);
      return {};
    }
    shared_.insert_or_assign(shared->data(), shared);
    return ExternalString(isolate_, shared);
  }
  std::string_view text = content;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return ToV8(isolate_, text);
}

// The key is by content, so that an edited file misses. V8's own hash of a
// string is cheap, seeded per isolate and therefore of no use here.
std::string ModuleSource::CacheKey(const char* kind, const std::string& name,
                                   v8::Local<v8::String> text) const {
  const auto shared = shared_.find(DataOf(text));
  if (shared != shared_.end()) return kind + shared->second->key + ":" + name;
  v8::String::Value units(isolate_, text);
  const std::u16string_view view(reinterpret_cast<const char16_t*>(*units),
                                 static_cast<size_t>(units.length()));
  return std::string(kind) +
         "text:" + std::to_string(std::hash<std::u16string_view>{}(view)) +
         ":" + std::to_string(view.size()) + ":" + name;
}

v8::MaybeLocal<v8::Value> ModuleSource::CompileCommonJs(
    v8::Local<v8::Context> context, const std::string& path,
    v8::Local<v8::String> text) {
  if (path == judged_path_ && judged_text_ == text) {
    return judged_.Get(isolate_);
  }
  v8::Local<v8::String> name;
  if (!ToV8(isolate_, path).ToLocal(&name)) return {};
  v8::Local<v8::String> parameters[] = {
      v8::String::NewFromUtf8Literal(isolate_, "exports"),
      v8::String::NewFromUtf8Literal(isolate_, "require"),
      v8::String::NewFromUtf8Literal(isolate_, "module"),
      v8::String::NewFromUtf8Literal(isolate_, "__filename"),
      v8::String::NewFromUtf8Literal(isolate_, "__dirname")};
  const bool large = text->Length() >= kWorthCaching;
  const std::string key =
      large ? CacheKey("commonjs:", path, text) : std::string();
  const CodeCache::Data cached = large ? compiled_.Find(key) : nullptr;
  v8::ScriptCompiler::Source source(
      text, MakeOrigin(isolate_, name, 0, 0, false), BorrowCode(cached));
  v8::TryCatch caught(isolate_);
  v8::Local<v8::Function> function;
  if (!v8::ScriptCompiler::CompileFunction(
           context, &source, std::size(parameters), parameters, 0, nullptr,
           cached == nullptr ? v8::ScriptCompiler::kNoCompileOptions
                             : v8::ScriptCompiler::kConsumeCodeCache)
           .ToLocal(&function)) {
    const Verdict verdict = caught.Message().IsEmpty()
                                ? Verdict::kScript
                                : VerdictOf(isolate_, caught.Message());
    if (verdict == Verdict::kModule ||
        (verdict == Verdict::kPerhaps && IsModule(name, text))) {
      return v8::Undefined(isolate_);
    }
    caught.ReThrow();
    return {};
  }
  NoteSourceMap(path, function->GetScriptOrigin().SourceMapUrl());
  if (large) {
    const bool accepted = WasAccepted(source);
    compiled_.Count(cached != nullptr, accepted);
    if (!accepted) compiled_.Add(key, function);
  }
  return function;
}

bool ModuleSource::IsModule(v8::Local<v8::String> name,
                            v8::Local<v8::String> text) {
  v8::TryCatch ignore(isolate_);
  v8::ScriptCompiler::Source source(
      text, MakeOrigin(isolate_, name, 0, 0, true), nullptr);
  return !v8::ScriptCompiler::CompileModule(isolate_, &source).IsEmpty();
}

v8::MaybeLocal<v8::Module> ModuleSource::CompileModule(
    const std::string& url, v8::Local<v8::String> text) {
  v8::Local<v8::String> name;
  if (!ToV8(isolate_, url).ToLocal(&name)) return {};
  const bool large = text->Length() >= kWorthCaching;
  const std::string key =
      large ? CacheKey("module:", url, text) : std::string();
  const CodeCache::Data cached = large ? compiled_.Find(key) : nullptr;
  v8::ScriptCompiler::Source source(
      text, MakeOrigin(isolate_, name, 0, 0, true), BorrowCode(cached));
  v8::Local<v8::Module> module;
  if (!v8::ScriptCompiler::CompileModule(
           isolate_, &source,
           cached == nullptr ? v8::ScriptCompiler::kNoCompileOptions
                             : v8::ScriptCompiler::kConsumeCodeCache)
           .ToLocal(&module)) {
    return {};
  }
  NoteSourceMap(url, module->GetUnboundModuleScript()->GetSourceMappingURL());
  if (large) {
    const bool accepted = WasAccepted(source);
    compiled_.Count(cached != nullptr, accepted);
    if (!accepted) compiled_.Add(key, module->GetUnboundModuleScript());
  }
  return module;
}

void ModuleSource::NoteSourceMap(const std::string& name,
                                 v8::Local<v8::Value> url) {
  if (url.IsEmpty() || !url->IsString()) return;
  v8::Local<v8::String> text = url.As<v8::String>();
  if (text->Length() == 0) return;
  // A long one has the map itself in it, which stays in the file.
  constexpr int kMaxUrl = 4096;
  source_maps_[name] =
      text->Length() > kMaxUrl ? "data:" : ToUtf8(isolate_, text);
}

std::string ModuleSource::SourceMapUrlOf(const std::string& name) const {
  const auto found = source_maps_.find(name);
  return found == source_maps_.end() ? std::string() : found->second;
}

void ModuleSource::StoreCompiled() {
  judged_path_.clear();
  judged_text_.Reset();
  judged_.Reset();
  shared_.clear();
  compiled_.StoreNew();
}

}  // namespace sloppy::workers

#include "isolate/modules/module_callbacks.h"

#include <string>

#include "isolate/modules/file_path.h"
#include "isolate/modules/syntax_error.h"
#include "isolate/modules/v8_text.h"
#include "isolate/modules/vm_origin.h"
#include "isolate/v8_compat.h"
#include "isolate/vm_context.h"

namespace sloppy::workers {
namespace {

// The code of a function that was sent to the pool, and what a CommonJS file
// compiles later, are named by no URL.
std::string UrlOfReferrer(const std::string& name) {
  if (name.starts_with("file://") || name.starts_with("data:")) return name;
  const auto path = ResolveFile(name, "");
  return path ? FileUrl(*path) : std::string();
}

void Define(v8::Isolate* isolate, v8::Local<v8::Context> context,
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

// The stack as V8 formats it, if nobody has changed built-ins.
v8::MaybeLocal<v8::Value> PlainStack(v8::Local<v8::Context> context,
                                     v8::Local<v8::Value> error,
                                     v8::Local<v8::Array> sites) {
  v8::Isolate* isolate = IsolateOf(context);
  std::string text = ToUtf8(isolate, error);
  for (uint32_t i = 0; i < sites->Length(); ++i) {
    v8::Local<v8::Value> site;
    if (!sites->Get(context, i).ToLocal(&site)) return {};
    text += "\n    at " + ToUtf8(isolate, site);
  }
  v8::Local<v8::String> stack;
  if (!ToV8(isolate, text).ToLocal(&stack)) return {};
  return stack;
}

// V8 ends the process when a callback gives nothing and throws nothing.
void ThrowUnlinked(v8::Isolate* isolate, const std::string& what) {
  ThrowCoded(isolate, "ERR_VM_MODULE_LINK_FAILURE",
             what + " belongs to a graph of modules that could not be loaded");
}

// Throws when code of node:vm may not import.
bool RefusesImport(v8::Isolate* isolate, v8::Local<v8::Data> host_options) {
  switch (ImportsOf(isolate, host_options)) {
    case VmImports::kOfProgram:
      return false;
    case VmImports::kNone:
      ThrowCoded(isolate, "ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING",
                 "A dynamic import callback was not specified.",
                 ErrorKind::kTypeError);
      return true;
    case VmImports::kWithoutFlag:
      ThrowCoded(isolate, "ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG",
                 "A dynamic import callback was invoked without "
                 "--experimental-vm-modules",
                 ErrorKind::kTypeError);
      return true;
  }
  return true;
}

void ThrowNoSource(v8::Isolate* isolate, const std::string& url) {
  ThrowCoded(
      isolate, "ERR_SOURCE_PHASE_NOT_DEFINED",
      "Source phase import object is not defined for module '" + url + "'",
      ErrorKind::kSyntaxError);
}

}  // namespace

void ModuleCallbacks::ReadAttributes(v8::Local<v8::Context> context,
                                     v8::Local<v8::FixedArray> attributes,
                                     int stride, Wanted* wanted,
                                     std::string* refusal) {
  v8::Isolate* isolate = IsolateOf(context);
  *wanted = Wanted::kCode;
  for (int i = 0; i + 1 < attributes->Length(); i += stride) {
    const std::string key = ToUtf8(isolate, ItemOf(context, attributes, i));
    const std::string value =
        ToUtf8(isolate, ItemOf(context, attributes, i + 1));
    if (key == "type" && value == "json") {
      *wanted = Wanted::kJson;
      continue;
    }
    *refusal = "import attribute \"" + key + "\" with value \"" + value +
               "\" is not supported";
    // The first word tells AttributeError() of a type.
    if (key == "type") *refusal = "type: " + *refusal;
    return;
  }
}

v8::MaybeLocal<v8::Object> ModuleCallbacks::AttributeError(
    v8::Isolate* isolate, const std::string& refusal) {
  const bool is_type = refusal.starts_with("type: ");
  return CodedError(
      isolate, is_type ? kTypeUnsupported : "ERR_IMPORT_ATTRIBUTE_UNSUPPORTED",
      is_type ? refusal.substr(6) : refusal, ErrorKind::kTypeError);
}

v8::MaybeLocal<v8::Module> ModuleCallbacks::Resolve(
    v8::Local<v8::Context> context, v8::Local<v8::String> specifier,
    v8::Local<v8::FixedArray> attributes, v8::Local<v8::Module> referrer) {
  ModuleLoader* loader = ModuleLoader::Of(context);
  if (loader == nullptr) return {};
  // V8 hands what is thrown in here to the nearest TryCatch, which must not
  // be one around the linking: then it would miss it.
  v8::TryCatch caught(loader->isolate_);
  auto* record = loader->RecordOf(referrer);
  if (record == nullptr) {
    ThrowUnlinked(loader->isolate_, ToUtf8(loader->isolate_, specifier));
  }
  Wanted wanted;
  std::string refusal;
  std::string url;
  v8::Local<v8::Module> module;
  ReadAttributes(context, attributes, 3, &wanted, &refusal);
  if (record != nullptr &&
      loader->LocateFor(context, record, ToUtf8(loader->isolate_, specifier),
                        &url) &&
      loader->Load(context, url, wanted).ToLocal(&module)) {
    return module;
  }
  caught.ReThrow();
  return {};
}

v8::MaybeLocal<v8::Object> ModuleCallbacks::ResolveSource(
    v8::Local<v8::Context> context, v8::Local<v8::String> specifier,
    v8::Local<v8::FixedArray> /*attributes*/, v8::Local<v8::Module> referrer) {
  ModuleLoader* loader = ModuleLoader::Of(context);
  if (loader == nullptr) return {};
  auto* record = loader->RecordOf(referrer);
  std::string url;
  if (record == nullptr) {
    ThrowUnlinked(loader->isolate_, ToUtf8(loader->isolate_, specifier));
  }
  if (record != nullptr &&
      loader->LocateFor(context, record, ToUtf8(loader->isolate_, specifier),
                        &url)) {
    ThrowNoSource(loader->isolate_, url);
  }
  return {};
}

v8::MaybeLocal<v8::Promise> ModuleCallbacks::ImportDynamically(
    v8::Local<v8::Context> context, v8::Local<v8::Data> options,
    v8::Local<v8::Value> referrer, v8::Local<v8::String> specifier,
    v8::Local<v8::FixedArray> attributes) {
  return Import(context, options, referrer, specifier, attributes, 2);
}

#if SW_HAS_IMPORT_PHASES
v8::MaybeLocal<v8::Promise> ModuleCallbacks::ImportPhase(
    v8::Local<v8::Context> context, v8::Local<v8::Data> options,
    v8::Local<v8::Value> referrer, v8::Local<v8::String> specifier,
    v8::ModuleImportPhase phase, v8::Local<v8::FixedArray> attributes) {
  return Import(context, options, referrer, specifier, attributes,
                OrdinalOf(phase));
}
#endif

v8::MaybeLocal<v8::Promise> ModuleCallbacks::Import(
    v8::Local<v8::Context> context, v8::Local<v8::Data> options,
    v8::Local<v8::Value> referrer, v8::Local<v8::String> specifier,
    v8::Local<v8::FixedArray> attributes, int phase) {
  v8::Isolate* isolate = IsolateOf(context);
  v8::TryCatch caught(isolate);
  v8::Local<v8::Promise> promise;
  if (RefusesImport(isolate, options)) {
    // It has thrown.
  } else if (AskLoader(RealmContextOf(context), referrer, specifier, attributes,
                       phase)
                 .ToLocal(&promise)) {
    return promise;
  }
  v8::Local<v8::Promise::Resolver> resolver;
  if (caught.HasTerminated() ||
      !v8::Promise::Resolver::New(context).ToLocal(&resolver)) {
    return {};
  }
  const v8::Local<v8::Value> reason =
      caught.HasCaught() ? caught.Exception()
                         : v8::Local<v8::Value>(v8::Undefined(isolate));
  if (resolver->Reject(context, reason).IsNothing()) return {};
  return resolver->GetPromise();
}

v8::MaybeLocal<v8::Promise> ModuleCallbacks::AskLoader(
    v8::Local<v8::Context> context, v8::Local<v8::Value> referrer,
    v8::Local<v8::String> specifier, v8::Local<v8::FixedArray> attributes,
    int phase) {
  v8::Isolate* isolate = IsolateOf(context);
  ModuleLoader* loader = ModuleLoader::Of(context);
  v8::Local<v8::String> importer;
  v8::Local<v8::Value> promise;
  Wanted wanted;
  std::string refusal;
  ReadAttributes(context, attributes, 2, &wanted, &refusal);
  v8::Local<v8::Value> form =
      v8::Boolean::New(isolate, wanted == Wanted::kJson);
  v8::Local<v8::Object> error;
  if (!refusal.empty()) {
    if (!AttributeError(isolate, refusal).ToLocal(&error)) return {};
    form = error;
  }
  if (loader == nullptr ||
      !ToV8(isolate, UrlOfReferrer(ToUtf8(isolate, referrer)))
           .ToLocal(&importer)) {
    return {};
  }
  v8::Local<v8::Value> arguments[] = {specifier, importer, form,
                                      v8::Integer::New(isolate, phase)};
  if (!loader->CallHook(context, "importLater", 4, arguments)
           .ToLocal(&promise) ||
      !promise->IsPromise()) {
    return {};
  }
  return promise.As<v8::Promise>();
}

void ModuleCallbacks::FillMeta(v8::Local<v8::Context> context,
                               v8::Local<v8::Module> module,
                               v8::Local<v8::Object> meta) {
  v8::Isolate* isolate = IsolateOf(context);
  ModuleLoader* loader = ModuleLoader::Of(context);
  const auto* record = loader == nullptr ? nullptr : loader->RecordOf(module);
  if (record == nullptr) return;
  const auto path = ResolveFile(record->url, "");
  if (path) {
    const auto slash = path->find_last_of("/\\");
    Define(isolate, context, meta, "dirname",
           path->substr(0, slash == 0 ? 1 : slash));
    Define(isolate, context, meta, "filename", *path);
  }
  // In the order of the alphabet, as in Node. Node 20 has no `main`.
  // Fails only while execution is being terminated.
  (void)meta->CreateDataProperty(
      context, v8::String::NewFromUtf8Literal(isolate, "main"),
      v8::Boolean::New(isolate, record->url == loader->main_url_));
  v8::Local<v8::String> url;
  v8::Local<v8::Function> resolve;
  if (ToV8(isolate, record->url).ToLocal(&url) &&
      v8::Function::New(context, MetaResolve, url, 1,
                        v8::ConstructorBehavior::kThrow)
          .ToLocal(&resolve)) {
    auto name = v8::String::NewFromUtf8Literal(isolate, "resolve");
    resolve->SetName(name);
    (void)meta->CreateDataProperty(context, name, resolve);
  }
  Define(isolate, context, meta, "url", record->url);
}

void ModuleCallbacks::MetaResolve(
    const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Local<v8::Context> context = info.GetIsolate()->GetCurrentContext();
  ModuleLoader* loader = ModuleLoader::Of(context);
  if (loader == nullptr) return;
  v8::Local<v8::Value> arguments[] = {info[0], info.Data()};
  v8::Local<v8::Value> url;
  if (loader->CallHook(context, "metaResolve", 2, arguments).ToLocal(&url)) {
    info.GetReturnValue().Set(url);
  }
}

v8::MaybeLocal<v8::Value> ModuleCallbacks::EvaluateSynthetic(
    v8::Local<v8::Context> context, v8::Local<v8::Module> module) {
  v8::TryCatch caught(IsolateOf(context));
  v8::Local<v8::Value> promise;
  if (SetExports(context, module).ToLocal(&promise)) return promise;
  caught.ReThrow();
  return {};
}

v8::MaybeLocal<v8::Value> ModuleCallbacks::SetExports(
    v8::Local<v8::Context> context, v8::Local<v8::Module> module) {
  v8::Isolate* isolate = IsolateOf(context);
  ModuleLoader* loader = ModuleLoader::Of(context);
  const auto* record = loader == nullptr ? nullptr : loader->RecordOf(module);
  v8::Local<v8::Promise::Resolver> resolver;
  v8::Local<v8::String> url;
  v8::Local<v8::Value> values;
  if (record == nullptr) {
    ThrowUnlinked(isolate, "A module");
    return {};
  }
  if (!ToV8(isolate, record->url).ToLocal(&url)) return {};
  v8::Local<v8::Array> names = record->names.Get(isolate);
  v8::Local<v8::Value> arguments[] = {url, names};
  if (!loader->CallHook(context, "evaluate", 2, arguments).ToLocal(&values) ||
      !v8::Promise::Resolver::New(context).ToLocal(&resolver)) {
    return {};
  }
  for (uint32_t i = 0; i < names->Length(); ++i) {
    v8::Local<v8::Value> name;
    v8::Local<v8::Value> value;
    if (!names->Get(context, i).ToLocal(&name) ||
        !values.As<v8::Object>()->Get(context, i).ToLocal(&value) ||
        module->SetSyntheticModuleExport(isolate, name.As<v8::String>(), value)
            .IsNothing()) {
      return {};
    }
  }
  if (loader->awaiting_ > 0 && !loader->CanAwait(context)) return {};
  if (resolver->Resolve(context, v8::Undefined(isolate)).IsNothing()) {
    return {};
  }
  return resolver->GetPromise();
}

v8::MaybeLocal<v8::Value> ModuleCallbacks::FormatStack(
    v8::Local<v8::Context> context, v8::Local<v8::Value> error,
    v8::Local<v8::Array> sites) {
  v8::Local<v8::Context> realm = RealmContextOf(context);
  ModuleLoader* loader = ModuleLoader::Of(realm);
  // The realm is only just starting, has ended, or is one of the tools'.
  if (loader == nullptr) return PlainStack(context, error, sites);
  v8::Local<v8::Value> arguments[] = {
      error, sites,
      v8::Boolean::New(IsolateOf(context), loader->source().has_source_maps()),
      context->Global()};
  // As in Resolve(): a TryCatch around the reading of the stack would take what
  // is thrown, and V8 11 ends the process without it.
  v8::TryCatch caught(loader->isolate_);
  v8::Local<v8::Value> stack;
  if (loader
          ->CallHook(realm, "formatStack", realm == context ? 3 : 4, arguments)
          .ToLocal(&stack)) {
    return stack;
  }
  caught.ReThrow();
  return {};
}

}  // namespace sloppy::workers

#include "isolate/builtin_script.h"

#include <iterator>
#include <string>

#include "isolate/bootstrap_code.h"
#include "isolate/embedded_code.h"
#include "isolate/globals/host_natives.h"
#include "isolate/modules/module_loader.h"

namespace sloppy::workers {
namespace {

v8::Local<v8::String> Literal(v8::Isolate* isolate, const char* text) {
  return v8::String::NewFromUtf8(isolate, text,
                                 v8::NewStringType::kInternalized)
      .ToLocalChecked();  // Short literals of our own.
}

using Info = v8::FunctionCallbackInfo<v8::Value>;

const EmbeddedSource* FindBundle(const std::string& name) {
  const std::string path = "src/runtime/gen/" + name + ".gen.js";
  for (const EmbeddedSource* source : kEmbeddedSources) {
    if (path == source->name) return source;
  }
  return nullptr;
}

// The parts that DefineLazy hands to ResolveLazy.
enum LazyPart : uint32_t { kResolve, kObject, kAttributes };

// The value of a lazy property: `resolve` called with its name.
//
// V8 makes a plain property of it afterwards, and ends the process if it is no
// lazy one any more. Code that has run meanwhile may have replaced it, so that
// it is defined again; where that cannot be, because it was also locked, an
// exception keeps V8 from touching it.
void ResolveLazy(v8::Local<v8::Name> name,
                 const v8::PropertyCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  auto parts = info.Data().As<v8::Array>();
  v8::Local<v8::Value> arguments[] = {name};
  v8::Local<v8::Value> resolve;
  v8::Local<v8::Value> object;
  v8::Local<v8::Value> attributes;
  v8::Local<v8::Value> value;
  if (!parts->Get(context, kResolve).ToLocal(&resolve) ||
      !parts->Get(context, kObject).ToLocal(&object) ||
      !parts->Get(context, kAttributes).ToLocal(&attributes) ||
      !resolve.As<v8::Function>()
           ->Call(context, v8::Undefined(isolate), 1, arguments)
           .ToLocal(&value)) {
    return;
  }
  const auto kind =
      static_cast<v8::PropertyAttribute>(attributes.As<v8::Int32>()->Value());
  if (object.As<v8::Object>()
          ->SetLazyDataProperty(context, name, ResolveLazy, parts, kind)
          .FromMaybe(false)) {
    info.GetReturnValue().Set(value);
  } else {
    isolate->ThrowException(v8::Exception::TypeError(
        v8::String::NewFromUtf8Literal(isolate, "Cannot redefine property")));
  }
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
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Value> row[] = {info[3], info[0],
                                v8::Integer::New(isolate, attributes)};
  v8::Local<v8::Array> parts = v8::Array::New(isolate, row, std::size(row));
  for (uint32_t i = 0; i < names->Length(); ++i) {
    v8::Local<v8::Value> name;
    if (!names->Get(context, i).ToLocal(&name) ||
        info[0]
            .As<v8::Object>()
            ->SetLazyDataProperty(context, name.As<v8::Name>(), ResolveLazy,
                                  parts, attributes)
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
  const CodeCache::Data cached = CachedCodeOf(*embedded);
  v8::Local<v8::UnboundScript> script;
  v8::Local<v8::Value> make;
  v8::Local<v8::Value> result;
  if (!CompileEmbedded(isolate, *embedded, cached).ToLocal(&script) ||
      !script->BindToCurrentContext()->Run(context).ToLocal(&make) ||
      !make->IsFunction() ||
      !make.As<v8::Function>()
           ->Call(context, v8::Undefined(isolate), argc, argv)
           .ToLocal(&result)) {
    return {};
  }
  if (fresh != nullptr) {
    if (cached == nullptr) *fresh = script;
    return result;
  }
  if (cached == nullptr) StoreCodeOf(*embedded, script);
  if (ModuleLoader* loader = ModuleLoader::Of(context)) {
    loader->bundles().Add(*embedded, script);
  }
  return result;
}

void RememberEmbedded(const std::string& file,
                      v8::Local<v8::UnboundScript> script) {
  StoreCodeOf(*FindBundle(file), script);
}

v8::MaybeLocal<v8::Value> RunBootstrap(v8::Isolate* isolate,
                                       v8::Local<v8::Context> context,
                                       v8::Local<v8::Object> natives,
                                       BootstrapCode* code) {
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Object> runtime =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  v8::Local<v8::Value> arguments[] = {natives, runtime};
  v8::Local<v8::UnboundScript> script;
  v8::Local<v8::Value> bootstrap;
  v8::Local<v8::Value> loading;
  v8::Local<v8::Value> hooks;
  if (!code->Get().ToLocal(&script) ||
      !script->BindToCurrentContext()->Run(context).ToLocal(&bootstrap) ||
      !bootstrap->IsFunction() ||
      bootstrap.As<v8::Function>()
          ->Call(context, v8::Undefined(isolate), 2, arguments)
          .IsEmpty() ||
      !runtime->Get(context, Literal(isolate, "moduleHooks"))
           .ToLocal(&loading) ||
      !loading->IsObject() ||
      !runtime->Get(context, Literal(isolate, "hooks")).ToLocal(&hooks)) {
    return {};
  }
  ModuleLoader::BindTo(isolate, context, loading.As<v8::Object>());
  return scope.Escape(hooks);
}

}  // namespace sloppy::workers

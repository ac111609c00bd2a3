#include "isolate/builtin_script.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "embedded_js.h"
#include "isolate/code_cache.h"
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

// Compiles an embedded source as the body of a function.
v8::MaybeLocal<v8::Function> CompileBody(
    v8::Isolate* isolate, v8::Local<v8::Context> context,
    const EmbeddedSource& embedded,
    std::initializer_list<const char*> parameters) {
  v8::Local<v8::String> text;
  if (!v8::String::NewExternalOneByte(isolate, new EmbeddedText(embedded))
           .ToLocal(&text)) {
    return {};
  }
  std::vector<v8::Local<v8::String>> names;
  for (const char* name : parameters) names.push_back(Literal(isolate, name));
  const std::string key = std::string("builtin:") + embedded.name;
  CodeCache::Data cached = CodeCache::Get().Lookup(key);
  // V8 deletes the CachedData, not the bytes.
  auto* data = cached == nullptr
                   ? nullptr
                   : new v8::ScriptCompiler::CachedData(
                         cached->data(), static_cast<int>(cached->size()),
                         v8::ScriptCompiler::CachedData::BufferNotOwned);
  const std::string name = std::string("sloppy:") + embedded.name;
  v8::ScriptCompiler::Source source(
      text, MakeOrigin(isolate, Literal(isolate, name.c_str()), 0, 0, false),
      data);
  return v8::ScriptCompiler::CompileFunction(
      context, &source, names.size(), names.data(), 0, nullptr,
      data == nullptr ? v8::ScriptCompiler::kNoCompileOptions
                      : v8::ScriptCompiler::kConsumeCodeCache);
}

// After execution, so that the functions it ran are in the cache as well.
void Remember(const EmbeddedSource& embedded, v8::Local<v8::Function> body) {
  const std::string key = std::string("builtin:") + embedded.name;
  if (CodeCache::Get().Lookup(key) != nullptr) return;
  std::unique_ptr<v8::ScriptCompiler::CachedData> data(
      v8::ScriptCompiler::CreateCodeCacheForFunction(body));
  CodeCache::Get().Store(key, data.get());
}

// The parts of the realm's own JavaScript, in the order they build on each
// other; the last one leaves the hooks in `runtime.hooks`.
constexpr const EmbeddedSource* kParts[] = {
    &kRuntimeErrors, &kRuntimeContext, &kRuntimeChannels, &kRuntimeBootstrap};

// The codec's module: runtime.codec = createCodec(native).
bool MakeCodec(v8::Isolate* isolate, v8::Local<v8::Context> context,
               v8::Local<v8::Object> natives, v8::Local<v8::Object> runtime) {
  v8::Local<v8::Function> body;
  v8::Local<v8::Object> module = v8::Object::New(isolate);
  v8::Local<v8::Value> argv[] = {module};
  v8::Local<v8::Value> exports;
  v8::Local<v8::Value> create;
  v8::Local<v8::Value> codec;
  v8::Local<v8::Value> arguments[] = {natives};
  auto undefined = v8::Undefined(isolate);
  if (!CompileBody(isolate, context, kInternalCodec, {"module"})
           .ToLocal(&body) ||
      body->Call(context, undefined, 1, argv).IsEmpty() ||
      !module->Get(context, Literal(isolate, "exports")).ToLocal(&exports) ||
      !exports->IsObject() ||
      !exports.As<v8::Object>()
           ->Get(context, Literal(isolate, "createCodec"))
           .ToLocal(&create) ||
      !create->IsFunction() ||
      !create.As<v8::Function>()
           ->Call(context, undefined, 1, arguments)
           .ToLocal(&codec) ||
      !runtime->Set(context, Literal(isolate, "codec"), codec)
           .FromMaybe(false)) {
    return false;
  }
  Remember(kInternalCodec, body);
  return true;
}

}  // namespace

v8::MaybeLocal<v8::Value> RunBootstrap(v8::Isolate* isolate,
                                       v8::Local<v8::Context> context,
                                       v8::Local<v8::Object> natives) {
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Object> runtime =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  if (!MakeCodec(isolate, context, natives, runtime)) return {};
  v8::Local<v8::Value> arguments[] = {natives, runtime};
  for (const EmbeddedSource* part : kParts) {
    v8::Local<v8::Function> body;
    if (!CompileBody(isolate, context, *part, {"native", "runtime"})
             .ToLocal(&body) ||
        body->Call(context, v8::Undefined(isolate), 2, arguments).IsEmpty()) {
      return {};
    }
    Remember(*part, body);
  }
  v8::Local<v8::Value> hooks;
  if (!runtime->Get(context, Literal(isolate, "hooks")).ToLocal(&hooks)) {
    return {};
  }
  return scope.Escape(hooks);
}

}  // namespace sloppy::workers

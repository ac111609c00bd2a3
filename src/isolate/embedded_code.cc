#include "isolate/embedded_code.h"

#include <utility>

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

std::string CacheKey(const EmbeddedSource& embedded) {
  return std::string("builtin:") + embedded.name;
}

}  // namespace

CodeCache::Data CachedCodeOf(const EmbeddedSource& embedded) {
  return CodeCache::Get().Lookup(CacheKey(embedded));
}

void StoreCodeOf(const EmbeddedSource& embedded,
                 v8::Local<v8::UnboundScript> script) {
  std::unique_ptr<v8::ScriptCompiler::CachedData> data(
      v8::ScriptCompiler::CreateCodeCache(script));
  CodeCache::Get().Store(CacheKey(embedded), data.get());
}

std::unique_ptr<v8::ScriptCompiler::CachedData> Borrow(
    const CodeCache::Data& cached) {
  if (cached == nullptr) return nullptr;
  return std::make_unique<v8::ScriptCompiler::CachedData>(
      cached->data(), static_cast<int>(cached->size()),
      v8::ScriptCompiler::CachedData::BufferNotOwned);
}

v8::MaybeLocal<v8::UnboundScript> CompileEmbedded(
    v8::Isolate* isolate, const EmbeddedSource& embedded,
    const CodeCache::Data& cached,
    std::unique_ptr<v8::ScriptCompiler::ConsumeCodeCacheTask> task) {
  const std::string path = std::string("sloppy:") + embedded.name;
  v8::Local<v8::String> text;
  v8::Local<v8::String> name;
  if (!v8::String::NewExternalOneByte(isolate, new EmbeddedText(embedded))
           .ToLocal(&text) ||
      !v8::String::NewFromUtf8(isolate, path.c_str(),
                               v8::NewStringType::kInternalized)
           .ToLocal(&name)) {
    return {};
  }
  v8::ScriptCompiler::Source source(text,
                                    MakeOrigin(isolate, name, 0, 0, false),
                                    Borrow(cached).release(), task.release());
  return v8::ScriptCompiler::CompileUnboundScript(
      isolate, &source,
      cached == nullptr ? v8::ScriptCompiler::kNoCompileOptions
                        : v8::ScriptCompiler::kConsumeCodeCache);
}

}  // namespace sloppy::workers

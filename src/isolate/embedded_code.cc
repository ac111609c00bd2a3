#include "isolate/embedded_code.h"

#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"
#include "isolate/code_directory.h"
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

// The directory of the process, and what of it is known.
class Kept {
 public:
  static Kept& Get() {
    // Never destroyed: worker threads may outlast static destructors.
    static Kept* const kept = new Kept;
    return *kept;
  }

  void Open(const std::string& path) {
    MutexLock lock(mutex_);
    if (directory_ == nullptr) {
      directory_ = std::make_unique<CodeDirectory>(path, VersionOfCode());
    }
  }

  CodeCache::Data Read(const EmbeddedSource& embedded) {
    MutexLock lock(mutex_);
    if (directory_ == nullptr || bytes_.count(embedded.name) != 0) {
      return nullptr;
    }
    CodeCache::Data read = directory_->Read(FileKey(embedded));
    bytes_[embedded.name] = read == nullptr ? 0 : read->size();
    return read;
  }

  void Write(const EmbeddedSource& embedded) {
    const CodeCache::Data code = CodeCache::Get().Lookup(CacheKey(embedded));
    MutexLock lock(mutex_);
    if (code == nullptr || directory_ == nullptr) return;
    // Jobs differ in what they have compiled of it.
    size_t& known = bytes_[embedded.name];
    if (code->size() <= known + known / 8) return;
    known = code->size();
    directory_->Write(FileKey(embedded), *code);
  }

 private:
  // Other versions of this library have other sources.
  static std::string FileKey(const EmbeddedSource& embedded) {
    const std::string_view text(embedded.data, embedded.size);
    return CacheKey(embedded) + ":" +
           std::to_string(std::hash<std::string_view>{}(text)) + ":" +
           std::to_string(embedded.size);
  }

  // Held while files are read and written, each of them once in a process.
  Mutex mutex_;
  std::unique_ptr<CodeDirectory> directory_ SW_GUARDED_BY(mutex_);
  // The sizes in the directory, by name; 0 for none.
  std::unordered_map<std::string, size_t> bytes_ SW_GUARDED_BY(mutex_);
};

}  // namespace

CodeCache::Data CachedCodeOf(const EmbeddedSource& embedded) {
  const std::string key = CacheKey(embedded);
  CodeCache::Data found = CodeCache::Get().Lookup(key);
  if (found != nullptr) return found;
  found = Kept::Get().Read(embedded);
  if (found != nullptr) CodeCache::Get().Replace(key, found);
  return found;
}

void ReadEmbeddedFrom(const std::string& directory) {
  Kept::Get().Open(directory);
}

void KeepEmbedded() {
  for (const EmbeddedSource* embedded : kEmbeddedSources) {
    Kept::Get().Write(*embedded);
  }
}

void StoreCodeOf(const EmbeddedSource& embedded,
                 v8::Local<v8::UnboundScript> script) {
  std::unique_ptr<v8::ScriptCompiler::CachedData> data(
      v8::ScriptCompiler::CreateCodeCache(script));
  CodeCache::Get().Store(CacheKey(embedded), data.get());
}

void GiveCodeOf(const EmbeddedSource& embedded, CodeCache::Data code) {
  CodeCache::Get().Replace(CacheKey(embedded), std::move(code));
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

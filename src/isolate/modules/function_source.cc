#include "isolate/modules/function_source.h"

#include <array>
#include <atomic>
#include <functional>
#include <iterator>
#include <memory>
#include <string>

#include "isolate/code_cache.h"
#include "isolate/embedded_code.h"
#include "isolate/memory_limit.h"
#include "isolate/payload_v8.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// Longer ones are rare, and their keys would be large.
constexpr size_t kMaxCached = 16384;
// Code of functions, besides their keys: who makes them anew all the time must
// not fill the process.
constexpr size_t kMaxBytes = size_t{2} << 20;

CodeCache& Functions() {
  // Never destroyed: worker threads may outlast static destructors.
  static auto* const cache = new CodeCache(kMaxBytes);
  return *cache;
}

// Whether it was here before: what is compiled once only is not worth keeping.
// Of two whose hashes meet the other may be forgotten.
bool IsSeenAgain(const std::string& key) {
  static std::array<std::atomic<size_t>, 256> seen{};
  const size_t hash = std::hash<std::string>{}(key);
  return seen[hash % seen.size()].exchange(hash) == hash;
}

// The key that a function of that name and source is known by; empty for none.
// V8 keeps the name with the code.
std::string KeyOf(const Entry& entry) {
  const Text& text = entry.text;
  if (text.bytes() > kMaxCached) return {};
  return std::string("function:")
      .append(entry.name)
      .append(1, '\0')
      .append(reinterpret_cast<const char*>(text.data()), text.bytes());
}

// The code comes from the code cache, which the second isolate that compiles it
// puts it into, with all that it has inside.
v8::MaybeLocal<v8::Value> RunCached(v8::Local<v8::Context> context,
                                    v8::Local<v8::String> text,
                                    const v8::ScriptOrigin& origin,
                                    const std::string& key) {
  const bool again = !key.empty() && IsSeenAgain(key);
  const CodeCache::Data cached = again ? Functions().Lookup(key) : nullptr;
  v8::ScriptCompiler::Source source(text, origin, Borrow(cached).release());
  v8::Local<v8::Script> script;
  v8::Local<v8::Value> result;
  if (!v8::ScriptCompiler::Compile(
           context, &source,
           !again              ? v8::ScriptCompiler::kNoCompileOptions
           : cached == nullptr ? v8::ScriptCompiler::kEagerCompile
                               : v8::ScriptCompiler::kConsumeCodeCache)
           .ToLocal(&script) ||
      !script->Run(context).ToLocal(&result)) {
    return {};
  }
  if (again && cached == nullptr) {
    const std::unique_ptr<v8::ScriptCompiler::CachedData> data(
        v8::ScriptCompiler::CreateCodeCache(script->GetUnboundScript()));
    Functions().Store(key, data.get());
  }
  return result;
}

}  // namespace

// The owner has already put the source into the form of an expression
// (lib/entries/function-source.js).
v8::MaybeLocal<v8::Value> CompileSource(v8::Isolate* isolate,
                                        v8::Local<v8::Context> context,
                                        const Entry& entry) {
  v8::Local<v8::String> text;
  v8::Local<v8::String> name;
  if (!CopyText(isolate, entry.text).ToLocal(&text) ||
      !v8::String::NewFromUtf8(isolate, entry.name.data(),
                               v8::NewStringType::kNormal,
                               static_cast<int>(entry.name.size()))
           .ToLocal(&name)) {
    return {};
  }
  // One column for the parenthesis that makes an expression of it; not where
  // a debugger is shown the first line of a file.
  const bool is_line = text->Length() > 0 && entry.text.data()[0] == ' ';
  v8::ScriptOrigin origin =
      MakeOrigin(isolate, name, 0, is_line ? 0 : -1, false);
  return RunCached(context, text, origin, KeyOf(entry));
}

v8::MaybeLocal<v8::Object> MakeEntry(v8::Isolate* isolate,
                                     v8::Local<v8::Context> context,
                                     const Entry& entry,
                                     v8::MaybeLocal<v8::Function> compiled) {
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Value> call;
  v8::Local<v8::Function> function;
  if (compiled.ToLocal(&function)) {
    call = function;
  } else if (entry.kind == Entry::Kind::kFunction) {
    if (!CompileSource(isolate, context, entry).ToLocal(&call)) return {};
  } else {
    v8::Local<v8::String> text;
    if (!CopyText(isolate, entry.text).ToLocal(&text)) return {};
    call = text;
  }
  v8::Local<v8::Name> names[] = {
      v8::String::NewFromUtf8Literal(isolate, "kind"),
      v8::String::NewFromUtf8Literal(isolate, "call"),
      v8::String::NewFromUtf8Literal(isolate, "sees"),
      v8::String::NewFromUtf8Literal(isolate, "share")};
  const MemoryLimit* memory = MemoryLimit::Of(isolate);
  const double share =
      memory == nullptr ? 0 : memory->ShareOf(entry.text.bytes());
  v8::Local<v8::Value> values[] = {
      v8::Integer::New(isolate, static_cast<int>(entry.kind)), call,
      v8::Integer::New(isolate, static_cast<int>(entry.sees)),
      v8::Number::New(isolate, share)};
  // A null prototype: user code may have changed Object.prototype.
  return scope.Escape(v8::Object::New(isolate, v8::Null(isolate), names, values,
                                      std::size(names)));
}

}  // namespace sloppy::workers

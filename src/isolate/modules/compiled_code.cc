#include "isolate/modules/compiled_code.h"

#include <utility>

namespace sloppy::workers {
namespace {

// Making the code of a large module takes some 30 ms, and what jobs need is
// compiled by the first of them.
constexpr int kMaxRounds = 4;
constexpr size_t kWorthWriting = 16;  // A sixteenth more than before.

}  // namespace

CodeCache::Data CompiledCode::Find(const std::string& key) const {
  if (CoverageFlag::IsOn()) return nullptr;
  CodeCache::Data found = CodeCache::Get().Lookup(key);
  if (found != nullptr || !directory_.exists()) return found;
  found = directory_.Read(key);
  if (found != nullptr) CodeCache::Get().Replace(key, found);
  return found;
}

void CompiledCode::Count(bool found, bool accepted) {
  auto& count = accepted ? counts_->hits
                : found  ? counts_->refused
                         : counts_->misses;
  count.fetch_add(1, std::memory_order_relaxed);
}

void CompiledCode::Add(std::string key, v8::Local<v8::Function> function) {
  if (CoverageFlag::IsOn()) return;
  items_.push_back({std::move(key), {isolate_, function}, {}});
}

void CompiledCode::Add(std::string key,
                       v8::Local<v8::UnboundModuleScript> module) {
  if (CoverageFlag::IsOn()) return;
  items_.push_back({std::move(key), {}, {isolate_, module}});
}

CompiledCode::Made CompiledCode::Make(const Item& item) const {
  return Made(
      item.module.IsEmpty()
          ? v8::ScriptCompiler::CreateCodeCacheForFunction(
                item.function.Get(isolate_))
          : v8::ScriptCompiler::CreateCodeCache(item.module.Get(isolate_)));
}

void CompiledCode::StoreNew() {
  v8::HandleScope scope(isolate_);
  for (; new_from_ < items_.size(); ++new_from_) {
    Item& item = items_[new_from_];
    const Made made = Make(item);
    if (made == nullptr) continue;
    item.stored_bytes = static_cast<size_t>(made->length);
    CodeCache::Get().Replace(item.key,
                             std::make_shared<const std::vector<uint8_t>>(
                                 made->data, made->data + made->length));
  }
}

void CompiledCode::StoreGrown() {
  if (items_.empty() || rounds_++ >= kMaxRounds) return;
  v8::HandleScope scope(isolate_);
  for (Item& item : items_) {
    const Made made = Make(item);
    if (made == nullptr) continue;
    const auto bytes = static_cast<size_t>(made->length);
    const bool grown =
        bytes > item.stored_bytes + item.stored_bytes / kWorthWriting;
    if (!grown && (item.in_directory || !directory_.exists())) continue;
    const auto code = std::make_shared<const std::vector<uint8_t>>(
        made->data, made->data + made->length);
    item.stored_bytes = bytes;
    CodeCache::Get().Replace(item.key, code);
    if (directory_.exists()) {
      item.in_directory = directory_.Write(item.key, *code);
    }
  }
}

}  // namespace sloppy::workers

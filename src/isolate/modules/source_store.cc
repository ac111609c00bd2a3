#include "isolate/modules/source_store.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

#include "isolate/bindings/utf8.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// V8 is the decoder, so that malformed bytes become what they always become.
bool Decode(v8::Isolate* isolate, std::string_view utf8, SourceText* text) {
  v8::HandleScope scope(isolate);
  v8::Local<v8::String> decoded;
  if (!v8::String::NewFromUtf8(isolate, utf8.data(), v8::NewStringType::kNormal,
                               static_cast<int>(utf8.size()))
           .ToLocal(&decoded)) {
    return false;
  }
  const auto length = static_cast<size_t>(decoded->Length());
  if (decoded->ContainsOnlyOneByte()) {
    text->narrow.resize(length);
    WriteOneByte(isolate, decoded,
                 reinterpret_cast<uint8_t*>(text->narrow.data()));
  } else {
    text->wide.resize(length);
    WriteTwoByte(isolate, decoded,
                 reinterpret_cast<uint16_t*>(text->wide.data()));
  }
  return true;
}

class Narrow final : public v8::String::ExternalOneByteStringResource {
 public:
  explicit Narrow(SourceStore::Text text) : text_(std::move(text)) {}
  const char* data() const override { return text_->narrow.data(); }
  size_t length() const override { return text_->narrow.size(); }

 private:
  const SourceStore::Text text_;
};

class Wide final : public v8::String::ExternalStringResource {
 public:
  explicit Wide(SourceStore::Text text) : text_(std::move(text)) {}
  const uint16_t* data() const override {
    return reinterpret_cast<const uint16_t*>(text_->wide.data());
  }
  size_t length() const override { return text_->wide.size(); }

 private:
  const SourceStore::Text text_;
};

}  // namespace

const void* SourceText::data() const {
  return wide.empty() ? static_cast<const void*>(narrow.data()) : wide.data();
}

SourceStore& SourceStore::Get() {
  // Never destroyed: worker threads may outlast static destructors.
  static SourceStore* const store = new SourceStore;
  return *store;
}

SourceStore::Text SourceStore::TextOf(v8::Isolate* isolate,
                                      std::string&& content) {
  std::string key = std::to_string(std::hash<std::string_view>{}(content)) +
                    ":" + std::to_string(content.size());
  if (Text known = Find(key)) return known;
  auto made = std::make_shared<SourceText>();
  made->key = std::move(key);
  if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
  if (IsAscii(reinterpret_cast<const uint8_t*>(content.data()),
              content.size())) {
    made->narrow = std::move(content);
  } else if (!Decode(isolate, content, made.get())) {
    return nullptr;
  }
  Keep(made);
  return made;
}

SourceStore::Text SourceStore::Find(const std::string& key) {
  MutexLock lock(mutex_);
  for (auto it = texts_.begin(); it != texts_.end(); ++it) {
    if ((*it)->key != key) continue;
    texts_.splice(texts_.begin(), texts_, it);
    return texts_.front();
  }
  return nullptr;
}

void SourceStore::Keep(const Text& text) {
  if (text->size() > max_bytes_) return;
  MutexLock lock(mutex_);
  texts_.push_front(text);
  bytes_ += text->size();
  while (bytes_ > max_bytes_) {
    bytes_ -= texts_.back()->size();
    texts_.pop_back();
  }
}

v8::MaybeLocal<v8::String> ExternalString(v8::Isolate* isolate,
                                          const SourceStore::Text& text) {
  // V8 owns the resource from a successful call on.
  v8::MaybeLocal<v8::String> made;
  if (text->wide.empty()) {
    auto resource = std::make_unique<Narrow>(text);
    made = v8::String::NewExternalOneByte(isolate, resource.get());
    if (!made.IsEmpty()) (void)resource.release();
  } else {
    auto resource = std::make_unique<Wide>(text);
    made = v8::String::NewExternalTwoByte(isolate, resource.get());
    if (!made.IsEmpty()) (void)resource.release();
  }
  return made;
}

const void* DataOf(v8::Local<v8::String> string) {
  if (string->IsExternalOneByte()) {
    return string->GetExternalOneByteStringResource()->data();
  }
  if (string->IsExternalTwoByte()) {
    return string->GetExternalStringResource()->data();
  }
  return nullptr;
}

}  // namespace sloppy::workers

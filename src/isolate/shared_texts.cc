#include "isolate/shared_texts.h"

#include <atomic>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {

// The strings of ours that the isolate has, by the resource that V8 knows. V8
// 14 frees dead ones on its own threads.
struct SharedTexts::Ledger {
  using Resource = v8::String::ExternalStringResourceBase;

  void Add(const Resource* resource, const Text* text) SW_EXCLUDES(mutex) {
    MutexLock lock(mutex);
    texts.emplace(resource, text);
    bytes.fetch_add(text->bytes(), std::memory_order_relaxed);
  }
  void Remove(const Resource* resource, const Text& text) SW_EXCLUDES(mutex) {
    MutexLock lock(mutex);
    texts.erase(resource);
    bytes.fetch_sub(text.bytes(), std::memory_order_relaxed);
  }
  // nullptr if it is not ours. Good for as long as the string lives.
  const Text* Find(const Resource* resource) SW_EXCLUDES(mutex) {
    MutexLock lock(mutex);
    const auto found = texts.find(resource);
    return found == texts.end() ? nullptr : found->second;
  }

  Mutex mutex;
  std::unordered_map<const Resource*, const Text*> texts SW_GUARDED_BY(mutex);
  std::atomic<size_t> bytes{0};
};

template <typename Resource, typename Unit>
class SharedTexts::External final : public Resource {
 public:
  External(std::shared_ptr<Ledger> ledger, Text text)
      : ledger_(std::move(ledger)), text_(std::move(text)) {
    ledger_->Add(this, &text_);
  }
  ~External() override { ledger_->Remove(this, text_); }
  const Unit* data() const override {
    return reinterpret_cast<const Unit*>(text_.data());
  }
  size_t length() const override { return text_.length(); }

 private:
  const std::shared_ptr<Ledger> ledger_;
  const Text text_;
};

SharedTexts::SharedTexts(v8::Isolate* isolate, bool keeps_own)
    : isolate_(isolate),
      keeps_own_(keeps_own),
      ledger_(std::make_shared<Ledger>()) {}

SharedTexts::~SharedTexts() = default;

size_t SharedTexts::bytes() const {
  return ledger_->bytes.load(std::memory_order_relaxed);
}

bool SharedTexts::Read(v8::Local<v8::String> string, Text* text) {
  const Ledger::Resource* resource = nullptr;
  if (string->IsExternalOneByte()) {
    resource = string->GetExternalOneByteStringResource();
  } else if (string->IsExternalTwoByte()) {
    resource = string->GetExternalStringResource();
  }
  if (resource != nullptr) {
    if (const Text* known = ledger_->Find(resource)) {
      *text = known->Share();
      passes_on_ = true;
      return true;
    }
  }
  const size_t length = static_cast<size_t>(string->Length());
  const bool may_be_known = length >= kRemembered / sizeof(uint16_t);
  for (const Remembered& entry : remembered_) {
    if (!may_be_known) break;
    if (!entry.string.IsEmpty() && entry.string == string) {
      *text = entry.text.Share();
      if (entry.kind == Kind::kCopied && text->bytes() >= kLong) {
        passes_on_ = true;
      }
      return true;
    }
  }
  if (!ReadText(isolate_, string, text)) return false;
  if (keeps_own_ && text->bytes() >= kRemembered) {
    Remember(string, text->Share(), Kind::kMade);
  }
  return true;
}

v8::MaybeLocal<v8::String> SharedTexts::Give(Text* text) {
  const size_t bytes = text->bytes();
  if (bytes < kRemembered) return CopyText(isolate_, *text);
  for (const Remembered& entry : remembered_) {
    if (!entry.string.IsEmpty() && entry.text.SharesBlockWith(*text)) {
      return entry.string.Get(isolate_);
    }
  }
  bool outside = false;
  if (bytes >= kLong) {
    outside = std::exchange(passes_on_, false);
    // V8 is told before the new one: this may collect garbage.
    TellV8(this->bytes() + (outside ? bytes : 0));
  }
  v8::Local<v8::String> string;
  if (!(outside ? GiveOutside(*text) : CopyText(isolate_, *text))
           .ToLocal(&string)) {
    return {};
  }
  Remember(string, text->Share(), outside ? Kind::kOutside : Kind::kCopied);
  return string;
}

v8::MaybeLocal<v8::String> SharedTexts::GiveOutside(const Text& text) {
  // V8 owns the resource from here, and frees it if it cannot use it only
  // when the call succeeded; a failure is out of memory and ends the worker.
  if (text.two_byte()) {
    return v8::String::NewExternalTwoByte(
        isolate_, new External<v8::String::ExternalStringResource, uint16_t>(
                      ledger_, text.Share()));
  }
  return v8::String::NewExternalOneByte(
      isolate_, new External<v8::String::ExternalOneByteStringResource, char>(
                    ledger_, text.Share()));
}

// V8 counts strings outside its heap, but collects no garbage for their sake
// unless it is informed. That is done here, because they may be freed on any
// thread.
void SharedTexts::TellV8(size_t bytes) {
  AdjustExternalMemory(
      isolate_, static_cast<int64_t>(bytes) - static_cast<int64_t>(reported_));
  reported_ = bytes;
}

void SharedTexts::Remember(v8::Local<v8::String> string, Text text, Kind kind) {
  const bool own = kind != Kind::kOutside;
  if (own && text.bytes() > kMaxOwnBytes) return;
  Remembered* entry = ForgetOldest();
  while (own && OwnBytes() + text.bytes() > kMaxOwnBytes) {
    entry = ForgetOldest();
  }
  entry->string.Reset(isolate_, string);
  entry->text = std::move(text);
  entry->kind = kind;
  entry->string.SetWeak(
      entry,
      [](const v8::WeakCallbackInfo<Remembered>& info) {
        Forget(info.GetParameter());
      },
      v8::WeakCallbackType::kParameter);
}

SharedTexts::Remembered* SharedTexts::ForgetOldest() {
  Remembered* entry = &remembered_[oldest_];
  oldest_ = (oldest_ + 1) % kMaxRemembered;
  Forget(entry);
  return entry;
}

void SharedTexts::Forget(Remembered* entry) {
  entry->string.Reset();
  entry->text.Clear();
}

size_t SharedTexts::OwnBytes() const {
  size_t bytes = 0;
  for (const Remembered& entry : remembered_) {
    if (entry.kind != Kind::kOutside) bytes += entry.text.bytes();
  }
  return bytes;
}

bool ReadText(v8::Isolate* isolate, v8::Local<v8::String> string, Text* text) {
  const bool two_byte = !string->IsOneByte();
  uint8_t* to =
      text->Allocate(static_cast<uint32_t>(string->Length()), two_byte);
  if (to == nullptr) return false;
  if (two_byte) {
    WriteTwoByte(isolate, string, reinterpret_cast<uint16_t*>(to));
  } else {
    WriteOneByte(isolate, string, to);
  }
  return true;
}

v8::MaybeLocal<v8::String> CopyText(v8::Isolate* isolate, const Text& text) {
  const int length = static_cast<int>(text.length());
  if (text.two_byte()) {
    return v8::String::NewFromTwoByte(
        isolate, reinterpret_cast<const uint16_t*>(text.data()),
        v8::NewStringType::kNormal, length);
  }
  return v8::String::NewFromOneByte(isolate, text.data(),
                                    v8::NewStringType::kNormal, length);
}

}  // namespace sloppy::workers

#include "isolate/external_text.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// Bytes behind one isolate's texts. V8 14 frees dead ones on its own threads.
using Tally = std::atomic<size_t>;

thread_local std::shared_ptr<Tally> t_live = std::make_shared<Tally>(0);
// What V8 was told of it.
thread_local size_t t_told = 0;

// The memory behind a string, for as long as V8 needs it.
class Block {
 public:
  explicit Block(Text* text)
      : bytes_(text->bytes()), data_(text->Release()), live_(t_live) {
    live_->fetch_add(bytes_, std::memory_order_relaxed);
  }
  ~Block() {
    std::free(data_);
    live_->fetch_sub(bytes_, std::memory_order_relaxed);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  const uint8_t* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  const size_t bytes_;
  uint8_t* const data_;
  const std::shared_ptr<Tally> live_;
};

class OneByteText final : public v8::String::ExternalOneByteStringResource {
 public:
  explicit OneByteText(Text* text) : block_(text) {}
  const char* data() const override {
    return reinterpret_cast<const char*>(block_.data());
  }
  size_t length() const override { return block_.bytes(); }

 private:
  const Block block_;
};

class TwoByteText final : public v8::String::ExternalStringResource {
 public:
  explicit TwoByteText(Text* text) : block_(text) {}
  const uint16_t* data() const override {
    return reinterpret_cast<const uint16_t*>(block_.data());
  }
  size_t length() const override { return block_.bytes() / 2; }

 private:
  const Block block_;
};

}  // namespace

void BeginExternalTexts() {
  t_live = std::make_shared<Tally>(0);
  t_told = 0;
}

v8::MaybeLocal<v8::String> NewExternalText(v8::Isolate* isolate, Text* text) {
  // Before the new one: this may collect garbage. What was freed is only told
  // here because it may have been freed on any thread.
  const size_t bytes = ExternalTextBytes() + text->bytes();
  AdjustExternalMemory(
      isolate, static_cast<int64_t>(bytes) - static_cast<int64_t>(t_told));
  t_told = bytes;
  // V8 owns the resource from here, and frees it if it cannot use it only
  // when the call succeeded; a failure ends the worker.
  if (text->two_byte()) {
    return v8::String::NewExternalTwoByte(isolate, new TwoByteText(text));
  }
  return v8::String::NewExternalOneByte(isolate, new OneByteText(text));
}

size_t ExternalTextBytes() { return t_live->load(std::memory_order_relaxed); }

}  // namespace sloppy::workers

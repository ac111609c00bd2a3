#include "isolate/libraries/input.h"

#include <cstring>

#include "isolate/bindings/utf8.h"
#include "isolate/copy_view.h"
#include "isolate/libraries/output.h"
#include "isolate/v8_compat.h"
#include "payload/block_cache.h"

namespace sloppy::workers {
namespace {

void ThrowTooLong(v8::Isolate* isolate) {
  v8::Local<v8::Object> error =
      v8::Exception::RangeError(
          v8::String::NewFromUtf8Literal(isolate, "data is too long"))
          .As<v8::Object>();
  (void)error
      ->CreateDataProperty(
          isolate->GetCurrentContext(),
          v8::String::NewFromUtf8Literal(isolate, "code"),
          v8::String::NewFromUtf8Literal(isolate, "ERR_OUT_OF_RANGE"))
      .FromMaybe(false);
  isolate->ThrowException(error);
}

}  // namespace

Input::Input(v8::Isolate* isolate, v8::Local<v8::Value> value, size_t most) {
  Read(isolate, value);
  if (!ok_ || size_ <= most) return;
  ok_ = false;
  ThrowTooLong(isolate);
}

void Input::Read(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (value->IsString()) {
    ReadText(isolate, value.As<v8::String>());
  } else if (value->IsArrayBufferView()) {
    ReadView(isolate, value.As<v8::ArrayBufferView>());
  } else if (value->IsArrayBuffer()) {
    auto buffer = value.As<v8::ArrayBuffer>();
    size_ = buffer->ByteLength();
    if (size_ > 0) data_ = static_cast<const uint8_t*>(buffer->Data());
  } else if (value->IsSharedArrayBuffer()) {
    auto buffer = value.As<v8::SharedArrayBuffer>();
    const size_t size = buffer->ByteLength();
    uint8_t* to = Room(isolate, size);
    if (to == nullptr || size == 0) return;
    std::memcpy(to, buffer->Data(), size);
    size_ = size;
  }
}

Input::~Input() {
  if (data_ == small_) {
    Wipe(small_, size_);
  } else if (large_ != nullptr) {
    Wipe(large_, size_);
    BlockCache::Process().Give(large_, large_size_);
  }
}

uint8_t* Input::Room(v8::Isolate* isolate, size_t size) {
  if (size <= kOnStack) return small_;
  large_ = static_cast<uint8_t*>(BlockCache::Process().Take(size));
  if (large_ == nullptr) {
    ok_ = false;
    ThrowNoMemory(isolate);
    return nullptr;
  }
  large_size_ = size;
  data_ = large_;
  return large_;
}

void Input::ReadView(v8::Isolate* isolate,
                     v8::Local<v8::ArrayBufferView> view) {
  const size_t size = view->ByteLength();
  if (size == 0) return;
  if (size > kOnHeap) {
    v8::Local<v8::ArrayBuffer> buffer = view->Buffer();
    if (!buffer->IsSharedArrayBuffer()) {
      data_ = static_cast<const uint8_t*>(buffer->Data()) + view->ByteOffset();
      size_ = size;
      return;
    }
  }
  uint8_t* to = Room(isolate, size);
  if (to == nullptr) return;
  CopyView(view, to, size);
  size_ = size;
}

void Input::ReadText(v8::Isolate* isolate, v8::Local<v8::String> text) {
  const auto length = static_cast<size_t>(text->Length());
  if (length == 0) return;
  if (text->IsOneByte()) {
    // Most texts are ASCII: one copy and one look.
    uint8_t* to = Room(isolate, length);
    if (to == nullptr) return;
    WriteOneBytePart(isolate, text, 0, static_cast<int>(length), to);
    size_ = length;
    if (IsAscii(to, length)) return;
    Wipe(to, length);
    if (large_ != nullptr) {
      BlockCache::Process().Give(large_, large_size_);
      large_ = nullptr;
      data_ = small_;
    }
    size_ = 0;
  }
  const size_t size = Utf8Length(isolate, text);
  uint8_t* to = Room(isolate, size);
  if (to == nullptr) return;
  size_t read = 0;
  size_ = WriteUtf8(isolate, text, reinterpret_cast<char*>(to), size, &read);
}

}  // namespace sloppy::workers

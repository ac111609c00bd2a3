#ifndef SLOPPY_WORKERS_ISOLATE_GLOBALS_VIEW_BYTES_H_
#define SLOPPY_WORKERS_ISOLATE_GLOBALS_VIEW_BYTES_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "isolate/copy_view.h"

namespace sloppy::workers {

// Worker thread, no JavaScript while it lives: the bytes of a view, to read;
// none of any other value.
//
// Those of a small view are copied, because asking for its buffer would move it
// off V8's heap. Those of shared memory are copied, because V8 reads UTF-8
// twice: if another worker changes it in between, V8 writes behind the text
// that it has made room for.
class ViewBytes {
 public:
  explicit ViewBytes(v8::Local<v8::Value> value) {
    if (!value->IsArrayBufferView()) return;
    auto view = value.As<v8::ArrayBufferView>();
    size_ = view->ByteLength();
    if (size_ <= kOnHeap) {
      CopyView(view, small_, size_);
      data_ = small_;
      return;
    }
    v8::Local<v8::ArrayBuffer> buffer = view->Buffer();
    if (!buffer->IsSharedArrayBuffer()) {
      data_ = static_cast<const uint8_t*>(buffer->Data()) + view->ByteOffset();
      return;
    }
    copy_.reset(new (std::nothrow) uint8_t[size_]);
    data_ = copy_.get();
    if (copy_ == nullptr) {
      size_ = 0;
      has_room_ = false;
    } else {
      CopyView(view, copy_.get(), size_);
    }
  }
  ViewBytes(const ViewBytes&) = delete;
  ViewBytes& operator=(const ViewBytes&) = delete;

  // Otherwise there was no memory for the copy; then a RangeError is thrown.
  bool Check(v8::Isolate* isolate) const {
    if (has_room_) return true;
    isolate->ThrowException(v8::Exception::RangeError(
        v8::String::NewFromUtf8Literal(isolate, "no memory for the bytes")));
    return false;
  }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  // V8 keeps arrays of up to this size on its heap.
  static constexpr size_t kOnHeap = 64;

  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  bool has_room_ = true;
  std::unique_ptr<uint8_t[]> copy_;
  uint8_t small_[kOnHeap];
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_GLOBALS_VIEW_BYTES_H_

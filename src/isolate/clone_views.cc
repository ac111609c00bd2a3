#include "isolate/clone_views.h"

#include <cstdlib>
#include <cstring>
#include <memory>

#include "isolate/new_buffer.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

enum class Kind : uint32_t {
  kInt8,
  kUint8,
  kUint8Clamped,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kFloat32,
  kFloat64,
  kBigInt64,
  kBigUint64,
  kDataView,
  kFloat16,
  // The bytes of a Node Buffer; one on a buffer that travels.
  kNodeBytes,
  kNodeBuffer,
  // On a buffer that can be resized, as V8 writes it: only V8 knows whether the
  // view follows the buffer's length.
  kResizable,
};

Kind KindOf(v8::Local<v8::ArrayBufferView> view) {
  if (view->IsUint8Array()) return Kind::kUint8;
  if (view->IsFloat64Array()) return Kind::kFloat64;
  if (view->IsFloat32Array()) return Kind::kFloat32;
  if (view->IsInt32Array()) return Kind::kInt32;
  if (view->IsUint32Array()) return Kind::kUint32;
  if (view->IsInt16Array()) return Kind::kInt16;
  if (view->IsUint16Array()) return Kind::kUint16;
  if (view->IsInt8Array()) return Kind::kInt8;
  if (view->IsUint8ClampedArray()) return Kind::kUint8Clamped;
  if (view->IsBigInt64Array()) return Kind::kBigInt64;
  if (view->IsBigUint64Array()) return Kind::kBigUint64;
  if (view->IsDataView()) return Kind::kDataView;
  return Kind::kFloat16;
}

size_t ElementSize(Kind kind) {
  switch (kind) {
    case Kind::kInt16:
    case Kind::kUint16:
    case Kind::kFloat16:
      return 2;
    case Kind::kInt32:
    case Kind::kUint32:
    case Kind::kFloat32:
      return 4;
    case Kind::kFloat64:
    case Kind::kBigInt64:
    case Kind::kBigUint64:
      return 8;
    default:
      return 1;
  }
}

template <typename Buffer>
v8::MaybeLocal<v8::Object> NewView(Kind kind, Buffer buffer, size_t offset,
                                   size_t length) {
  switch (kind) {
    case Kind::kInt8:
      return v8::Int8Array::New(buffer, offset, length);
    case Kind::kUint8:
    case Kind::kNodeBuffer:
      return v8::Uint8Array::New(buffer, offset, length);
    case Kind::kUint8Clamped:
      return v8::Uint8ClampedArray::New(buffer, offset, length);
    case Kind::kInt16:
      return v8::Int16Array::New(buffer, offset, length);
    case Kind::kUint16:
      return v8::Uint16Array::New(buffer, offset, length);
    case Kind::kInt32:
      return v8::Int32Array::New(buffer, offset, length);
    case Kind::kUint32:
      return v8::Uint32Array::New(buffer, offset, length);
    case Kind::kFloat32:
      return v8::Float32Array::New(buffer, offset, length);
    case Kind::kFloat64:
      return v8::Float64Array::New(buffer, offset, length);
    case Kind::kBigInt64:
      return v8::BigInt64Array::New(buffer, offset, length);
    case Kind::kBigUint64:
      return v8::BigUint64Array::New(buffer, offset, length);
    case Kind::kDataView:
      return v8::DataView::New(buffer, offset, length);
    case Kind::kFloat16:
      return NewFloat16Array(buffer, offset, length);
    default:
      return {};
  }
}

std::shared_ptr<v8::BackingStore> StoreOf(v8::Local<v8::Value> buffer) {
  return buffer->IsSharedArrayBuffer()
             ? buffer.As<v8::SharedArrayBuffer>()->GetBackingStore()
             : buffer.As<v8::ArrayBuffer>()->GetBackingStore();
}

// A buffer is number 0 in the bytes of a single view.
class OneBufferWriter final : public v8::ValueSerializer::Delegate {
 public:
  explicit OneBufferWriter(v8::Isolate* isolate) : isolate_(isolate) {}
  void ThrowDataCloneError(v8::Local<v8::String> message) override {
    isolate_->ThrowException(v8::Exception::Error(message));
  }
  v8::Maybe<uint32_t> GetSharedArrayBufferId(
      v8::Isolate*, v8::Local<v8::SharedArrayBuffer>) override {
    return v8::Just(uint32_t{0});
  }

 private:
  v8::Isolate* const isolate_;
};

class OneBufferReader final : public v8::ValueDeserializer::Delegate {
 public:
  explicit OneBufferReader(v8::Local<v8::Value> buffer) : buffer_(buffer) {}
  v8::MaybeLocal<v8::SharedArrayBuffer> GetSharedArrayBufferFromId(
      v8::Isolate*, uint32_t) override {
    if (!buffer_->IsSharedArrayBuffer()) return {};
    return buffer_.As<v8::SharedArrayBuffer>();
  }

 private:
  const v8::Local<v8::Value> buffer_;
};

void WriteKind(v8::ValueSerializer* serializer, Kind kind) {
  serializer->WriteUint32(static_cast<uint32_t>(kind));
}

v8::Maybe<bool> WriteResizable(v8::Local<v8::Context> context,
                               v8::ValueSerializer* serializer,
                               v8::Local<v8::ArrayBufferView> view,
                               v8::Local<v8::Value> buffer) {
  v8::Isolate* isolate = IsolateOf(context);
  WriteKind(serializer, Kind::kResizable);
  if (serializer->WriteValue(context, buffer).IsNothing()) {
    return v8::Nothing<bool>();
  }
  OneBufferWriter writer(isolate);
  v8::ValueSerializer own(isolate, &writer);
  own.WriteHeader();
  if (!buffer->IsSharedArrayBuffer()) {
    own.TransferArrayBuffer(0, buffer.As<v8::ArrayBuffer>());
  }
  if (own.WriteValue(context, view).IsNothing()) return v8::Nothing<bool>();
  const auto [bytes, size] = own.Release();
  serializer->WriteUint32(static_cast<uint32_t>(size));
  serializer->WriteRawBytes(bytes, size);
  std::free(bytes);
  return v8::Just(true);
}

// Kind, buffer, offset and length.
v8::Maybe<bool> WritePlace(v8::Local<v8::Context> context,
                           v8::ValueSerializer* serializer, Kind kind,
                           v8::Local<v8::ArrayBufferView> view) {
  WriteKind(serializer, kind);
  if (serializer->WriteValue(context, view->Buffer()).IsNothing()) {
    return v8::Nothing<bool>();
  }
  serializer->WriteUint64(view->ByteOffset());
  serializer->WriteUint64(view->ByteLength() / ElementSize(kind));
  return v8::Just(true);
}

v8::MaybeLocal<v8::Object> ReadResizable(v8::Local<v8::Context> context,
                                         v8::ValueDeserializer* deserializer,
                                         v8::Local<v8::Value> buffer) {
  v8::Isolate* isolate = IsolateOf(context);
  uint32_t size;
  const void* bytes;
  if (!deserializer->ReadUint32(&size) ||
      !deserializer->ReadRawBytes(size, &bytes)) {
    return {};
  }
  OneBufferReader reader(buffer);
  v8::ValueDeserializer own(isolate, static_cast<const uint8_t*>(bytes), size,
                            &reader);
  if (!own.ReadHeader(context).FromMaybe(false)) return {};
  if (buffer->IsArrayBuffer()) {
    own.TransferArrayBuffer(0, buffer.As<v8::ArrayBuffer>());
  }
  v8::Local<v8::Value> view;
  if (!own.ReadValue(context).ToLocal(&view) || !view->IsObject()) return {};
  return view.As<v8::Object>();
}

v8::MaybeLocal<v8::Object> ReadNodeBytes(v8::Local<v8::Context> context,
                                         v8::ValueDeserializer* deserializer) {
  uint64_t size;
  const void* bytes;
  if (!deserializer->ReadUint64(&size) ||
      !deserializer->ReadRawBytes(static_cast<size_t>(size), &bytes)) {
    return {};
  }
  v8::Local<v8::ArrayBuffer> buffer;
  if (!NewBuffer(IsolateOf(context), static_cast<size_t>(size))
           .ToLocal(&buffer)) {
    return {};
  }
  if (size != 0) std::memcpy(buffer->Data(), bytes, static_cast<size_t>(size));
  return v8::Uint8Array::New(buffer, 0, static_cast<size_t>(size));
}

v8::MaybeLocal<v8::Object> ReadOnBuffer(v8::Local<v8::Context> context,
                                        v8::ValueDeserializer* deserializer,
                                        Kind kind) {
  v8::Local<v8::Value> buffer;
  if (!deserializer->ReadValue(context).ToLocal(&buffer)) return {};
  const bool is_shared = buffer->IsSharedArrayBuffer();
  if (!is_shared && !buffer->IsArrayBuffer()) return {};
  if (kind == Kind::kResizable) {
    return ReadResizable(context, deserializer, buffer);
  }
  uint64_t offset;
  uint64_t length;
  if (!deserializer->ReadUint64(&offset) ||
      !deserializer->ReadUint64(&length)) {
    return {};
  }
  // A moved buffer may have lost its bytes after it was written.
  const size_t bytes = StoreOf(buffer)->ByteLength();
  if (offset > bytes || length > (bytes - offset) / ElementSize(kind)) {
    return {};
  }
  const auto from = static_cast<size_t>(offset);
  const auto count = static_cast<size_t>(length);
  return is_shared
             ? NewView(kind, buffer.As<v8::SharedArrayBuffer>(), from, count)
             : NewView(kind, buffer.As<v8::ArrayBuffer>(), from, count);
}

}  // namespace

v8::Maybe<bool> WriteView(v8::Local<v8::Context> context,
                          v8::ValueSerializer* serializer,
                          v8::Local<v8::ArrayBufferView> view) {
  const v8::Local<v8::Value> buffer = view->Buffer();
  if (StoreOf(buffer)->IsResizableByUserJavaScript()) {
    return WriteResizable(context, serializer, view, buffer);
  }
  return WritePlace(context, serializer, KindOf(view), view);
}

v8::Maybe<bool> WriteNodeBuffer(v8::Local<v8::Context> context,
                                v8::ValueSerializer* serializer,
                                v8::Local<v8::ArrayBufferView> view,
                                bool whole) {
  if (whole) return WritePlace(context, serializer, Kind::kNodeBuffer, view);
  const size_t size = view->ByteLength();
  WriteKind(serializer, Kind::kNodeBytes);
  serializer->WriteUint64(size);
  serializer->WriteRawBytes(
      static_cast<const char*>(view->Buffer()->Data()) + view->ByteOffset(),
      size);
  return v8::Just(true);
}

v8::MaybeLocal<v8::Object> ReadView(
    v8::Local<v8::Context> context, v8::ValueDeserializer* deserializer,
    std::vector<v8::Global<v8::Value>>* node_buffers) {
  uint32_t number;
  if (!deserializer->ReadUint32(&number)) return {};
  const Kind kind = static_cast<Kind>(number);
  const bool is_node = kind == Kind::kNodeBytes || kind == Kind::kNodeBuffer;
  const v8::MaybeLocal<v8::Object> read =
      kind == Kind::kNodeBytes ? ReadNodeBytes(context, deserializer)
                               : ReadOnBuffer(context, deserializer, kind);
  v8::Local<v8::Object> view;
  if (is_node && read.ToLocal(&view)) {
    node_buffers->emplace_back(IsolateOf(context), view);
  }
  return read;
}

}  // namespace sloppy::workers

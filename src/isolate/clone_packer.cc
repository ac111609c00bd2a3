#include "isolate/clone_packer.h"

#include <cstdlib>

#include "isolate/clone_views.h"
#include "isolate/payload_v8.h"
#include "isolate/v8_properties.h"

namespace sloppy::workers {
namespace {

// V8 asks for twice of what it has.
constexpr size_t kSlack = 4096;

// Buffers of this size that views show are copied once, beside the bytes,
// instead of into them and out again.
constexpr size_t kAside = size_t{16} << 10;

}  // namespace

void Packer::ThrowDataCloneError(v8::Local<v8::String> message) {
  if (refused_ == Refused::kNo) refused_ = Refused::kUnsupported;
  isolate_->ThrowException(v8::Exception::Error(message));
}

v8::Maybe<bool> Packer::WriteHostObject(v8::Isolate* isolate,
                                        v8::Local<v8::Object> object) {
  if (!object->IsArrayBufferView()) {
    ThrowDataCloneError(v8::String::NewFromUtf8Literal(
        isolate, "an object that cannot be cloned"));
    return v8::Nothing<bool>();
  }
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const auto view = object.As<v8::ArrayBufferView>();
  bool is_node_buffer;
  if (!IsNodeBuffer(context, view).To(&is_node_buffer)) {
    return v8::Nothing<bool>();
  }
  SetAside(view, is_node_buffer);
  return is_node_buffer
             ? WriteNodeBuffer(context, serializer_, view, Travels(view))
             : WriteView(context, serializer_, view);
}

#if SW_ASKS_FOR_HOST_OBJECTS
// The most prototypes that are known to lose nothing.
constexpr size_t kKnown = 16;

v8::Maybe<bool> Packer::IsHostObject(v8::Isolate* isolate,
                                     v8::Local<v8::Object> object) {
  const v8::Local<v8::Value> prototype = PrototypeOf(object);
  if (!prototype->IsObject()) return v8::Just(false);
  for (const auto& known : harmless_) {
    if (known == prototype) return v8::Just(false);
  }
  bool is_lossy;
  if (!Ask(isolate->GetCurrentContext(), judges_.is_lossy, prototype)
           .To(&is_lossy)) {
    return v8::Nothing<bool>();
  }
  if (!is_lossy && harmless_.size() < kKnown) {
    harmless_.emplace_back(isolate, prototype);
  }
  return v8::Just(is_lossy);
}
#endif

v8::Maybe<uint32_t> Packer::GetSharedArrayBufferId(
    v8::Isolate*, v8::Local<v8::SharedArrayBuffer> buffer) {
  return v8::Just(Share(buffer));
}

v8::Maybe<uint32_t> Packer::GetWasmModuleTransferId(
    v8::Isolate*, v8::Local<v8::WasmModuleObject> code) {
  has_code_ = true;
  return v8::Just(Share(code));
}

void* Packer::ReallocateBufferMemory(void* old, size_t size, size_t* actual) {
  void* block = nullptr;
  if (static_cast<double>(size) <= 2 * max_bytes_ + kSlack) {
    block = std::realloc(old, size);
  }
  if (block == nullptr) {
    refused_ = Refused::kTooLarge;
  } else {
    *actual = size;
  }
  return block;
}

void Packer::FreeBufferMemory(void* block) { std::free(block); }

v8::Maybe<bool> Packer::Ask(v8::Local<v8::Context> context,
                            v8::Local<v8::Value> judge,
                            v8::Local<v8::Value> value) {
  v8::Local<v8::Value> answer;
  if (!judge.As<v8::Function>()
           ->Call(context, v8::Undefined(IsolateOf(context)), 1, &value)
           .ToLocal(&answer)) {
    return v8::Nothing<bool>();
  }
  return v8::Just(answer->IsTrue());
}

v8::Maybe<bool> Packer::IsNodeBuffer(
    v8::Local<v8::Context> context, v8::Local<v8::ArrayBufferView> view) const {
  if (!view->IsUint8Array()) return v8::Just(false);
  return Ask(context, judges_.is_node_buffer, view);
}

bool Packer::Travels(v8::Local<v8::ArrayBufferView> view) const {
  const v8::Local<v8::Value> buffer = view->Buffer();
  if (buffer->IsSharedArrayBuffer()) return true;
  return IsBeside(buffer);
}

bool Packer::IsBeside(v8::Local<v8::Value> buffer) const {
  for (const auto& moved : moved_) {
    if (moved == buffer) return true;
  }
  for (const auto& aside : aside_) {
    if (aside == buffer) return true;
  }
  return false;
}

void Packer::SetAside(v8::Local<v8::ArrayBufferView> view,
                      bool is_node_buffer) {
  const v8::Local<v8::ArrayBuffer> buffer = view->Buffer();
  const size_t size = buffer->IsSharedArrayBuffer() ? 0 : buffer->ByteLength();
  if (size < kAside || (is_node_buffer && view->ByteLength() < size) ||
      IsBeside(buffer) ||
      buffer->GetBackingStore()->IsResizableByUserJavaScript()) {
    return;
  }
  serializer_->TransferArrayBuffer(
      static_cast<uint32_t>(moved_.size() + aside_.size()), buffer);
  aside_.emplace_back(isolate_, buffer);
}

uint32_t Packer::Share(v8::Local<v8::Object> object) {
  for (size_t i = 0; i < shared_.size(); ++i) {
    if (shared_[i] == object) return static_cast<uint32_t>(i);
  }
  shared_.emplace_back(isolate_, object);
  return static_cast<uint32_t>(shared_.size() - 1);
}

v8::MaybeLocal<v8::Object> Unpacker::ReadHostObject(v8::Isolate* isolate) {
  return ReadView(isolate->GetCurrentContext(), deserializer_, &node_buffers_);
}

v8::MaybeLocal<v8::SharedArrayBuffer> Unpacker::GetSharedArrayBufferFromId(
    v8::Isolate* isolate, uint32_t id) {
  const v8::Local<v8::Value> buffer = SharedAt(isolate, id);
  if (!buffer->IsSharedArrayBuffer()) return {};
  return buffer.As<v8::SharedArrayBuffer>();
}

v8::MaybeLocal<v8::WasmModuleObject> Unpacker::GetWasmModuleFromId(
    v8::Isolate* isolate, uint32_t id) {
  const v8::Local<v8::Value> code = SharedAt(isolate, id);
  if (!code->IsWasmModuleObject()) return {};
  return code.As<v8::WasmModuleObject>();
}

v8::Local<v8::Value> Unpacker::SharedAt(v8::Isolate* isolate,
                                        uint32_t id) const {
  v8::Local<v8::Value> item;
  if (id >= list_->Length() ||
      !list_->Get(isolate->GetCurrentContext(), first_shared_ + id)
           .ToLocal(&item)) {
    return v8::Undefined(isolate);
  }
  return item;
}

}  // namespace sloppy::workers

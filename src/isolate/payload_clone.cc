#include "isolate/payload_clone.h"

#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "isolate/clone_views.h"
#include "isolate/payload_v8.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

// Reasons of lib/protocol/codec/grammar.js (Refusal).
enum class Refused : uint8_t {
  kNo = 0,
  kUnsupported = 1,
  kUnreadable = 4,
  kTooLarge = 5,
};

// V8 asks for twice of what it has.
constexpr size_t kSlack = 4096;

// Bytes that travel as a string of one-byte units, where nothing is beside
// them: that costs neither a buffer nor a list.
constexpr size_t kAsText = 1024;

// Buffers of this size that views show are copied once, beside the bytes,
// instead of into them and out again.
constexpr size_t kAside = size_t{16} << 10;

// What the caller of pack() knows about objects.
struct Judges {
  v8::Local<v8::Value> is_node_buffer;
  v8::Local<v8::Value> is_lossy;
};

class Packer final : public v8::ValueSerializer::Delegate {
 public:
  Packer(v8::Isolate* isolate, const Judges& judges, double max_bytes)
      : isolate_(isolate), judges_(judges), max_bytes_(max_bytes) {}

  void set_serializer(v8::ValueSerializer* serializer) {
    serializer_ = serializer;
  }
  std::vector<v8::Local<v8::ArrayBuffer>>& moved() { return moved_; }
  const std::vector<v8::Global<v8::ArrayBuffer>>& aside() const {
    return aside_;
  }
  const std::vector<v8::Global<v8::SharedArrayBuffer>>& shared() const {
    return shared_;
  }
  Refused refused() const { return refused_; }

  void ThrowDataCloneError(v8::Local<v8::String> message) override {
    if (refused_ == Refused::kNo) refused_ = Refused::kUnsupported;
    isolate_->ThrowException(v8::Exception::Error(message));
  }

  v8::Maybe<bool> WriteHostObject(v8::Isolate* isolate,
                                  v8::Local<v8::Object> object) override {
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
  static constexpr size_t kKnown = 16;

  bool HasCustomHostObject(v8::Isolate*) override { return true; }

  v8::Maybe<bool> IsHostObject(v8::Isolate* isolate,
                               v8::Local<v8::Object> object) override {
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

  v8::Maybe<uint32_t> GetSharedArrayBufferId(
      v8::Isolate*, v8::Local<v8::SharedArrayBuffer> buffer) override {
    for (size_t i = 0; i < shared_.size(); ++i) {
      if (shared_[i] == buffer) return v8::Just(static_cast<uint32_t>(i));
    }
    shared_.emplace_back(isolate_, buffer);
    return v8::Just(static_cast<uint32_t>(shared_.size() - 1));
  }

  void* ReallocateBufferMemory(void* old, size_t size,
                               size_t* actual) override {
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

  void FreeBufferMemory(void* block) override { std::free(block); }

 private:
  static v8::Maybe<bool> Ask(v8::Local<v8::Context> context,
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

  v8::Maybe<bool> IsNodeBuffer(v8::Local<v8::Context> context,
                               v8::Local<v8::ArrayBufferView> view) const {
    if (!view->IsUint8Array()) return v8::Just(false);
    return Ask(context, judges_.is_node_buffer, view);
  }

  bool Travels(v8::Local<v8::ArrayBufferView> view) const {
    const v8::Local<v8::Value> buffer = view->Buffer();
    if (buffer->IsSharedArrayBuffer()) return true;
    return IsBeside(buffer);
  }

  bool IsBeside(v8::Local<v8::Value> buffer) const {
    for (const auto& moved : moved_) {
      if (moved == buffer) return true;
    }
    for (const auto& aside : aside_) {
      if (aside == buffer) return true;
    }
    return false;
  }

  // Not the buffer of a Node Buffer that shows a part of it.
  void SetAside(v8::Local<v8::ArrayBufferView> view, bool is_node_buffer) {
    const v8::Local<v8::ArrayBuffer> buffer = view->Buffer();
    const size_t size =
        buffer->IsSharedArrayBuffer() ? 0 : buffer->ByteLength();
    if (size < kAside || (is_node_buffer && view->ByteLength() < size) ||
        IsBeside(buffer) ||
        buffer->GetBackingStore()->IsResizableByUserJavaScript()) {
      return;
    }
    serializer_->TransferArrayBuffer(
        static_cast<uint32_t>(moved_.size() + aside_.size()), buffer);
    aside_.emplace_back(isolate_, buffer);
  }

  v8::Isolate* const isolate_;
  const Judges judges_;
  const double max_bytes_;
  v8::ValueSerializer* serializer_ = nullptr;
  std::vector<v8::Local<v8::ArrayBuffer>> moved_;
  // Globals, because handles of the serializer's own scopes do not outlive it.
  std::vector<v8::Global<v8::ArrayBuffer>> aside_;
  std::vector<v8::Global<v8::SharedArrayBuffer>> shared_;
#if SW_ASKS_FOR_HOST_OBJECTS
  // Prototypes of objects that are no more than their properties.
  std::vector<v8::Global<v8::Value>> harmless_;
#endif
  Refused refused_ = Refused::kNo;
};

class Unpacker final : public v8::ValueDeserializer::Delegate {
 public:
  Unpacker(v8::Local<v8::Array> list, uint32_t first_shared)
      : list_(list), first_shared_(first_shared) {}

  void set_deserializer(v8::ValueDeserializer* deserializer) {
    deserializer_ = deserializer;
  }

  const std::vector<v8::Global<v8::Value>>& node_buffers() const {
    return node_buffers_;
  }

  v8::MaybeLocal<v8::Object> ReadHostObject(v8::Isolate* isolate) override {
    return ReadView(isolate->GetCurrentContext(), deserializer_,
                    &node_buffers_);
  }

  v8::MaybeLocal<v8::SharedArrayBuffer> GetSharedArrayBufferFromId(
      v8::Isolate* isolate, uint32_t id) override {
    v8::Local<v8::Value> buffer;
    if (id >= list_->Length() ||
        !list_->Get(isolate->GetCurrentContext(), first_shared_ + id)
             .ToLocal(&buffer) ||
        !buffer->IsSharedArrayBuffer()) {
      return {};
    }
    return buffer.As<v8::SharedArrayBuffer>();
  }

 private:
  const v8::Local<v8::Array> list_;
  const uint32_t first_shared_;
  v8::ValueDeserializer* deserializer_ = nullptr;
  std::vector<v8::Global<v8::Value>> node_buffers_;
};

// The buffers of an array that can be moved; any others are copied.
void ReadTransfer(v8::Local<v8::Context> context, v8::Local<v8::Value> list,
                  std::vector<v8::Local<v8::ArrayBuffer>>* moved) {
  if (!list->IsArray()) return;
  auto array = list.As<v8::Array>();
  for (uint32_t i = 0; i < array->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!array->Get(context, i).ToLocal(&item)) return;
    if (!item->IsArrayBuffer()) continue;
    auto buffer = item.As<v8::ArrayBuffer>();
    if (!buffer->IsDetachable() || buffer->WasDetached()) continue;
    moved->push_back(buffer);
  }
}

void FreeBytes(void* data, size_t, void*) { std::free(data); }

v8::Local<v8::ArrayBuffer> BufferOf(v8::Isolate* isolate,
                                    std::pair<uint8_t*, size_t> bytes) {
  // The unused half is given back. It fails only by leaving all as it was.
  void* block = std::realloc(bytes.first, bytes.second);
  if (block == nullptr) block = bytes.first;
  return v8::ArrayBuffer::New(
      isolate, v8::ArrayBuffer::NewBackingStore(block, bytes.second, FreeBytes,
                                                nullptr));
}

double* ReportOf(v8::Local<v8::Value> value) {
  auto report = value.As<v8::Float64Array>();
  return reinterpret_cast<double*>(
      static_cast<char*>(report->Buffer()->Data()) + report->ByteOffset());
}

// Of the buffers beside the bytes. A getter may have detached one.
size_t SizeOf(const std::vector<v8::Local<v8::Value>>& buffers,
              Refused* refused) {
  size_t size = 0;
  for (const auto& item : buffers) {
    const auto buffer = item.As<v8::ArrayBuffer>();
    if (buffer->WasDetached()) *refused = Refused::kUnreadable;
    size += buffer->ByteLength();
  }
  return size;
}

void Pack(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const double max_bytes = NumberAt(info, 2);
  double* report = ReportOf(info[3]);
  Packer packer(isolate, {info[4], info[5]}, max_bytes);
  auto& moved = packer.moved();
  ReadTransfer(context, info[1], &moved);
  v8::ValueSerializer serializer(isolate, &packer);
  packer.set_serializer(&serializer);
  serializer.SetTreatArrayBufferViewsAsHostObjects(true);
  for (size_t i = 0; i < moved.size(); ++i) {
    serializer.TransferArrayBuffer(static_cast<uint32_t>(i), moved[i]);
  }
  serializer.WriteHeader();
  Refused refused = Refused::kNo;
  {
    v8::TryCatch thrown(isolate);
    if (!serializer.WriteValue(context, info[0]).FromMaybe(false)) {
      if (thrown.HasTerminated()) {
        thrown.ReThrow();
        return;
      }
      // Otherwise a getter of the value's own threw, or the stack ended.
      refused = packer.refused() == Refused::kNo ? Refused::kUnreadable
                                                 : packer.refused();
    }
  }
  std::vector<v8::Local<v8::Value>> beside(moved.begin(), moved.end());
  for (const auto& buffer : packer.aside()) {
    beside.push_back(buffer.Get(isolate));
  }
  const std::pair<uint8_t*, size_t> bytes = serializer.Release();
  const auto total =
      static_cast<double>(bytes.second + SizeOf(beside, &refused));
  if (refused == Refused::kNo && total > max_bytes) {
    refused = Refused::kTooLarge;
  }
  if (refused != Refused::kNo) {
    std::free(bytes.first);
    report[2] = static_cast<double>(refused);
    return;
  }
  if (bytes.second <= kAsText && beside.empty() && packer.shared().empty()) {
    v8::Local<v8::String> text;
    const bool is_made = v8::String::NewFromOneByte(
                             isolate, bytes.first, v8::NewStringType::kNormal,
                             static_cast<int>(bytes.second))
                             .ToLocal(&text);
    std::free(bytes.first);
    report[2] = is_made ? total : static_cast<double>(Refused::kUnreadable);
    if (is_made) info.GetReturnValue().Set(text);
    return;
  }
  std::vector<v8::Local<v8::Value>> list;
  list.push_back(BufferOf(isolate, bytes));
  list.insert(list.end(), beside.begin(), beside.end());
  for (const auto& buffer : packer.shared()) {
    list.push_back(buffer.Get(isolate));
  }
  report[1] = static_cast<double>(beside.size());
  report[2] = total;
  report[3] = static_cast<double>(moved.size());
  info.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

// Reads `bytes`, with the buffers of `list` after the first.
void Read(const Info& info, const uint8_t* bytes, size_t size,
          v8::Local<v8::Array> list, uint32_t beside) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  Unpacker unpacker(list, beside + 1);
  v8::ValueDeserializer deserializer(isolate, bytes, size, &unpacker);
  unpacker.set_deserializer(&deserializer);
  if (!deserializer.ReadHeader(context).FromMaybe(false)) return;
  for (uint32_t i = 0; i < beside; ++i) {
    v8::Local<v8::Value> item;
    if (!list->Get(context, i + 1).ToLocal(&item) || !item->IsArrayBuffer()) {
      return;
    }
    deserializer.TransferArrayBuffer(i, item.As<v8::ArrayBuffer>());
  }
  v8::Local<v8::Value> value;
  if (!deserializer.ReadValue(context).ToLocal(&value)) return;
  const auto adopt = info[2].As<v8::Function>();
  for (const auto& octets : unpacker.node_buffers()) {
    v8::Local<v8::Value> argument = octets.Get(isolate);
    if (adopt->Call(context, v8::Undefined(isolate), 1, &argument).IsEmpty()) {
      return;
    }
  }
  info.GetReturnValue().Set(value);
}

void UnpackText(const Info& info, v8::Local<v8::String> text) {
  v8::Isolate* isolate = info.GetIsolate();
  const auto size = static_cast<size_t>(text->Length());
  if (size > kAsText || !text->ContainsOnlyOneByte()) return;
  alignas(16) std::array<uint8_t, kAsText> bytes;
  WriteOneByte(isolate, text, bytes.data());
  Read(info, bytes.data(), size, v8::Array::New(isolate), 0);
}

void Unpack(const Info& info) {
  if (!info[2]->IsFunction()) return;
  if (info[0]->IsString()) return UnpackText(info, info[0].As<v8::String>());
  if (!info[0]->IsArray()) return;
  auto list = info[0].As<v8::Array>();
  v8::Local<v8::Value> first;
  if (!list->Get(info.GetIsolate()->GetCurrentContext(), 0).ToLocal(&first) ||
      !first->IsArrayBuffer()) {
    return;
  }
  const auto store = first.As<v8::ArrayBuffer>()->GetBackingStore();
  Read(info, static_cast<const uint8_t*>(store->Data()), store->ByteLength(),
       list, static_cast<uint32_t>(NumberAt(info, 1)));
}

constexpr NativeFunction kNatives[] = {{"pack", Pack}, {"unpack", Unpack}};

}  // namespace

NativeFunctions PayloadCloneNatives() { return kNatives; }

}  // namespace sloppy::workers

// Deserializer of internalBinding('serdes').
#include <memory>
#include <utility>

#include "isolate/bindings/serdes.h"
#include "isolate/copy_view.h"
#include "isolate/libraries/output.h"
#include "isolate/native_memory.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

const char kDeserializer = 0;

// The bytes of a view, which stay where they are: code of the job runs while a
// value is read, and may detach the buffer. Those that may change meanwhile are
// copied, because V8 reads texts twice; those that may shrink would be gone.
class HeldBytes {
 public:
  HeldBytes(v8::Isolate* isolate, v8::Local<v8::ArrayBufferView> view) {
    v8::Local<v8::ArrayBuffer> buffer = view->Buffer();
    size_ = view->ByteLength();
    if (size_ == 0) return;
    if (buffer->IsSharedArrayBuffer() ||
        buffer->GetBackingStore()->IsResizableByUserJavaScript()) {
      copy_ = NativeMemory(isolate, size_);
      data_ = copy_.data();
      if (data_ == nullptr) {
        has_room_ = false;
      } else {
        CopyView(view, copy_.data(), size_);
      }
      return;
    }
    store_ = buffer->GetBackingStore();
    data_ = static_cast<const uint8_t*>(store_->Data()) + view->ByteOffset();
  }

  bool has_room() const { return has_room_; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  std::shared_ptr<v8::BackingStore> store_;
  NativeMemory copy_;
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  bool has_room_ = true;
};

class Deserializer final : public HeldBase,
                           public v8::ValueDeserializer::Delegate {
 public:
  static void New(const Info& info);
  // Throws for one whose constructor has failed.
  static Deserializer* From(const Info& info) {
    HeldBase* held = Find(info.This(), &kDeserializer);
    if (held == nullptr) {
      ThrowCoded(info.GetIsolate(), MakeTypeError, "ERR_INVALID_THIS",
                 "Value of \"this\" must be a Deserializer");
    }
    return static_cast<Deserializer*>(held);
  }

  // The natives, each with the arguments of Node's.
  void ReadHeader(const Info& info);
  void ReadValue(const Info& info);
  void GetWireFormatVersion(const Info& info);
  void TransferArrayBuffer(const Info& info);
  void ReadUint32(const Info& info);
  void ReadUint64(const Info& info);
  void ReadDouble(const Info& info);
  // The place where the bytes begin.
  void ReadRawBytes(const Info& info);

  // v8::ValueDeserializer::Delegate
  v8::MaybeLocal<v8::Object> ReadHostObject(v8::Isolate* isolate) override;

 private:
  Deserializer(v8::Isolate* isolate, HeldBytes bytes)
      : HeldBase(isolate, &kDeserializer, kBytes),
        isolate_(isolate),
        bytes_(std::move(bytes)),
        deserializer_(isolate, bytes_.data(), bytes_.size(), this) {}

  void Fail(const char* message) {
    isolate_->ThrowException(MakePlainError(isolate_, message));
  }

  // V8 is told of so much for each.
  static constexpr size_t kBytes = 1024;

  v8::Isolate* const isolate_;
  Receiver receiver_;
  const HeldBytes bytes_;
  v8::ValueDeserializer deserializer_;
};

void Deserializer::New(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!BeginSerdesObject(info,
                         "Class constructor Deserializer cannot be invoked "
                         "without 'new'")) {
    return;
  }
  if (!info[0]->IsArrayBufferView()) {
    return ThrowArgument(isolate, "buffer must be a TypedArray or a DataView");
  }
  // A subclass may have a setter for it.
  if (!SetMember(isolate->GetCurrentContext(), info.This(), "buffer",
                 info[0])) {
    return;
  }
  HeldBytes bytes(isolate, info[0].As<v8::ArrayBufferView>());
  if (!bytes.has_room()) return ThrowNoMemory(isolate);
  (new Deserializer(isolate, std::move(bytes)))->Adopt(info.This());
}

void Deserializer::ReadHeader(const Info& info) {
  const Receiver::Scope scope(&receiver_, info.This());
  bool read;
  if (deserializer_.ReadHeader(isolate_->GetCurrentContext()).To(&read)) {
    info.GetReturnValue().Set(read);
  }
}

void Deserializer::ReadValue(const Info& info) {
  const Receiver::Scope scope(&receiver_, info.This());
  v8::Local<v8::Value> value;
  if (deserializer_.ReadValue(isolate_->GetCurrentContext()).ToLocal(&value)) {
    info.GetReturnValue().Set(value);
  }
}

void Deserializer::GetWireFormatVersion(const Info& info) {
  info.GetReturnValue().Set(deserializer_.GetWireFormatVersion());
}

void Deserializer::TransferArrayBuffer(const Info& info) {
  uint32_t id;
  if (!sloppy::workers::ReadUint32(info, 0, &id)) return;
  if (info[1]->IsArrayBuffer()) {
    deserializer_.TransferArrayBuffer(id, info[1].As<v8::ArrayBuffer>());
  } else if (info[1]->IsSharedArrayBuffer()) {
    deserializer_.TransferSharedArrayBuffer(
        id, info[1].As<v8::SharedArrayBuffer>());
  } else {
    ThrowArgument(isolate_,
                  "arrayBuffer must be an ArrayBuffer or SharedArrayBuffer");
  }
}

void Deserializer::ReadUint32(const Info& info) {
  uint32_t number;
  if (!deserializer_.ReadUint32(&number)) return Fail("ReadUint32() failed");
  info.GetReturnValue().Set(number);
}

void Deserializer::ReadUint64(const Info& info) {
  uint64_t number;
  if (!deserializer_.ReadUint64(&number)) return Fail("ReadUint64() failed");
  v8::Local<v8::Value> halves[] = {
      v8::Integer::NewFromUnsigned(isolate_,
                                   static_cast<uint32_t>(number >> 32)),
      v8::Integer::NewFromUnsigned(isolate_, static_cast<uint32_t>(number))};
  info.GetReturnValue().Set(v8::Array::New(isolate_, halves, 2));
}

void Deserializer::ReadDouble(const Info& info) {
  double number;
  if (!deserializer_.ReadDouble(&number)) return Fail("ReadDouble() failed");
  info.GetReturnValue().Set(number);
}

void Deserializer::ReadRawBytes(const Info& info) {
  int64_t size;
  if (!info[0]->IntegerValue(isolate_->GetCurrentContext()).To(&size)) return;
  const void* data;
  if (size < 0 ||
      !deserializer_.ReadRawBytes(static_cast<size_t>(size), &data)) {
    return Fail("ReadRawBytes() failed");
  }
  const auto offset = static_cast<const uint8_t*>(data) - bytes_.data();
  info.GetReturnValue().Set(static_cast<double>(offset));
}

v8::MaybeLocal<v8::Object> Deserializer::ReadHostObject(v8::Isolate* isolate) {
  // V8 allows no JavaScript while it reads.
  const v8::Isolate::AllowJavascriptExecutionScope allow(isolate);
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Function> read;
  if (!receiver_.Find(context, "_readHostObject", &read)) return {};
  if (read.IsEmpty()) return Delegate::ReadHostObject(isolate);
  v8::Local<v8::Value> object;
  if (!receiver_.Call(context, read, 0, nullptr).ToLocal(&object)) return {};
  if (!object->IsObject()) {
    isolate->ThrowException(
        MakeTypeError(isolate, "readHostObject must return an object"));
    return {};
  }
  return object.As<v8::Object>();
}

template <void (Deserializer::*kMethod)(const Info&)>
void CallDeserializer(const Info& info) {
  if (Deserializer* self = Deserializer::From(info)) (self->*kMethod)(info);
}

constexpr NativeFunction kDeserializerMethods[] = {
    {"readHeader", CallDeserializer<&Deserializer::ReadHeader>},
    {"readValue", CallDeserializer<&Deserializer::ReadValue>},
    {"getWireFormatVersion",
     CallDeserializer<&Deserializer::GetWireFormatVersion>},
    {"transferArrayBuffer",
     CallDeserializer<&Deserializer::TransferArrayBuffer>},
    {"readUint32", CallDeserializer<&Deserializer::ReadUint32>},
    {"readUint64", CallDeserializer<&Deserializer::ReadUint64>},
    {"readDouble", CallDeserializer<&Deserializer::ReadDouble>},
    {"_readRawBytes", CallDeserializer<&Deserializer::ReadRawBytes>},
};

}  // namespace

bool AddDeserializerClass(v8::Isolate* isolate, v8::Local<v8::Context> context,
                          v8::Local<v8::Object> binding) {
  return AddSerdesClass(
      isolate, context, binding,
      {"Deserializer", Deserializer::New, 1, kDeserializerMethods});
}

}  // namespace sloppy::workers

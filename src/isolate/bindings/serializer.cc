// Serializer of internalBinding('serdes').
#include "isolate/bindings/serdes.h"
#include "isolate/bindings/serializer_memory.h"
#include "isolate/globals/view_bytes.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

const char kSerializer = 0;

class Serializer final : public HeldBase, public v8::ValueSerializer::Delegate {
 public:
  static void New(const Info& info) {
    if (!BeginSerdesObject(info,
                           "Class constructor Serializer cannot be invoked "
                           "without 'new'")) {
      return;
    }
    (new Serializer(info.GetIsolate()))->Adopt(info.This());
  }
  // Throws for one whose constructor has failed.
  static Serializer* From(const Info& info) {
    HeldBase* held = Find(info.This(), &kSerializer);
    if (held == nullptr) {
      ThrowCoded(info.GetIsolate(), MakeTypeError, "ERR_INVALID_THIS",
                 "Value of \"this\" must be a Serializer");
    }
    return static_cast<Serializer*>(held);
  }

  // The natives, each with the arguments of Node's.
  void WriteHeader(const Info& info);
  void WriteValue(const Info& info);
  void ReleaseBuffer(const Info& info);
  void TransferArrayBuffer(const Info& info);
  void WriteUint32(const Info& info);
  void WriteUint64(const Info& info);
  void WriteDouble(const Info& info);
  void WriteRawBytes(const Info& info);
  void TreatViewsAsHostObjects(const Info& info);

  // v8::ValueSerializer::Delegate
  void ThrowDataCloneError(v8::Local<v8::String> message) override;
  v8::Maybe<bool> WriteHostObject(v8::Isolate* isolate,
                                  v8::Local<v8::Object> object) override;
  v8::Maybe<uint32_t> GetSharedArrayBufferId(
      v8::Isolate* isolate, v8::Local<v8::SharedArrayBuffer> buffer) override;
  void* ReallocateBufferMemory(void* old, size_t size, size_t* actual) override;
  void FreeBufferMemory(void* block) override { memory_.Free(block); }

 private:
  explicit Serializer(v8::Isolate* isolate)
      : HeldBase(isolate, &kSerializer, kBytes),
        isolate_(isolate),
        memory_(isolate),
        serializer_(isolate, this) {}

  // V8 is told of so much for each.
  static constexpr size_t kBytes = 1024;

  v8::Isolate* const isolate_;
  Receiver receiver_;
  SerializerMemory memory_;
  v8::ValueSerializer serializer_;
};

void Serializer::WriteHeader(const Info&) {
  serializer_.WriteHeader();
  memory_.Settle();
}

void Serializer::WriteValue(const Info& info) {
  const Receiver::Scope scope(&receiver_, info.This());
  bool written = false;
  const bool has_thrown =
      !serializer_.WriteValue(isolate_->GetCurrentContext(), info[0])
           .To(&written);
  // For a WebAssembly.Module V8 writes nothing, and throws nothing.
  if (memory_.Settle(has_thrown)) info.GetReturnValue().Set(written);
}

void Serializer::ReleaseBuffer(const Info& info) {
  v8::Local<v8::ArrayBuffer> buffer;
  if (memory_.Take(serializer_.Release()).ToLocal(&buffer)) {
    info.GetReturnValue().Set(buffer);
  }
}

void Serializer::TransferArrayBuffer(const Info& info) {
  uint32_t id;
  if (!ReadUint32(info, 0, &id)) return;
  if (!info[1]->IsArrayBuffer()) {
    return ThrowArgument(isolate_, "arrayBuffer must be an ArrayBuffer");
  }
  serializer_.TransferArrayBuffer(id, info[1].As<v8::ArrayBuffer>());
}

void Serializer::WriteUint32(const Info& info) {
  uint32_t number;
  if (!ReadUint32(info, 0, &number)) return;
  serializer_.WriteUint32(number);
  memory_.Settle();
}

void Serializer::WriteUint64(const Info& info) {
  uint32_t high;
  uint32_t low;
  if (!ReadUint32(info, 0, &high) || !ReadUint32(info, 1, &low)) return;
  serializer_.WriteUint64(uint64_t{high} << 32 | low);
  memory_.Settle();
}

void Serializer::WriteDouble(const Info& info) {
  double number;
  if (!info[0]->NumberValue(isolate_->GetCurrentContext()).To(&number)) return;
  serializer_.WriteDouble(number);
  memory_.Settle();
}

void Serializer::WriteRawBytes(const Info& info) {
  if (!info[0]->IsArrayBufferView()) {
    return ThrowArgument(isolate_, "source must be a TypedArray or a DataView");
  }
  {
    const ViewBytes bytes(info[0]);
    if (!bytes.Check(isolate_)) return;
    serializer_.WriteRawBytes(bytes.data(), bytes.size());
  }
  memory_.Settle();
}

void Serializer::TreatViewsAsHostObjects(const Info& info) {
  serializer_.SetTreatArrayBufferViewsAsHostObjects(
      info[0]->BooleanValue(isolate_));
}

void Serializer::ThrowDataCloneError(v8::Local<v8::String> message) {
  v8::Local<v8::Context> context = isolate_->GetCurrentContext();
  v8::Local<v8::Function> make;
  if (!receiver_.Find(context, "_getDataCloneError", &make)) return;
  // Node's process ends for want of one.
  if (make.IsEmpty()) {
    isolate_->ThrowException(
        MakeTypeError(isolate_, "_getDataCloneError is not a function"));
    return;
  }
  v8::Local<v8::Value> argument = message;
  v8::Local<v8::Value> error;
  if (receiver_.Call(context, make, 1, &argument).ToLocal(&error)) {
    isolate_->ThrowException(error);
  }
}

v8::Maybe<bool> Serializer::WriteHostObject(v8::Isolate* isolate,
                                            v8::Local<v8::Object> object) {
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Function> write;
  if (!receiver_.Find(context, "_writeHostObject", &write)) {
    return v8::Nothing<bool>();
  }
  if (write.IsEmpty()) return Delegate::WriteHostObject(isolate, object);
  v8::Local<v8::Value> argument = object;
  if (receiver_.Call(context, write, 1, &argument).IsEmpty()) {
    return v8::Nothing<bool>();
  }
  return v8::Just(true);
}

v8::Maybe<uint32_t> Serializer::GetSharedArrayBufferId(
    v8::Isolate* isolate, v8::Local<v8::SharedArrayBuffer> buffer) {
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Function> number_of;
  if (!receiver_.Find(context, "_getSharedArrayBufferId", &number_of)) {
    return v8::Nothing<uint32_t>();
  }
  if (number_of.IsEmpty()) {
    return Delegate::GetSharedArrayBufferId(isolate, buffer);
  }
  v8::Local<v8::Value> argument = buffer;
  v8::Local<v8::Value> number;
  if (!receiver_.Call(context, number_of, 1, &argument).ToLocal(&number)) {
    return v8::Nothing<uint32_t>();
  }
  return number->Uint32Value(context);
}

void* Serializer::ReallocateBufferMemory(void* old, size_t size,
                                         size_t* actual) {
  void* block = memory_.Reallocate(old, size);
  *actual = block == nullptr ? 0 : size;
  return block;
}

template <void (Serializer::*kMethod)(const Info&)>
void CallSerializer(const Info& info) {
  if (Serializer* self = Serializer::From(info)) (self->*kMethod)(info);
}

constexpr NativeFunction kSerializerMethods[] = {
    {"writeHeader", CallSerializer<&Serializer::WriteHeader>},
    {"writeValue", CallSerializer<&Serializer::WriteValue>},
    {"releaseBuffer", CallSerializer<&Serializer::ReleaseBuffer>},
    {"transferArrayBuffer", CallSerializer<&Serializer::TransferArrayBuffer>},
    {"writeUint32", CallSerializer<&Serializer::WriteUint32>},
    {"writeUint64", CallSerializer<&Serializer::WriteUint64>},
    {"writeDouble", CallSerializer<&Serializer::WriteDouble>},
    {"writeRawBytes", CallSerializer<&Serializer::WriteRawBytes>},
    {"_setTreatArrayBufferViewsAsHostObjects",
     CallSerializer<&Serializer::TreatViewsAsHostObjects>},
};

}  // namespace

bool AddSerializerClass(v8::Isolate* isolate, v8::Local<v8::Context> context,
                        v8::Local<v8::Object> binding) {
  return AddSerdesClass(isolate, context, binding,
                        {"Serializer", Serializer::New, 0, kSerializerMethods});
}

}  // namespace sloppy::workers

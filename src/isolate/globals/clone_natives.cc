// structuredClone inside one isolate, by V8's own serializer. Where V8 asks of
// each object whether it is the embedder's (since 12), it finds those that it
// does not know in one walk; before that, JavaScript looks for them first
// (src/runtime/globals/lib/clone-graph.js).
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "isolate/globals/host_natives.h"
#include "isolate/untransferable.h"
#include "isolate/v8_properties.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

v8::Local<v8::Object> CloneError(v8::Isolate* isolate,
                                 v8::Local<v8::String> message) {
  auto error = v8::Exception::Error(message).As<v8::Object>();
  // Fails only while execution is being terminated.
  (void)error->CreateDataProperty(
      isolate->GetCurrentContext(),
      v8::String::NewFromUtf8Literal(isolate, "name"),
      v8::String::NewFromUtf8Literal(isolate, "DataCloneError"));
  return error;
}

void ThrowCloneError(v8::Isolate* isolate, const char* message) {
  v8::Local<v8::String> text;
  if (v8::String::NewFromUtf8(isolate, message).ToLocal(&text)) {
    isolate->ThrowException(CloneError(isolate, text));
  }
}

// Values that cannot be written as bytes are kept aside, by number. Handles of
// the serializer's own scopes do not outlive it.
struct Shared {
  std::vector<v8::Global<v8::SharedArrayBuffer>> buffers;
  std::vector<v8::CompiledWasmModule> modules;
};

class Writer final : public v8::ValueSerializer::Delegate {
 public:
  // `ask`, if there is one, is called with each object that is neither plain
  // nor V8's own: it gives the number by which the copy is known that V8 does
  // not make, undefined for an object that V8 copies, or throws.
  Writer(v8::Isolate* isolate, Shared* shared, v8::Local<v8::Value> ask)
      : isolate_(isolate), shared_(shared) {
    if (!ask->IsFunction()) return;
    ask_ = ask.As<v8::Function>();
    plain_ = PrototypeOf(v8::Object::New(isolate));
  }

  void WriteWith(v8::ValueSerializer* serializer) { serializer_ = serializer; }

  void ThrowDataCloneError(v8::Local<v8::String> message) override {
    isolate_->ThrowException(CloneError(isolate_, message));
  }

  v8::Maybe<uint32_t> GetSharedArrayBufferId(
      v8::Isolate*, v8::Local<v8::SharedArrayBuffer> buffer) override {
    auto& all = shared_->buffers;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i] == buffer) return v8::Just(static_cast<uint32_t>(i));
    }
    all.emplace_back(isolate_, buffer);
    return v8::Just(static_cast<uint32_t>(all.size() - 1));
  }

  v8::Maybe<uint32_t> GetWasmModuleTransferId(
      v8::Isolate*, v8::Local<v8::WasmModuleObject> module) override {
    shared_->modules.push_back(module->GetCompiledModule());
    return v8::Just(static_cast<uint32_t>(shared_->modules.size() - 1));
  }

#if SW_V8_AT_LEAST(12, 0)
  bool HasCustomHostObject(v8::Isolate*) override { return !ask_.IsEmpty(); }

  v8::Maybe<bool> IsHostObject(v8::Isolate*,
                               v8::Local<v8::Object> object) override {
    const bool is_ours = object->InternalFieldCount() > 0;
    v8::Local<v8::Value> prototype = PrototypeOf(object);
    if (prototype == plain_ || prototype->IsNull()) return v8::Just(is_ours);
    v8::Local<v8::Value> arguments[] = {object};
    v8::Local<v8::Value> number;
    if (!ask_->Call(isolate_->GetCurrentContext(), v8::Undefined(isolate_),
                    static_cast<int>(std::size(arguments)), arguments)
             .ToLocal(&number)) {
      return v8::Nothing<bool>();
    }
    if (!number->IsUint32()) return v8::Just(is_ours);
    number_ = number.As<v8::Uint32>()->Value();
    has_number_ = true;
    return v8::Just(true);
  }

  v8::Maybe<bool> WriteHostObject(v8::Isolate* isolate,
                                  v8::Local<v8::Object> object) override {
    if (!has_number_) return Delegate::WriteHostObject(isolate, object);
    has_number_ = false;
    serializer_->WriteUint32(number_);
    return v8::Just(true);
  }
#endif

 private:
  v8::Isolate* const isolate_;
  Shared* const shared_;
  v8::Local<v8::Function> ask_;
  v8::Local<v8::Value> plain_;
  v8::ValueSerializer* serializer_ = nullptr;
#if SW_V8_AT_LEAST(12, 0)
  // The answer of `ask_` for the object that is to be written now.
  uint32_t number_ = 0;
  bool has_number_ = false;
#endif
};

class Reader final : public v8::ValueDeserializer::Delegate {
 public:
  // `copies` are those by number that V8 does not make.
  Reader(Shared* shared, v8::Local<v8::Array> copies)
      : shared_(shared), copies_(copies) {}

  void ReadWith(v8::ValueDeserializer* deserializer) {
    deserializer_ = deserializer;
  }

  v8::MaybeLocal<v8::Object> ReadHostObject(v8::Isolate* isolate) override {
    uint32_t number = 0;
    v8::Local<v8::Value> copy;
    if (copies_.IsEmpty() || !deserializer_->ReadUint32(&number)) {
      return Delegate::ReadHostObject(isolate);
    }
    if (!copies_->Get(isolate->GetCurrentContext(), number).ToLocal(&copy) ||
        !copy->IsObject()) {
      return {};
    }
    return copy.As<v8::Object>();
  }

  v8::MaybeLocal<v8::SharedArrayBuffer> GetSharedArrayBufferFromId(
      v8::Isolate* isolate, uint32_t id) override {
    if (id >= shared_->buffers.size()) return {};
    // An object of its own over the same memory.
    return v8::SharedArrayBuffer::New(
        isolate, shared_->buffers[id].Get(isolate)->GetBackingStore());
  }

  v8::MaybeLocal<v8::WasmModuleObject> GetWasmModuleFromId(
      v8::Isolate* isolate, uint32_t id) override {
    if (id >= shared_->modules.size()) return {};
    return v8::WasmModuleObject::FromCompiledModule(isolate,
                                                    shared_->modules[id]);
  }

 private:
  Shared* const shared_;
  const v8::Local<v8::Array> copies_;
  v8::ValueDeserializer* deserializer_ = nullptr;
};

struct Free {
  void operator()(uint8_t* bytes) const { std::free(bytes); }
};

// Node 20 moves a detached buffer as an empty one, all others refuse it.
#if SW_V8_AT_LEAST(12, 0)
constexpr bool kMovesDetached = false;
#else
constexpr bool kMovesDetached = true;
#endif

// The buffers named in an array, checked before anything is written.
bool ReadTransfer(v8::Isolate* isolate, v8::Local<v8::Context> context,
                  v8::Local<v8::Array> list,
                  std::vector<v8::Local<v8::ArrayBuffer>>* buffers) {
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!list->Get(context, i).ToLocal(&item)) return false;
    if (!item->IsArrayBuffer()) {
      ThrowCloneError(isolate, "Value could not be transferred");
      return false;
    }
    auto buffer = item.As<v8::ArrayBuffer>();
    if ((buffer->WasDetached() && !kMovesDetached) || !buffer->IsDetachable() ||
        IsUntransferable(isolate, context, buffer)) {
      ThrowCloneError(isolate, "Cannot transfer object of unsupported type.");
      return false;
    }
    buffers->push_back(buffer);
  }
  return true;
}

// A value as bytes, with what travels beside them.
struct Written {
  std::unique_ptr<uint8_t, Free> bytes;
  size_t size = 0;
  std::vector<v8::Local<v8::ArrayBuffer>> moved;
  Shared shared;
};

// Writes info[0], asking info[2]; the buffers in info[1] are named by their
// place there and stay as they are. False when it has thrown.
bool Write(const Info& info, Written* written) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  if (info[1]->IsArray() &&
      !ReadTransfer(isolate, context, info[1].As<v8::Array>(),
                    &written->moved)) {
    return false;
  }
  Writer writer(isolate, &written->shared, info[2]);
  v8::ValueSerializer serializer(isolate, &writer);
  writer.WriteWith(&serializer);
  for (size_t i = 0; i < written->moved.size(); ++i) {
    serializer.TransferArrayBuffer(static_cast<uint32_t>(i), written->moved[i]);
  }
  serializer.WriteHeader();
  if (!serializer.WriteValue(context, info[0]).FromMaybe(false)) return false;
  const auto [bytes, size] = serializer.Release();
  written->bytes.reset(bytes);
  written->size = size;
  return true;
}

// structuredClone(value, transfer, ask?, make?) → copy. `ask` as Writer has it;
// `make()` is called when all is written, and gives an array of the copies.
void StructuredClone(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  Written written;
  if (!Write(info, &written)) return;
  const auto& moved = written.moved;
  std::vector<v8::Local<v8::ArrayBuffer>> arrived;
  for (const auto& buffer : moved) {
    // A getter that ran while writing may have detached it.
    if (buffer->WasDetached() && kMovesDetached) {
      arrived.push_back(v8::ArrayBuffer::New(isolate, 0));
      continue;
    }
    if (buffer->WasDetached()) {
      ThrowCloneError(isolate, "An ArrayBuffer is detached");
      return;
    }
    auto store = buffer->GetBackingStore();
    if (buffer->Detach({}).IsNothing()) return;
    arrived.push_back(v8::ArrayBuffer::New(isolate, std::move(store)));
  }
  v8::Local<v8::Array> copies;
  if (info[3]->IsFunction()) {
    v8::Local<v8::Value> made;
    if (!info[3]
             .As<v8::Function>()
             ->Call(context, v8::Undefined(isolate), 0, nullptr)
             .ToLocal(&made) ||
        !made->IsArray()) {
      return;
    }
    copies = made.As<v8::Array>();
  }
  Reader reader(&written.shared, copies);
  v8::ValueDeserializer deserializer(isolate, written.bytes.get(), written.size,
                                     &reader);
  reader.ReadWith(&deserializer);
  for (size_t i = 0; i < arrived.size(); ++i) {
    deserializer.TransferArrayBuffer(static_cast<uint32_t>(i), arrived[i]);
  }
  v8::Local<v8::Value> copy;
  if (deserializer.ReadHeader(context).FromMaybe(false) &&
      deserializer.ReadValue(context).ToLocal(&copy)) {
    info.GetReturnValue().Set(copy);
  }
}

constexpr NativeFunction kCloneNatives[] = {
#if SW_V8_AT_LEAST(12, 0)
    {"structuredCloneAsking", StructuredClone},
#endif
    {"structuredClone", StructuredClone}};

}  // namespace

NativeFunctions CloneNatives() { return kCloneNatives; }

}  // namespace sloppy::workers

// structuredClone inside one isolate, by V8's own serializer.
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "isolate/globals/host_natives.h"
#include "isolate/untransferable.h"

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
  Writer(v8::Isolate* isolate, Shared* shared)
      : isolate_(isolate), shared_(shared) {}

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

 private:
  v8::Isolate* const isolate_;
  Shared* const shared_;
};

class Reader final : public v8::ValueDeserializer::Delegate {
 public:
  explicit Reader(Shared* shared) : shared_(shared) {}

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
};

struct Free {
  void operator()(uint8_t* bytes) const { std::free(bytes); }
};

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
    if (buffer->WasDetached() || !buffer->IsDetachable()) {
      ThrowCloneError(isolate, "An ArrayBuffer is detached");
      return false;
    }
    if (IsUntransferable(isolate, context, buffer)) {
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

// Writes info[0]; the buffers in info[1] are named by their place there and
// stay as they are. False when it has thrown.
bool Write(const Info& info, Written* written) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  if (info[1]->IsArray() &&
      !ReadTransfer(isolate, context, info[1].As<v8::Array>(),
                    &written->moved)) {
    return false;
  }
  Writer writer(isolate, &written->shared);
  v8::ValueSerializer serializer(isolate, &writer);
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

// structuredClone(value, transfer) → copy
void StructuredClone(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  Written written;
  if (!Write(info, &written)) return;
  const auto& moved = written.moved;
  Reader reader(&written.shared);
  v8::ValueDeserializer deserializer(isolate, written.bytes.get(), written.size,
                                     &reader);
  for (size_t i = 0; i < moved.size(); ++i) {
    // A getter that ran while writing may have detached it.
    if (moved[i]->WasDetached()) {
      ThrowCloneError(isolate, "An ArrayBuffer is detached");
      return;
    }
    auto store = moved[i]->GetBackingStore();
    if (moved[i]->Detach({}).IsNothing()) return;
    deserializer.TransferArrayBuffer(
        static_cast<uint32_t>(i),
        v8::ArrayBuffer::New(isolate, std::move(store)));
  }
  v8::Local<v8::Value> copy;
  if (deserializer.ReadHeader(context).FromMaybe(false) &&
      deserializer.ReadValue(context).ToLocal(&copy)) {
    info.GetReturnValue().Set(copy);
  }
}

constexpr NativeFunction kCloneNatives[] = {
    {"structuredClone", StructuredClone}};

}  // namespace

NativeFunctions CloneNatives() { return kCloneNatives; }

}  // namespace sloppy::workers

// The delegates of V8's serializer for payload_clone.h: they decide which
// objects travel, and which buffers beside the bytes.
#ifndef SLOPPY_WORKERS_ISOLATE_CLONE_PACKER_H_
#define SLOPPY_WORKERS_ISOLATE_CLONE_PACKER_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isolate/v8_compat.h"

namespace sloppy::workers {

// Reasons of lib/protocol/codec/grammar.js (Refusal).
enum class Refused : uint8_t {
  kNo = 0,
  kUnsupported = 1,
  kUnreadable = 4,
  kTooLarge = 5,
};

// Functions of pack()'s caller that judge objects.
struct Judges {
  v8::Local<v8::Value> is_node_buffer;
  v8::Local<v8::Value> is_lossy;
};

// The isolate's thread, for one call of pack().
class Packer final : public v8::ValueSerializer::Delegate {
 public:
  Packer(v8::Isolate* isolate, const Judges& judges, double max_bytes)
      : isolate_(isolate), judges_(judges), max_bytes_(max_bytes) {}

  // REQUIRES: before the serializer writes.
  void set_serializer(v8::ValueSerializer* serializer) {
    serializer_ = serializer;
  }
  // The buffers to move. The caller adds them, and tells the serializer.
  std::vector<v8::Local<v8::ArrayBuffer>>& moved() { return moved_; }
  // The buffers that are to be copied once, beside the bytes.
  const std::vector<v8::Global<v8::ArrayBuffer>>& aside() const {
    return aside_;
  }
  // The SharedArrayBuffers and WebAssembly.Modules.
  const std::vector<v8::Global<v8::Object>>& shared() const { return shared_; }
  bool has_code() const { return has_code_; }
  Refused refused() const { return refused_; }

  void ThrowDataCloneError(v8::Local<v8::String> message) override;
  v8::Maybe<bool> WriteHostObject(v8::Isolate* isolate,
                                  v8::Local<v8::Object> object) override;
#if SW_ASKS_FOR_HOST_OBJECTS
  bool HasCustomHostObject(v8::Isolate*) override { return true; }
  v8::Maybe<bool> IsHostObject(v8::Isolate* isolate,
                               v8::Local<v8::Object> object) override;
#endif
  v8::Maybe<uint32_t> GetSharedArrayBufferId(
      v8::Isolate* isolate, v8::Local<v8::SharedArrayBuffer> buffer) override;
  v8::Maybe<uint32_t> GetWasmModuleTransferId(
      v8::Isolate* isolate, v8::Local<v8::WasmModuleObject> code) override;
  void* ReallocateBufferMemory(void* old, size_t size, size_t* actual) override;
  void FreeBufferMemory(void* block) override;

 private:
  static v8::Maybe<bool> Ask(v8::Local<v8::Context> context,
                             v8::Local<v8::Value> judge,
                             v8::Local<v8::Value> value);
  v8::Maybe<bool> IsNodeBuffer(v8::Local<v8::Context> context,
                               v8::Local<v8::ArrayBufferView> view) const;
  bool Travels(v8::Local<v8::ArrayBufferView> view) const;
  bool IsBeside(v8::Local<v8::Value> buffer) const;
  uint32_t Share(v8::Local<v8::Object> object);
  // Leaves the buffer of a Node Buffer that shows a part of it.
  void SetAside(v8::Local<v8::ArrayBufferView> view, bool is_node_buffer);

  v8::Isolate* const isolate_;
  const Judges judges_;
  const double max_bytes_;
  v8::ValueSerializer* serializer_ = nullptr;
  std::vector<v8::Local<v8::ArrayBuffer>> moved_;
  // Globals, because handles of the serializer's own scopes do not outlive it.
  std::vector<v8::Global<v8::ArrayBuffer>> aside_;
  std::vector<v8::Global<v8::Object>> shared_;
  bool has_code_ = false;
  // Prototypes of objects that are no more than their properties.
  std::vector<v8::Global<v8::Value>> harmless_;
  Refused refused_ = Refused::kNo;
};

// The isolate's thread, for one call of unpack().
class Unpacker final : public v8::ValueDeserializer::Delegate {
 public:
  // The shared objects are in `list` from `first_shared` on.
  Unpacker(v8::Local<v8::Array> list, uint32_t first_shared)
      : list_(list), first_shared_(first_shared) {}

  // REQUIRES: before the deserializer reads.
  void set_deserializer(v8::ValueDeserializer* deserializer) {
    deserializer_ = deserializer;
  }
  // The Uint8Arrays that were Node's Buffers.
  const std::vector<v8::Global<v8::Value>>& node_buffers() const {
    return node_buffers_;
  }

  v8::MaybeLocal<v8::Object> ReadHostObject(v8::Isolate* isolate) override;
  v8::MaybeLocal<v8::SharedArrayBuffer> GetSharedArrayBufferFromId(
      v8::Isolate* isolate, uint32_t id) override;
  v8::MaybeLocal<v8::WasmModuleObject> GetWasmModuleFromId(
      v8::Isolate* isolate, uint32_t id) override;

 private:
  // Undefined for a number that is none of theirs.
  v8::Local<v8::Value> SharedAt(v8::Isolate* isolate, uint32_t id) const;

  const v8::Local<v8::Array> list_;
  const uint32_t first_shared_;
  v8::ValueDeserializer* deserializer_ = nullptr;
  std::vector<v8::Global<v8::Value>> node_buffers_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_CLONE_PACKER_H_

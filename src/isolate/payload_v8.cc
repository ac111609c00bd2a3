#include "isolate/payload_v8.h"

#include <cstring>
#include <utility>

#include "isolate/copy_view.h"
#include "isolate/foreign_buffer.h"
#include "isolate/untransferable.h"
#include "isolate/v8_compat.h"
#include "payload/block_cache.h"

namespace sloppy::workers {
namespace {

// Takes back a block of one of V8's backing stores.
void FreeBlock(void* data, size_t size, void*) {
  BlockCache::Process().Give(data, size);
}

bool ReadTexts(SharedTexts* shared, v8::Local<v8::Context> context,
               v8::Local<v8::Value> list, std::vector<Text>* to) {
  if (!list->IsArray()) return true;
  auto array = list.As<v8::Array>();
  // The first text travels by itself.
  for (uint32_t i = 1; i < array->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!array->Get(context, i).ToLocal(&item) || !item->IsString()) {
      return false;
    }
    Text text;
    if (!shared->Read(item.As<v8::String>(), &text)) return false;
    to->push_back(std::move(text));
  }
  return true;
}

bool CopyBytes(v8::Local<v8::Value> value, Bytes* bytes) {
  const bool is_view = value->IsArrayBufferView();
  const size_t size = is_view ? value.As<v8::ArrayBufferView>()->ByteLength()
                              : value.As<v8::ArrayBuffer>()->ByteLength();
  void* block = BlockCache::Process().Take(size);
  if (block == nullptr) return false;
  if (is_view) {
    CopyView(value.As<v8::ArrayBufferView>(), block, size);
  } else if (size != 0) {
    std::memcpy(block, value.As<v8::ArrayBuffer>()->Data(), size);
  }
  std::shared_ptr<v8::BackingStore> store =
      v8::ArrayBuffer::NewBackingStore(block, size, FreeBlock, nullptr);
  *bytes = {std::move(store), size};
  return true;
}

bool CopyBlock(const void* from, size_t size, Bytes* to) {
  void* block = BlockCache::Process().Take(size);
  if (block == nullptr) return false;
  if (size != 0) std::memcpy(block, from, size);
  std::shared_ptr<v8::BackingStore> store =
      v8::ArrayBuffer::NewBackingStore(block, size, FreeBlock, nullptr);
  *to = {std::move(store), size};
  return true;
}

// Both sides see the same memory; nothing is copied, so nothing counts.
void ShareBytes(v8::Local<v8::Value> value, Bytes* bytes) {
  *bytes = {value.As<v8::SharedArrayBuffer>()->GetBackingStore(), 0};
}

// Compiled code belongs to the process, so its memory is not a copy either.
void ShareCode(v8::Local<v8::Value> value, Bytes* bytes) {
  *bytes = {std::make_shared<v8::CompiledWasmModule>(
                value.As<v8::WasmModuleObject>()->GetCompiledModule()),
            0, true};
}

// False for a buffer that somebody has locked, as since Node 24 those that are
// marked as untransferable.
bool Detach(v8::Local<v8::ArrayBuffer> buffer) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  if (IsUntransferable(isolate, isolate->GetCurrentContext(), buffer)) {
    return false;
  }
  const v8::TryCatch locked(isolate);
  return buffer->Detach(v8::Local<v8::Value>()).FromMaybe(false);
}

bool MoveBytes(v8::Local<v8::Value> value, Bytes* bytes) {
  if (!value->IsArrayBuffer()) return false;
  auto buffer = value.As<v8::ArrayBuffer>();
  if (!buffer->IsDetachable()) return CopyBytes(value, bytes);
  const size_t size = buffer->ByteLength();
  std::shared_ptr<v8::BackingStore> store = buffer->GetBackingStore();
  if (!Detach(buffer)) return CopyBytes(value, bytes);
  *bytes = {ForAnyIsolate(std::move(store)), size};
  return true;
}

bool ReadBuffers(v8::Local<v8::Context> context, v8::Local<v8::Value> list,
                 v8::Local<v8::Value> moved, std::vector<Bytes>* to) {
  if (!list->IsArray() || !moved->IsArray()) return true;
  auto array = list.As<v8::Array>();
  for (uint32_t i = 0; i < array->Length(); ++i) {
    v8::Local<v8::Value> item;
    v8::Local<v8::Value> move;
    if (!array->Get(context, i).ToLocal(&item) ||
        !moved.As<v8::Array>()->Get(context, i).ToLocal(&move)) {
      return false;
    }
    Bytes bytes;
    bool ok = true;
    if (item->IsSharedArrayBuffer()) {
      ShareBytes(item, &bytes);
    } else if (item->IsWasmModuleObject()) {
      ShareCode(item, &bytes);
    } else if (move->IsTrue()) {
      ok = MoveBytes(item, &bytes);
    } else {
      ok = (item->IsArrayBufferView() || item->IsArrayBuffer()) &&
           CopyBytes(item, &bytes);
    }
    if (!ok) return false;
    to->push_back(std::move(bytes));
  }
  return true;
}

bool ReadStructure(SharedTexts* shared, v8::Local<v8::Context> context,
                   const EncodedParts& parts, Payload* payload) {
  if (!parts.slots->IsFloat64Array()) return false;
  auto run = parts.slots.As<v8::Float64Array>();
  if (parts.slot_count > run->Length()) return false;
  const auto* from = reinterpret_cast<const double*>(
      static_cast<const char*>(run->Buffer()->Data()) + run->ByteOffset());
  if (!payload->slots.Assign(from, parts.slot_count)) return false;
  if (!parts.more->IsArray()) return true;
  auto more = parts.more.As<v8::Array>();
  v8::Local<v8::Value> texts;
  v8::Local<v8::Value> buffers;
  v8::Local<v8::Value> moved;
  return more->Get(context, 0).ToLocal(&texts) &&
         more->Get(context, 1).ToLocal(&buffers) &&
         more->Get(context, 2).ToLocal(&moved) &&
         ReadTexts(shared, context, texts, &payload->more_text) &&
         ReadBuffers(context, buffers, moved, &payload->buffers);
}

v8::MaybeLocal<v8::Value> GiveSlots(v8::Isolate* isolate, Slots* slots,
                                    double* scratch, uint32_t room) {
  const uint32_t count = slots->count();
  if (count <= room) {
    if (count != 0) {
      std::memcpy(scratch, slots->data(), count * sizeof(double));
    }
    slots->Clear();
    return v8::Undefined(isolate);
  }
  auto store = v8::ArrayBuffer::NewBackingStore(
      slots->Release(), count * sizeof(double), FreeBlock, nullptr);
  return v8::Float64Array::New(v8::ArrayBuffer::New(isolate, std::move(store)),
                               0, count);
}

// Empty when V8 refuses the code.
v8::MaybeLocal<v8::Value> GiveBuffer(v8::Isolate* isolate, Bytes* bytes) {
  const std::shared_ptr<void> owner = std::move(bytes->owner);
  if (bytes->is_code) {
    return v8::WasmModuleObject::FromCompiledModule(
               isolate, *static_cast<v8::CompiledWasmModule*>(owner.get()))
        .FromMaybe(v8::Local<v8::WasmModuleObject>());
  }
  auto store = std::static_pointer_cast<v8::BackingStore>(owner);
  if (store->IsShared()) {
    return v8::SharedArrayBuffer::New(isolate, std::move(store));
  }
  return v8::ArrayBuffer::New(isolate, std::move(store));
}

}  // namespace

bool CopyPayload(const Payload& from, Payload* to) {
  to->Clear();
  to->kind = from.kind;
  to->number = from.number;
  if (!to->slots.Assign(from.slots.data(), from.slots.count())) return false;
  to->text = from.text.Share();
  for (const Text& text : from.more_text) to->more_text.push_back(text.Share());
  for (const Bytes& bytes : from.buffers) {
    const auto* store = static_cast<v8::BackingStore*>(bytes.owner.get());
    if (bytes.is_code || store->IsShared()) {
      to->buffers.push_back(bytes);
      continue;
    }
    Bytes& copy = to->buffers.emplace_back();
    if (!CopyBlock(store->Data(), bytes.size, &copy)) return false;
  }
  return true;
}

double NumberAt(const v8::FunctionCallbackInfo<v8::Value>& info, int index) {
  return info[index]->IsNumber() ? info[index].As<v8::Number>()->Value() : 0;
}

EncodedParts PartsAt(const v8::FunctionCallbackInfo<v8::Value>& info,
                     int first) {
  EncodedParts parts;
  parts.kind = static_cast<int>(NumberAt(info, first));
  parts.number = NumberAt(info, first + 1);
  parts.slots = info[first + 2];
  parts.slot_count = static_cast<uint32_t>(NumberAt(info, first + 3));
  parts.text = info[first + 4];
  parts.more = info[first + 5];
  return parts;
}

bool ReadParts(SharedTexts* shared, v8::Local<v8::Context> context,
               const EncodedParts& parts, Payload* payload) {
  payload->Clear();
  payload->kind = static_cast<PayloadKind>(parts.kind);
  payload->number = parts.number;
  if (payload->kind < PayloadKind::kString) return true;
  bool ok = true;
  if (!parts.text.IsEmpty() && parts.text->IsString()) {
    ok = shared->Read(parts.text.As<v8::String>(), &payload->text);
  }
  if (ok && payload->kind == PayloadKind::kStructured) {
    ok = ReadStructure(shared, context, parts, payload);
  }
  if (!ok) payload->Clear();
  return ok;
}

bool GiveParts(SharedTexts* shared, v8::Local<v8::Context> context,
               Payload* payload, double* scratch, uint32_t scratch_room,
               DecodedParts* parts) {
  v8::Isolate* isolate = shared->isolate();
  parts->text = v8::Undefined(isolate);
  parts->more = v8::Undefined(isolate);
  if (payload->kind < PayloadKind::kString) return true;
  if (!payload->text.empty()) {
    v8::Local<v8::String> text;
    if (!shared->Give(&payload->text).ToLocal(&text)) return false;
    parts->text = text;
  }
  if (payload->kind != PayloadKind::kStructured) return true;
  v8::Local<v8::Value> slots;
  if (!GiveSlots(isolate, &payload->slots, scratch, scratch_room)
           .ToLocal(&slots)) {
    return false;
  }
  if (slots->IsUndefined() && payload->more_text.empty() &&
      payload->buffers.empty()) {
    return true;
  }
  v8::Local<v8::Array> texts =
      v8::Array::New(isolate, static_cast<int>(payload->more_text.size()));
  uint32_t at = 0;
  for (Text& text : payload->more_text) {
    v8::Local<v8::String> string;
    if (!shared->Give(&text).ToLocal(&string) ||
        !texts->CreateDataProperty(context, at++, string).FromMaybe(false)) {
      return false;
    }
  }
  v8::Local<v8::Array> buffers =
      v8::Array::New(isolate, static_cast<int>(payload->buffers.size()));
  at = 0;
  for (Bytes& bytes : payload->buffers) {
    v8::Local<v8::Value> buffer;
    if (!GiveBuffer(isolate, &bytes).ToLocal(&buffer) ||
        !buffers->CreateDataProperty(context, at++, buffer).FromMaybe(false)) {
      return false;
    }
  }
  v8::Local<v8::Value> more[] = {slots, texts, buffers};
  parts->more = v8::Array::New(isolate, more, 3);
  return true;
}

}  // namespace sloppy::workers

#include "isolate/shared_value_v8.h"

#include <cstring>
#include <utility>

namespace sloppy::workers {
namespace {

// The alignment is malloc's: V8 has views of 8 bytes, WebAssembly's SIMD of 16.
constexpr size_t kAlignment = 16;

size_t Aligned(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

v8::BackingStore* StoreOf(const Bytes& bytes) {
  return static_cast<v8::BackingStore*>(bytes.owner.get());
}

bool IsShared(const Bytes& bytes) {
  return bytes.is_code || StoreOf(bytes)->IsShared();
}

// Moves the buffers that are not shared memory into common pages.
bool MakeCommon(SharedValue* value) {
  size_t total = 0;
  auto& buffers = value->payload.buffers;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (IsShared(buffers[i])) continue;
    value->places.push_back({i, total, buffers[i].size});
    total += Aligned(buffers[i].size);
  }
  if (total == 0) return true;
  value->pages = CommonPages::Make(total);
  if (value->pages == nullptr) return false;
  for (const SharedValue::Place& place : value->places) {
    Bytes& bytes = buffers[place.index];
    if (place.size != 0) {
      std::memcpy(value->pages->data() + place.offset, StoreOf(bytes)->Data(),
                  place.size);
    }
    bytes = {};
  }
  value->pages->Seal();
  return true;
}

}  // namespace

std::shared_ptr<const SharedValue> ReadSharedValue(
    SharedTexts* texts, v8::Local<v8::Context> context,
    const EncodedParts& parts) {
  auto value = std::make_shared<SharedValue>();
  if (!ReadParts(texts, context, parts, &value->payload)) return nullptr;
  value->bytes = value->payload.ByteSize();
  if (!MakeCommon(value.get())) return nullptr;
  return value;
}

bool GiveSharedValue(const SharedValue& value, MemoryLimit* memory,
                     Payload* to) {
  to->Clear();
  if (!memory->HasRoomFor(value.bytes)) return false;
  const Payload& from = value.payload;
  to->kind = from.kind;
  to->number = from.number;
  if (!to->slots.Assign(from.slots.data(), from.slots.count())) return false;
  to->text = from.text.Share();
  for (const Text& text : from.more_text) to->more_text.push_back(text.Share());
  to->buffers = from.buffers;
  if (value.places.empty()) return true;
  std::shared_ptr<PagesView> view;
  if (value.pages != nullptr) {
    view = value.pages->Open();
    if (view == nullptr) return false;
  }
  for (const SharedValue::Place& place : value.places) {
    uint8_t* const data =
        view == nullptr ? nullptr : view->data() + place.offset;
    auto store = memory->Lend(data, place.size, view);
    if (store == nullptr) return false;
    to->buffers[place.index] = {std::move(store), place.size};
  }
  return true;
}

}  // namespace sloppy::workers

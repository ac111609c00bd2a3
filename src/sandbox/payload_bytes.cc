#include "sandbox/payload_bytes.h"

#include <v8.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "payload/block_cache.h"
#include "sandbox/wire.h"

namespace sloppy::workers::sandbox {
namespace {

constexpr uint32_t kTwoBytes = uint32_t{1} << 31;

bool HasText(const Payload& payload) {
  return payload.kind >= PayloadKind::kString;
}

uint32_t SizeWord(const Text& text) {
  return text.length() | (text.two_byte() ? kTwoBytes : 0);
}

void AppendText(const Text& text, std::string* to) {
  to->append(reinterpret_cast<const char*>(text.data()), text.bytes());
}

bool ReadText(BodyReader* body, uint32_t word, Text* text) {
  const bool two_byte = (word & kTwoBytes) != 0;
  const uint32_t length = word & ~kTwoBytes;
  const std::string_view units = body->Bytes(size_t{length} << two_byte);
  if (length == 0) return true;
  uint8_t* to = text->Allocate(length, two_byte);
  if (to == nullptr) return false;
  std::memcpy(to, units.data(), units.size());
  return true;
}

bool ReadBuffer(std::string_view from, Bytes* bytes) {
  void* block = BlockCache::Process().Take(from.size());
  if (block == nullptr) return false;
  if (!from.empty()) std::memcpy(block, from.data(), from.size());
  std::shared_ptr<v8::BackingStore> store = v8::ArrayBuffer::NewBackingStore(
      block, from.size(),
      [](void* data, size_t size, void*) {
        BlockCache::Process().Give(data, size);
      },
      nullptr);
  *bytes = {std::move(store), from.size()};
  return true;
}

bool ReadSlots(std::string_view from, uint32_t count, Slots* slots) {
  // The bytes may stand anywhere.
  std::vector<double> aligned(count);
  if (count != 0) std::memcpy(aligned.data(), from.data(), from.size());
  return slots->Assign(aligned.data(), count);
}

}  // namespace

void AppendPayload(const Payload& payload, std::string* to) {
  const bool has_text = HasText(payload);
  const auto texts =
      static_cast<uint32_t>((has_text ? 1 : 0) + payload.more_text.size());
  Append(to, static_cast<uint32_t>(payload.kind));
  Append(to, payload.slots.count());
  Append(to, texts);
  Append(to, static_cast<uint32_t>(payload.buffers.size()));
  Append(to, payload.number);
  if (has_text) Append(to, SizeWord(payload.text));
  for (const Text& text : payload.more_text) Append(to, SizeWord(text));
  for (const Bytes& each : payload.buffers) {
    Append(to, static_cast<uint32_t>(each.size));
  }
  to->append(reinterpret_cast<const char*>(payload.slots.data()),
             payload.slots.count() * sizeof(double));
  if (has_text) AppendText(payload.text, to);
  for (const Text& text : payload.more_text) AppendText(text, to);
  for (const Bytes& each : payload.buffers) {
    const auto* store = static_cast<v8::BackingStore*>(each.owner.get());
    to->append(static_cast<const char*>(store->Data()), each.size);
  }
}

bool ReadPayload(std::string_view bytes, Payload* payload) {
  payload->Clear();
  BodyReader body(bytes);
  payload->kind = static_cast<PayloadKind>(body.U32());
  const uint32_t slots = body.U32();
  const uint32_t texts = body.U32();
  const uint32_t buffers = body.U32();
  payload->number = body.F64();
  BodyReader sizes(body.Bytes((size_t{texts} + buffers) * sizeof(uint32_t)));
  bool ok = ReadSlots(body.Bytes(size_t{slots} * sizeof(double)), slots,
                      &payload->slots);
  for (uint32_t i = 0; ok && i < texts; ++i) {
    if (i == 0) {
      ok = ReadText(&body, sizes.U32(), &payload->text);
      continue;
    }
    Text text;
    ok = ReadText(&body, sizes.U32(), &text);
    payload->more_text.push_back(std::move(text));
  }
  for (uint32_t i = 0; ok && i < buffers; ++i) {
    Bytes each;
    ok = ReadBuffer(body.Bytes(sizes.U32()), &each);
    payload->buffers.push_back(std::move(each));
  }
  if (!ok) payload->Clear();
  return ok;
}

}  // namespace sloppy::workers::sandbox

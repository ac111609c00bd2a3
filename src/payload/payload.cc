#include "payload/payload.h"

#include <cstring>
#include <new>

#include "payload/block_cache.h"

namespace sloppy::workers {

Text& Text::operator=(Text&& other) noexcept {
  if (this == &other) return *this;
  Clear();
  block_ = other.block_;
  length_ = other.length_;
  two_byte_ = other.two_byte_;
  if (block_ == nullptr) std::memcpy(inline_, other.inline_, bytes());
  other.block_ = nullptr;
  other.length_ = 0;
  return *this;
}

uint8_t* Text::Allocate(uint32_t length, bool two_byte) {
  Clear();
  const size_t size = size_t{length} * (two_byte ? 2 : 1);
  uint8_t* to = inline_;
  if (size > kInlineBytes) {
    void* const memory = BlockCache::Process().Take(sizeof(Block) + size);
    if (memory == nullptr) return nullptr;
    block_ = new (memory) Block;
    to = UnitsOf(block_);
  }
  length_ = length;
  two_byte_ = two_byte;
  return to;
}

void Text::Clear() {
  // acq_rel: the thread that frees the block does so after all others have
  // read it.
  if (block_ != nullptr &&
      block_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    BlockCache::Process().Give(block_, sizeof(Block) + bytes());
  }
  block_ = nullptr;
  length_ = 0;
}

Text Text::Share() const {
  Text other;
  other.block_ = block_;
  other.length_ = length_;
  other.two_byte_ = two_byte_;
  if (block_ != nullptr) {
    block_->references.fetch_add(1, std::memory_order_relaxed);
  } else {
    std::memcpy(other.inline_, inline_, bytes());
  }
  return other;
}

Slots& Slots::operator=(Slots&& other) noexcept {
  if (this == &other) return *this;
  Clear();
  heap_ = other.heap_;
  count_ = other.count_;
  if (heap_ == nullptr && count_ != 0) {
    std::memcpy(inline_, other.inline_, count_ * sizeof(double));
  }
  other.heap_ = nullptr;
  other.count_ = 0;
  return *this;
}

bool Slots::Assign(const double* from, uint32_t count) {
  Clear();
  double* to = inline_;
  if (count > kInlineSlots) {
    heap_ = static_cast<double*>(
        BlockCache::Process().Take(count * sizeof(double)));
    if (heap_ == nullptr) return false;
    to = heap_;
  }
  count_ = count;
  if (count != 0) std::memcpy(to, from, count * sizeof(double));
  return true;
}

void Slots::Clear() {
  if (heap_ != nullptr) {
    BlockCache::Process().Give(heap_, count_ * sizeof(double));
  }
  heap_ = nullptr;
  count_ = 0;
}

double* Slots::Release() {
  double* block = heap_;
  heap_ = nullptr;
  count_ = 0;
  return block;
}

void Payload::Clear() {
  const bool has_parts = kind >= PayloadKind::kString;
  kind = PayloadKind::kUndefined;
  number = 0;
  if (!has_parts) return;
  slots.Clear();
  text.Clear();
  more_text.clear();
  buffers.clear();
}

void Payload::FillShort(uint32_t size, const double* body) {
  const uint32_t count = size % wire::Small::kTextUnit;
  const uint32_t length = size / wire::Small::kTextUnit;
  if (count != 0) (void)slots.Assign(body, count);
  if (length != 0) {
    std::memcpy(text.Allocate(length, false), body + count, length);
  }
}

size_t Payload::ByteSize() const {
  size_t total = size_t{slots.count()} * sizeof(double) + text.bytes();
  for (const Text& t : more_text) total += t.bytes();
  for (const Bytes& b : buffers) total += b.size;
  return total;
}

}  // namespace sloppy::workers

#include "payload/payload.h"

#include <cstdlib>
#include <cstring>

namespace sloppy::workers {

Text& Text::operator=(Text&& other) noexcept {
  if (this == &other) return *this;
  Clear();
  heap_ = other.heap_;
  length_ = other.length_;
  two_byte_ = other.two_byte_;
  if (heap_ == nullptr) std::memcpy(inline_, other.inline_, bytes());
  other.heap_ = nullptr;
  other.length_ = 0;
  return *this;
}

uint8_t* Text::Allocate(uint32_t length, bool two_byte) {
  Clear();
  const size_t size = size_t{length} * (two_byte ? 2 : 1);
  uint8_t* to = inline_;
  if (size > kInlineBytes) {
    heap_ = static_cast<uint8_t*>(std::malloc(size));
    if (heap_ == nullptr) return nullptr;
    to = heap_;
  }
  length_ = length;
  two_byte_ = two_byte;
  return to;
}

void Text::Clear() {
  std::free(heap_);
  heap_ = nullptr;
  length_ = 0;
}

uint8_t* Text::Release() {
  uint8_t* block = heap_;
  heap_ = nullptr;
  length_ = 0;
  return block;
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
    heap_ = static_cast<double*>(std::malloc(count * sizeof(double)));
    if (heap_ == nullptr) return false;
    to = heap_;
  }
  count_ = count;
  if (count != 0) std::memcpy(to, from, count * sizeof(double));
  return true;
}

void Slots::Clear() {
  std::free(heap_);
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

size_t Payload::ByteSize() const {
  size_t total = size_t{slots.count()} * sizeof(double) + text.bytes();
  for (const Text& t : more_text) total += t.bytes();
  for (const Bytes& b : buffers) total += b.size;
  return total;
}

}  // namespace sloppy::workers

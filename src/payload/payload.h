// One value on its way between two isolates, bound to neither.
//
// A payload is what lib/protocol/codec.js made of a value: a kind, a number,
// and for structured values a run of 8-byte slots plus the texts and byte
// buffers that the slots refer to in order. C++ moves these parts and never
// looks inside the slots, so the grammar has one owner, the codec.
//
// Move-only; not synchronised: exactly one thread owns it at a time.
#ifndef SLOPPY_WORKERS_PAYLOAD_PAYLOAD_H_
#define SLOPPY_WORKERS_PAYLOAD_PAYLOAD_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/protocol_gen.h"

namespace sloppy::workers {

using wire::PayloadKind;

// A string's code units, one or two bytes each. Short ones sit inside; the
// block of long ones may be shared, by any threads, and does not change any
// more once it is.
class Text {
 public:
  static constexpr size_t kInlineBytes = wire::Small::kTextBytes;

  Text() = default;
  Text(Text&& other) noexcept { *this = static_cast<Text&&>(other); }
  Text& operator=(Text&& other) noexcept;
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() { Clear(); }

  // Room for `length` units to be filled through data(), or nullptr when
  // memory is short. Drops what was there.
  uint8_t* Allocate(uint32_t length, bool two_byte);
  void Clear();
  // The same units: long ones in the same block, which is freed with the last.
  Text Share() const;

  bool empty() const { return length_ == 0; }
  uint32_t length() const { return length_; }
  bool two_byte() const { return two_byte_; }
  size_t bytes() const { return size_t{length_} * (two_byte_ ? 2 : 1); }
  bool is_inline() const { return block_ == nullptr; }
  const uint8_t* data() const { return block_ ? UnitsOf(block_) : inline_; }
  bool SharesBlockWith(const Text& other) const {
    return block_ != nullptr && block_ == other.block_;
  }

 private:
  // The count stands in front of the units.
  struct alignas(16) Block {
    std::atomic<uint32_t> references{1};
  };
  static uint8_t* UnitsOf(Block* block) {
    return reinterpret_cast<uint8_t*>(block + 1);
  }

  Block* block_ = nullptr;
  uint32_t length_ = 0;
  bool two_byte_ = false;
  alignas(8) uint8_t inline_[kInlineBytes];
};

// Bytes of an ArrayBuffer: `owner` keeps the backing store alive. Or the code
// of a WebAssembly.Module: `owner` is V8's handle of it, and nothing counts.
// Types are erased here because this layer is compiled without V8.
struct Bytes {
  std::shared_ptr<void> owner;
  size_t size = 0;
  bool is_code = false;
};

// The 8-byte slots. Short runs sit inside.
class Slots {
 public:
  static constexpr uint32_t kInlineSlots = wire::Small::kSlots;

  Slots() = default;
  Slots(Slots&& other) noexcept { *this = static_cast<Slots&&>(other); }
  Slots& operator=(Slots&& other) noexcept;
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;
  ~Slots() { Clear(); }

  // Copies `count` slots in; false when memory is short.
  bool Assign(const double* from, uint32_t count);
  void Clear();

  uint32_t count() const { return count_; }
  bool is_inline() const { return heap_ == nullptr; }
  const double* data() const { return heap_ ? heap_ : inline_; }
  // Gives up the heap block, of BlockCache; empty afterwards.
  // REQUIRES: !is_inline().
  double* Release();

 private:
  double* heap_ = nullptr;
  uint32_t count_ = 0;
  double inline_[kInlineSlots];
};

// INVARIANT: only strings and structures have parts.
struct Payload {
  PayloadKind kind = PayloadKind::kUndefined;
  double number = 0;
  Slots slots;
  Text text;                    // The string, or a structure's first text.
  std::vector<Text> more_text;  // A structure's further texts, in order.
  std::vector<Bytes> buffers;   // A structure's byte buffers, in order.

  // Back to `undefined`; releases everything.
  void Clear();
  // The parts of a value that JavaScript has laid out in memory that both
  // see: `size` is the number of slots + 16 * units of the text, which are
  // one byte each and behind the slots. REQUIRES: they fit inside.
  void FillShort(uint32_t size, const double* body);
  // The payload is nothing but slots and a text, which are inside.
  bool is_short() const {
    return slots.is_inline() && text.is_inline() && more_text.empty() &&
           buffers.empty();
  }
  // Bytes that count against limits.
  size_t ByteSize() const;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_PAYLOAD_PAYLOAD_H_

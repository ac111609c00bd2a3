// Strings of one isolate that share their units with other isolates.
//
// A string that arrives is a flat one in V8's heap, because code reads it unit
// by unit: the optimising compilers read no other kind as fast, and the middle
// one asks the runtime for every unit of a string outside the heap. The units
// are copied for that, which costs less than reading them so once.
//
// Units never change, so they are not copied again on their way out: a string
// that arrived goes out as the block it came in, and a block that comes back is
// the string that was there before, if that still lives. An isolate that passes
// long strings on gets the next one as a string outside its heap, on the block
// itself, because V8 maps new memory for each long string in its heap.
//
// The isolate's thread.
#ifndef SLOPPY_WORKERS_ISOLATE_SHARED_TEXTS_H_
#define SLOPPY_WORKERS_ISOLATE_SHARED_TEXTS_H_

#include <v8.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "payload/payload.h"

namespace sloppy::workers {

class SharedTexts {
 public:
  // Strings of at least this many bytes are remembered; strings of at least
  // that many are long, and V8 gives each of them pages of its own.
  static constexpr size_t kRemembered = size_t{8} << 10;
  static constexpr size_t kLong = size_t{128} << 10;
  // The most strings that are remembered, and the most bytes of strings that
  // have a copy of their units in V8's heap as well.
  static constexpr size_t kMaxRemembered = 8;
  static constexpr size_t kMaxOwnBytes = size_t{16} << 20;

  // `keeps_own`: strings that JavaScript made are remembered too when they go
  // out. What the blocks of strings inside the heap take is not known to the
  // isolate's memory limit.
  SharedTexts(v8::Isolate* isolate, bool keeps_own);
  // Called before the isolate is disposed of; its strings may outlive this.
  ~SharedTexts();
  SharedTexts(const SharedTexts&) = delete;
  SharedTexts& operator=(const SharedTexts&) = delete;

  v8::Isolate* isolate() const { return isolate_; }

  // The string's units. False when memory is short.
  bool Read(v8::Local<v8::String> string, Text* text);
  // A string of the units, which `text` may lose.
  v8::MaybeLocal<v8::String> Give(Text* text);

  // Bytes that the isolate's strings keep alive outside its heap.
  size_t bytes() const;

 private:
  struct Ledger;
  template <typename Resource, typename Unit>
  class External;

  enum class Kind : uint8_t { kMade, kCopied, kOutside };

  struct Remembered {
    v8::Global<v8::String> string;  // Weak.
    Text text;
    Kind kind = Kind::kMade;
  };

  v8::MaybeLocal<v8::String> GiveOutside(const Text& text);
  void TellV8(size_t bytes);
  Remembered* ForgetOldest();
  void Remember(v8::Local<v8::String> string, Text text, Kind kind);
  static void Forget(Remembered* entry);
  size_t OwnBytes() const;

  v8::Isolate* const isolate_;
  const bool keeps_own_;
  // Shared with the strings.
  const std::shared_ptr<Ledger> ledger_;
  size_t reported_ = 0;
  // The long string that arrived last has gone out again.
  bool passes_on_ = false;
  std::array<Remembered, kMaxRemembered> remembered_;
  size_t oldest_ = 0;
};

// A copy that is not remembered.
bool ReadText(v8::Isolate* isolate, v8::Local<v8::String> string, Text* text);
v8::MaybeLocal<v8::String> CopyText(v8::Isolate* isolate, const Text& text);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_SHARED_TEXTS_H_

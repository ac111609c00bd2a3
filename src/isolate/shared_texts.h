// Strings of one isolate that share their units with other isolates. Code
// units never change, so a long string goes from isolate to isolate by
// reference: it is copied once, out of V8's heap, and every isolate after that
// has a string outside its heap on the same block. A string that goes out
// again is the same block again, and a block that comes back is the string
// that was there before, if that still lives.
//
// The isolate's thread.
#ifndef SLOPPY_WORKERS_ISOLATE_SHARED_TEXTS_H_
#define SLOPPY_WORKERS_ISOLATE_SHARED_TEXTS_H_

#include <v8.h>

#include <array>
#include <cstddef>
#include <memory>

#include "payload/payload.h"

namespace sloppy::workers {

class SharedTexts {
 public:
  // From here on, in bytes, a string outside V8's heap is cheaper than a copy
  // inside, and from here on it is remembered.
  static constexpr size_t kExternal = size_t{8} << 10;
  static constexpr size_t kRemembered = size_t{64} << 10;
  // How many are remembered, and how many bytes of strings that have a copy of
  // their units in V8's heap as well.
  static constexpr size_t kMaxRemembered = 8;
  static constexpr size_t kMaxOwnBytes = size_t{16} << 20;

  // `keeps_own`: strings that V8 made are remembered too when they go out. What
  // that takes is not known to the isolate's memory limit.
  SharedTexts(v8::Isolate* isolate, bool keeps_own);
  // Before the isolate is disposed of; its strings may outlive this.
  ~SharedTexts();
  SharedTexts(const SharedTexts&) = delete;
  SharedTexts& operator=(const SharedTexts&) = delete;

  v8::Isolate* isolate() const { return isolate_; }

  // The string's units. False when memory is short.
  bool Read(v8::Local<v8::String> string, Text* text);
  // A string of the units, which `text` may lose.
  v8::MaybeLocal<v8::String> Give(Text* text);

  // What the isolate's strings keep alive outside its heap.
  size_t bytes() const;

 private:
  struct Ledger;
  template <typename Resource, typename Unit>
  class External;

  struct Remembered {
    v8::Global<v8::String> string;  // Weak.
    Text text;
    bool own = false;
  };

  void TellV8(size_t bytes);
  Remembered* ForgetOldest();
  void Remember(v8::Local<v8::String> string, Text text, bool own);
  static void Forget(Remembered* entry);
  size_t OwnBytes() const;

  v8::Isolate* const isolate_;
  const bool keeps_own_;
  // Shared with the strings.
  const std::shared_ptr<Ledger> ledger_;
  size_t told_ = 0;
  std::array<Remembered, kMaxRemembered> remembered_;
  size_t oldest_ = 0;
};

// Copies, and leaves no trace.
bool ReadText(v8::Isolate* isolate, v8::Local<v8::String> string, Text* text);
v8::MaybeLocal<v8::String> CopyText(v8::Isolate* isolate, const Text& text);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_SHARED_TEXTS_H_

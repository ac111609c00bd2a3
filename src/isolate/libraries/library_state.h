// The state that an isolate has of Node's libraries: objects that own a
// library's memory, and what the natives must know of the worker around them.
//
// Worker thread only. The isolate's IsolateHost owns it and frees, before V8
// goes, what the collector has not found by then.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARY_STATE_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARY_STATE_H_

#include <v8.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "isolate/memory_limit.h"

namespace sloppy::workers {

class HeldBase;

class LibraryState {
 public:
  LibraryState(v8::Isolate* isolate, MemoryLimit* memory,
               const std::atomic<bool>* interrupted);
  ~LibraryState();
  LibraryState(const LibraryState&) = delete;
  LibraryState& operator=(const LibraryState&) = delete;

  static LibraryState& Of(v8::Isolate* isolate) {
    return *static_cast<LibraryState*>(isolate->GetData(kSlot));
  }

  MemoryLimit& memory() { return *memory_; }
  // Whether the code that runs is to end: a long native looks between pieces,
  // and returns. JavaScript is terminated then anyway.
  bool IsInterrupted() const {
    return interrupted_ != nullptr &&
           interrupted_->load(std::memory_order_relaxed);
  }
  // Whether a native may start a thread: a sandbox's process has V8's only.
  bool has_threads() const { return interrupted_ != nullptr; }
  v8::Local<v8::ObjectTemplate> held_template();
  size_t held() const { return held_; }

 private:
  friend class HeldBase;
  static constexpr uint32_t kSlot = 1;

  v8::Isolate* const isolate_;
  MemoryLimit* const memory_;
  const std::atomic<bool>* const interrupted_;
  v8::Eternal<v8::ObjectTemplate> template_;
  HeldBase* first_ = nullptr;
  size_t held_ = 0;
  // The bytes of objects that went since V8 was told last.
  int64_t freed_bytes_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARY_STATE_H_

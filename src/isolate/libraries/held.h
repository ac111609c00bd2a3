// Objects of JavaScript that own memory of a library. It is freed when the
// object is collected, at the latest with the isolate.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_HELD_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_HELD_H_

#include <v8.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "isolate/libraries/library_state.h"

namespace sloppy::workers {

// Worker thread. The common part: a node in the list of its LibraryState.
class HeldBase {
 public:
  virtual ~HeldBase();
  HeldBase(const HeldBase&) = delete;
  HeldBase& operator=(const HeldBase&) = delete;

 protected:
  // `kind` is one address a class, `bytes` what V8 is told that it weighs.
  HeldBase(v8::Isolate* isolate, const void* kind, size_t bytes);
  // Empty when JavaScript is being terminated; `this` is deleted then.
  v8::MaybeLocal<v8::Object> Wrap(v8::Local<v8::Context> context);
  // The same with an object that has one internal field.
  void Adopt(v8::Local<v8::Object> object);
  static HeldBase* Find(v8::Local<v8::Value> value, const void* kind);

 private:
  friend class LibraryState;
  static void OnCollected(const v8::WeakCallbackInfo<HeldBase>& info);

  LibraryState& state_;
  const void* const kind_;
  const size_t bytes_;
  v8::Global<v8::Object> object_;
  HeldBase* before_ = nullptr;
  HeldBase* after_ = nullptr;
};

// `T` is moved in, and destroyed with the object.
template <typename T>
class Held final : public HeldBase {
 public:
  static v8::MaybeLocal<v8::Object> New(v8::Isolate* isolate, T value,
                                        size_t bytes = 1024) {
    auto* held = new Held(isolate, std::move(value), bytes);
    return held->Wrap(isolate->GetCurrentContext());
  }
  // nullptr for any other value.
  static T* From(v8::Local<v8::Value> value) {
    HeldBase* held = Find(value, &kKind);
    return held == nullptr ? nullptr : &static_cast<Held*>(held)->value_;
  }

 private:
  Held(v8::Isolate* isolate, T value, size_t bytes)
      : HeldBase(isolate, &kKind, bytes), value_(std::move(value)) {}
  inline static const char kKind = 0;

  T value_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_HELD_H_

// Differences between V8s as v8_compat.h has them, of properties that C++
// stands behind.
#ifndef SLOPPY_WORKERS_ISOLATE_V8_PROPERTIES_H_
#define SLOPPY_WORKERS_ISOLATE_V8_PROPERTIES_H_

#include <v8.h>

#include "isolate/v8_compat.h"

namespace sloppy::workers {

inline v8::MaybeLocal<v8::Context> CreationContextOf(
    v8::Isolate* isolate, v8::Local<v8::Object> object) {
#if SW_V8_AT_LEAST(14, 0)
  return object->GetCreationContext(isolate);
#else
  (void)isolate;
  return object->GetCreationContext();
#endif
}

inline v8::Local<v8::Value> ValueOfField(v8::Local<v8::Object> object,
                                         int index) {
  return object->GetInternalField(index).As<v8::Value>();
}

// The pointer in an object's only internal field.
inline void SetInternalPointer(v8::Local<v8::Object> object, void* pointer) {
#if SW_V8_AT_LEAST(14, 2)
  object->SetAlignedPointerInInternalField(0, pointer,
                                           v8::kEmbedderDataTypeTagDefault);
#else
  object->SetAlignedPointerInInternalField(0, pointer);
#endif
}
inline void* InternalPointer(v8::Local<v8::Object> object) {
#if SW_V8_AT_LEAST(14, 2)
  return object->GetAlignedPointerFromInternalField(
      0, v8::kEmbedderDataTypeTagDefault);
#else
  return object->GetAlignedPointerFromInternalField(0);
#endif
}

// V8 11 and 12.4 have the prototype without a V2.
inline v8::Local<v8::Value> PrototypeOf(v8::Local<v8::Object> object) {
#if SW_V8_AT_LEAST(13, 0)
  return object->GetPrototypeV2();
#else
  return object->GetPrototype();
#endif
}

// Node asks a contextified object for the attributes of a property, and lists
// also what it hides, since V8 12.4.
#define SW_HAS_INTERCEPTED SW_V8_AT_LEAST(12, 4)
constexpr bool kQueriesIntercepted = SW_HAS_INTERCEPTED;

// An interceptor's answer: whether it did all that is to be done. Before 12.4
// it says so by a value.
// Whether a name is written without an object. V8 14 refuses one that nobody
// has declared by itself, and does not show what was written to.
inline bool IsBareStore(const auto& info, v8::Local<v8::Object> global) {
#if SW_V8_AT_LEAST(14, 0)
  (void)info;
  (void)global;
  return false;
#else
  return info.This() != global;
#endif
}

#if SW_HAS_INTERCEPTED
using Interception = v8::Intercepted;
using InterceptedSet = v8::PropertyCallbackInfo<void>;
inline Interception Intercepts(bool is_done) {
  return is_done ? v8::Intercepted::kYes : v8::Intercepted::kNo;
}
inline void NoteIntercepted(const InterceptedSet&, v8::Local<v8::Value>) {}
#else
using Interception = void;
using InterceptedSet = v8::PropertyCallbackInfo<v8::Value>;
inline void Intercepts(bool) {}
inline void NoteIntercepted(const InterceptedSet& info,
                            v8::Local<v8::Value> value) {
  info.GetReturnValue().Set(value);
}
#endif

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_V8_PROPERTIES_H_

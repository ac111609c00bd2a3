// Buffers that must stay in their isolate.
#ifndef SLOPPY_WORKERS_ISOLATE_UNTRANSFERABLE_H_
#define SLOPPY_WORKERS_ISOLATE_UNTRANSFERABLE_H_

#include <v8.h>

namespace sloppy::workers {

inline constexpr char kUntransferableName[] =
    "untransferable_object_private_symbol";

// The isolate's thread. Whether Node's library has marked `buffer`, in an
// isolate of ours: the slab that small Buffers share is, and without it all of
// them would be empty.
inline bool IsUntransferable(v8::Isolate* isolate,
                             v8::Local<v8::Context> context,
                             v8::Local<v8::ArrayBuffer> buffer) {
  const v8::Local<v8::Private> mark = v8::Private::ForApi(
      isolate,
      v8::String::NewFromUtf8Literal(isolate, kUntransferableName,
                                     v8::NewStringType::kInternalized));
  return buffer->HasPrivate(context, mark).FromMaybe(false);
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_UNTRANSFERABLE_H_

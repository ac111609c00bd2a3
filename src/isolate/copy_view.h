#ifndef SLOPPY_WORKERS_ISOLATE_COPY_VIEW_H_
#define SLOPPY_WORKERS_ISOLATE_COPY_VIEW_H_

#include <v8.h>

#include <cstddef>
#include <cstring>

namespace sloppy::workers {

// Worker thread: copies the first `size` bytes of a view that has as many.
//
// Small views live in V8's heap, without a buffer of their own, until one is
// asked for. V8 copies nothing of a view that follows the length of a resizable
// buffer.
inline void CopyView(v8::Local<v8::ArrayBufferView> view, void* to,
                     size_t size) {
  if (size == 0 || view->CopyContents(to, size) == size) return;
  std::memcpy(
      to, static_cast<const char*>(view->Buffer()->Data()) + view->ByteOffset(),
      size);
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_COPY_VIEW_H_

#include "isolate/new_buffer.h"

namespace sloppy::workers {
namespace {

bool IsThere(v8::Isolate* isolate, size_t bytes) {
  if (bytes == 0) return true;
  v8::ArrayBuffer::Allocator* allocator = isolate->GetArrayBufferAllocator();
  void* memory = allocator->AllocateUninitialized(bytes);
  if (memory == nullptr) return false;
  allocator->Free(memory, bytes);
  return true;
}

}  // namespace

v8::MaybeLocal<v8::ArrayBuffer> NewBuffer(v8::Isolate* isolate, size_t bytes) {
  if (!IsThere(isolate, bytes)) {
    // V8 does the same for JavaScript.
    isolate->LowMemoryNotification();
    if (!IsThere(isolate, bytes)) {
      isolate->ThrowException(
          v8::Exception::RangeError(v8::String::NewFromUtf8Literal(
              isolate, "Array buffer allocation failed")));
      return {};
    }
  }
  return v8::ArrayBuffer::New(isolate, bytes);
}

}  // namespace sloppy::workers

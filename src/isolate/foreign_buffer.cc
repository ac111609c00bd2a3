#include "isolate/foreign_buffer.h"

#include <unordered_set>
#include <utility>

#include "base/mutex.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// The addresses of bytes that have an owner.
class Owned {
 public:
  // Never destroyed: bytes are freed until the very end.
  static Owned& Process() {
    static Owned* const owned = new Owned;
    return *owned;
  }

  bool Add(const void* bytes) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return places_.insert(bytes).second;
  }
  void Remove(const void* bytes) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    places_.erase(bytes);
  }

 private:
  Mutex mutex_;
  std::unordered_set<const void*> places_ SW_GUARDED_BY(mutex_);
};

}  // namespace

std::shared_ptr<v8::BackingStore> ForAnyIsolate(
    std::shared_ptr<v8::BackingStore> store) {
  using Store = std::shared_ptr<v8::BackingStore>;
  // V8 reallocates none of these.
  if (!kReallocatesBuffers || store->ByteLength() == 0 || store->IsShared() ||
      store->IsResizableByUserJavaScript()) {
    return store;
  }
  void* bytes = store->Data();
  const size_t size = store->ByteLength();
  if (!Owned::Process().Add(bytes)) return store;
  auto free = [](void* place, size_t, void* owner) {
    // First, because the place may be another's as soon as it is free.
    Owned::Process().Remove(place);
    delete static_cast<Store*>(owner);
  };
  return v8::ArrayBuffer::NewBackingStore(bytes, size, free,
                                          new Store(std::move(store)));
}

}  // namespace sloppy::workers

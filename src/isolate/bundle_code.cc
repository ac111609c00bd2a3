#include "isolate/bundle_code.h"

#include <string_view>
#include <unordered_map>

#include "base/mutex.h"

namespace sloppy::workers {
namespace {

// Jobs of one process mostly call the same functions of a bundle.
constexpr int kMaxStores = 4;

// How often each bundle may still be stored by this process.
class StoresLeft {
 public:
  static StoresLeft& Get() {
    // Never destroyed: worker threads may outlast static destructors.
    static StoresLeft* const stores = new StoresLeft;
    return *stores;
  }

  bool Any(const EmbeddedSource& bundle) {
    MutexLock lock(mutex_);
    return taken_[bundle.name] < kMaxStores;
  }
  bool Take(const EmbeddedSource& bundle) {
    MutexLock lock(mutex_);
    return taken_[bundle.name]++ < kMaxStores;
  }

 private:
  Mutex mutex_;
  std::unordered_map<std::string_view, int> taken_ SW_GUARDED_BY(mutex_);
};

}  // namespace

void BundleCode::Add(const EmbeddedSource& bundle,
                     v8::Local<v8::UnboundScript> script,
                     const CodeCache::Data& cached) {
  if (cached == nullptr) StoreCodeOf(bundle, script);
  if (StoresLeft::Get().Any(bundle)) {
    items_.push_back({&bundle, {isolate_, script}});
  }
}

void BundleCode::StoreGrown() {
  if (items_.empty()) return;
  v8::HandleScope scope(isolate_);
  for (Item& item : items_) {
    if (!StoresLeft::Get().Take(*item.bundle)) continue;
    StoreCodeOf(*item.bundle, item.script.Get(isolate_));
  }
  items_.clear();
}

}  // namespace sloppy::workers

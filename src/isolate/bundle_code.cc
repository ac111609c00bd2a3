#include "isolate/bundle_code.h"

#include <string_view>
#include <unordered_map>

#include "base/mutex.h"

namespace sloppy::workers {
namespace {

// Jobs of one process mostly call the same functions of a bundle.
constexpr int kMaxStores = 4;

// How often this process has stored each bundle after a job.
class Stores {
 public:
  static Stores& Get() {
    // Never destroyed: worker threads may outlast static destructors.
    static Stores* const stores = new Stores;
    return *stores;
  }

  // False once it has been often enough.
  bool Take(const EmbeddedSource& bundle) {
    MutexLock lock(mutex_);
    int& taken = taken_[bundle.name];
    if (taken == kMaxStores) return false;
    ++taken;
    return true;
  }

 private:
  Mutex mutex_;
  std::unordered_map<std::string_view, int> taken_ SW_GUARDED_BY(mutex_);
};

}  // namespace

void BundleCode::Add(const EmbeddedSource& bundle,
                     v8::Local<v8::UnboundScript> script) {
  items_.push_back({&bundle, {isolate_, script}});
}

void BundleCode::StoreGrown() {
  if (items_.empty()) return;
  v8::HandleScope scope(isolate_);
  for (Item& item : items_) {
    if (!Stores::Get().Take(*item.bundle)) continue;
    StoreCodeOf(*item.bundle, item.script.Get(isolate_));
  }
  items_.clear();
}

}  // namespace sloppy::workers

#include "isolate/memory_limit.h"

#include <algorithm>
#include <utility>

#include "base/live.h"
#include "isolate/heap_room.h"
#include "isolate/v8_compat.h"
#include "payload/block_cache.h"

namespace sloppy::workers {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
// The young generation to begin with, of an isolate for one job: each page of
// it is mapped when the isolate is made and unmapped when it goes.
constexpr size_t kShortLivedYoung = kMiB * 3 / 4;
// Three semi-spaces, as V8 counts: what a thread of Node's has.
constexpr size_t kLargestYoung = (SW_V8_AT_LEAST(13, 0) ? 96 : 48) * kMiB;
// A full collection of this much takes some milliseconds.
constexpr size_t kQuicklyCollected = 32 * kMiB;

size_t UsedHeap(v8::Isolate* isolate) {
  v8::HeapStatistics statistics;
  isolate->GetHeapStatistics(&statistics);
  return statistics.used_heap_size();
}

}  // namespace

// Allocate runs on the isolate's thread; Free on any, because V8 sweeps array
// buffers concurrently and because buffers travel.
class MemoryLimit::Allocator final : public v8::ArrayBuffer::Allocator {
 public:
  explicit Allocator(size_t limit) : limit_(limit) {}

  void* Allocate(size_t length) override {
    return Take(length, [](size_t bytes) {
      return BlockCache::Process().TakeZeroed(bytes);
    });
  }
  void* AllocateUninitialized(size_t length) override {
    return Take(length,
                [](size_t bytes) { return BlockCache::Process().Take(bytes); });
  }
  void Free(void* data, size_t length) override {
    if (is_used_.load(std::memory_order_relaxed)) {
      BlockCache::Process().Give(data, length);
    } else {
      // The isolate goes, and perhaps nobody will want its blocks again.
      BlockCache::Process().Free(data, length);
    }
    Uncount(length);
  }
  bool Count(void* memory, size_t length) {
    return Take(length, [memory](size_t) { return memory; }) != nullptr;
  }
  void Uncount(size_t length) {
    used_.fetch_sub(length, std::memory_order_relaxed);
  }

  size_t used() const { return used_.load(std::memory_order_relaxed); }
  bool refused() const { return refused_; }
  void set_heap(size_t bytes) { heap_ = bytes; }
  size_t heap() const { return heap_; }
  // The least that was used since the last call: buffers found dead are freed
  // some time after the collection that found them.
  size_t TakeLow() {
    const size_t low = std::min(low_, used());
    low_ = used();
    return low;
  }
  void set_owner(MemoryLimit* owner) {
    owner_ = owner;
    is_used_.store(owner != nullptr, std::memory_order_relaxed);
  }

 private:
  template <typename Source>
  void* Take(size_t length, Source source) {
    low_ = std::min(low_, used());
    if (length > limit_ || used() + heap_ > limit_ - length) {
      return Refuse();
    }
    void* data = source(length);
    if (data == nullptr) return Refuse();
    used_.fetch_add(length, std::memory_order_relaxed);
    refused_ = false;
    return data;
  }
  void* Refuse() {
    if (!refused_ && owner_ != nullptr && owner_->isolate_ != nullptr) {
      owner_->isolate_->RequestInterrupt(OnRefused, owner_);
    }
    refused_ = true;
    return nullptr;
  }

  Counted<Live::kAllocators> counted_;
  const size_t limit_;
  std::atomic<size_t> used_{0};
  std::atomic<bool> is_used_{false};
  // The isolate's thread only.
  size_t heap_ = 0;
  size_t low_ = 0;
  bool refused_ = false;
  MemoryLimit* owner_ = nullptr;
};

MemoryLimit::MemoryLimit(size_t limit_bytes, bool short_lived)
    : limit_(limit_bytes),
      short_lived_(short_lived),
      allocator_(std::make_shared<Allocator>(limit_bytes)) {}

MemoryLimit::~MemoryLimit() { allocator_->set_owner(nullptr); }

void MemoryLimit::Configure(v8::Isolate::CreateParams* params) {
  params->array_buffer_allocator_shared = allocator_;
  v8::ResourceConstraints& constraints = params->constraints;
  // The young generation grows with what survives in it, up to V8's default for
  // a main thread: in a small one, much of what a job makes is copied and
  // promoted before it dies. What is long-lived has to fit into the old one.
  const size_t old = limit_ - std::min(limit_ / 16, 24 * kMiB);
  constraints.set_max_young_generation_size_in_bytes(
      std::min(limit_, kLargestYoung));
  constraints.set_max_old_generation_size_in_bytes(old);
  // A heap below this size is not collected: V8 lets a heap with a low limit
  // grow by less than a third from one full collection to the next.
  constraints.set_initial_old_generation_size_in_bytes(old / 2);
  if (short_lived_) {
    constraints.set_initial_young_generation_size_in_bytes(kShortLivedYoung);
  }
}

void MemoryLimit::Attach(v8::Isolate* isolate, const SharedTexts* texts) {
  isolate_ = isolate;
  texts_ = texts;
  isolate->SetData(kSlot, this);
  allocator_->set_owner(this);
  isolate->AddNearHeapLimitCallback(OnNearHeapLimit, this);
  isolate->AddGCEpilogueCallback(OnGarbageCollected, this);
}

void MemoryLimit::Detach() {
  isolate_->RemoveGCEpilogueCallback(OnGarbageCollected, this);
  isolate_->RemoveNearHeapLimitCallback(OnNearHeapLimit, 0);
  allocator_->set_owner(nullptr);
  isolate_->SetData(kSlot, nullptr);
  growable_.Clear();
  isolate_ = nullptr;
  texts_ = nullptr;
}

std::shared_ptr<v8::BackingStore> MemoryLimit::Lend(
    void* memory, size_t bytes, std::shared_ptr<void> keep) {
  struct Lent {
    // The allocator lives until its last buffer is gone.
    std::shared_ptr<Allocator> allocator;
    std::shared_ptr<void> keep;
  };
  // Empty buffers have no address, and would seem to be refused.
  if (bytes != 0 && !allocator_->Count(memory, bytes)) return nullptr;
  auto give_back = [](void*, size_t length, void* lent) {
    const std::unique_ptr<Lent> mine(static_cast<Lent*>(lent));
    mine->allocator->Uncount(length);
  };
  return v8::ArrayBuffer::NewBackingStore(
      memory, bytes, give_back, new Lent{allocator_, std::move(keep)});
}

bool MemoryLimit::HasRoomFor(size_t bytes) {
  if (bytes > limit_) return false;
  // Both, because the allocator refuses by what it knows.
  const auto fits = [this, bytes] {
    const size_t heap = std::max(UsedHeap(isolate_), allocator_->heap());
    return allocator_->used() + heap <= limit_ - bytes;
  };
  if (fits()) return true;
  // Dead objects still count.
  isolate_->LowMemoryNotification();
  return fits();
}

bool MemoryLimit::HasRoomNow(size_t bytes) const {
  return bytes <= limit_ &&
         allocator_->used() + allocator_->heap() <= limit_ - bytes;
}

std::shared_ptr<v8::ArrayBuffer::Allocator> MemoryLimit::allocator() const {
  return allocator_;
}

size_t MemoryLimit::external_bytes() const { return allocator_->used(); }

bool MemoryLimit::CheckGrowable() {
  if (hit_) return true;
  if (GrowableIsOver(true) && StaysOver()) {
    End();
    return true;
  }
  looked_over_ = false;
  return false;
}

// Dead memory still counts until it is collected, but for one that is over by
// itself.
bool MemoryLimit::StaysOver() {
  if (growable_.largest() <= limit_) growable_.ReleaseNewest();
  isolate_->LowMemoryNotification();
  return GrowableIsOver(true);
}

bool MemoryLimit::CheckAtEnd() {
  if (growable_.empty()) return false;
  const bool over = hit_ || EndsOver();
  growable_.ReleaseNewest();
  return over;
}

bool MemoryLimit::EndsOver() {
  if (!growable_.hidden() && !GrowableIsOver(false)) return false;
  // One that is over by itself is this job's, dead or not.
  if (growable_.largest() <= limit_) return CheckGrowable();
  End();
  return true;
}

bool MemoryLimit::GrowableIsOver(bool may_collect) {
  v8::HandleScope scope(isolate_);
  v8::HeapStatistics statistics;
  isolate_->GetHeapStatistics(&statistics);
  const size_t allocated = allocator_->used();
  // Texts may be dead: OnGarbageCollected knows which are not.
  const size_t known = allocated + texts_->bytes();
  // V8 counts some kinds itself, others only we know, and none is in both.
  const size_t counted = statistics.external_memory();
  const size_t outside =
      std::max(growable_.empty() ? 0 : growable_.Measure(isolate_, may_collect),
               counted > known ? counted - known : 0);
  // The heap's garbage must not count without a collection. Dead growable
  // memory hardly can: JavaScript that makes some collects it (CheckGrowable).
  if (!may_collect) return outside > limit_;
  return outside > 0 &&
         statistics.used_heap_size() + allocated + outside > limit_;
}

void MemoryLimit::CollectDropped() { isolate_->LowMemoryNotification(); }

void MemoryLimit::CollectAll() {
  if (UsedHeap(isolate_) <= kQuicklyCollected) {
    CollectAndGiveBack(isolate_);
  }
  was_collected_.store(false, std::memory_order_relaxed);
}

void MemoryLimit::RequestCheck(v8::Isolate* isolate) {
  if (check_requested_.exchange(true, std::memory_order_relaxed)) return;
  isolate->RequestInterrupt(OnCheck, this);
}

void MemoryLimit::End() {
  hit_ = true;
  isolate_->TerminateExecution();
}

size_t MemoryLimit::OnNearHeapLimit(void* data, size_t current,
                                    size_t /*initial*/) {
  auto* self = static_cast<MemoryLimit*>(data);
  const size_t used = UsedHeap(self->isolate_);
  // V8 14 also calls when an array buffer was refused, with the heap far
  // from its limit: then there is nothing to stretch.
  if (!self->hit_ && self->allocator_->refused() && used < current / 2) {
    return current;
  }
  // A built-in that never looks for its termination. Without more room V8 runs
  // out of memory, and the thread is given up.
  if (std::exchange(self->stretched_, true)) return current;
  self->End();
  // The heap may double before the code gets to a place where it looks.
  return std::max(current, used) +
         HeapRoom(std::max(4 * self->limit_, used / 2 * 5));
}

void MemoryLimit::OnGarbageCollected(v8::Isolate* isolate, v8::GCType type,
                                     v8::GCCallbackFlags, void* data) {
  auto* self = static_cast<MemoryLimit*>(data);
  const size_t heap = UsedHeap(isolate);
  self->allocator_->set_heap(heap);
  self->was_collected_.store(true, std::memory_order_relaxed);
  // A scavenge leaves the garbage of the old generation in the count.
  if (type != v8::kGCTypeMarkSweepCompact) return;
  const size_t texts = self->texts_->bytes();
  const bool over = heap + texts + self->allocator_->TakeLow() > self->limit_;
  // Texts that were found dead are gone by now.
  const bool is_certain = texts > 0 && heap + texts > self->limit_;
  if (over && (is_certain || self->was_over_) && !self->hit_) self->End();
  self->was_over_ = over;
}

void MemoryLimit::OnRefused(v8::Isolate* isolate, void* data) {
  auto* self = static_cast<MemoryLimit*>(data);
  if (self->isolate_ == isolate && self->allocator_->refused()) self->End();
}

void MemoryLimit::OnCheck(v8::Isolate* isolate, void* data) {
  auto* self = static_cast<MemoryLimit*>(data);
  self->check_requested_.store(false, std::memory_order_relaxed);
  if (self->isolate_ != isolate || isolate->IsExecutionTerminating()) return;
  if constexpr (kInterruptsMayCollect) {
    self->CheckGrowable();
  } else if (!self->hit_) {
    self->CheckUncollected();
  }
}

// The total may include garbage, so it takes two looks in a row. A single block
// larger than the limit is enough by itself, because JavaScript that makes the
// next one would collect it before the next look.
void MemoryLimit::CheckUncollected() {
  const bool over = GrowableIsOver(false);
  if (over && (looked_over_ || growable_.largest() > limit_)) End();
  looked_over_ = over;
}

}  // namespace sloppy::workers

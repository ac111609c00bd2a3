// A machine whose memory is as weak as the language allows, to run the
// lock-free headers on (base/memory_order.h). One thread runs at a time, and at
// each step of an atomic the world chooses who is next and which value a load
// sees: any that its thread has not seen a later one of.
//
// Each write keeps what its writer had seen (a view), if it releases; who
// acquires it has seen that as well. Plain words must be ordered by that: a
// race is a failure, like a thread that sleeps for ever. Not in it: stores that
// overtake each other in one location's order, and loads of values that are
// written only later.
#ifndef SLOPPY_WORKERS_TEST_UNIT_MODEL_WEAK_MEMORY_H_
#define SLOPPY_WORKERS_TEST_UNIT_MODEL_WEAK_MEMORY_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "test/unit/model/turns.h"

namespace sloppy::workers::model {

// The clock of each thread by number, then the locations' writes.
using View = std::vector<uint32_t>;

inline void Join(View* view, const View& other, size_t from = 0) {
  if (view->size() < other.size()) view->resize(other.size());
  for (size_t i = from; i < other.size(); ++i) {
    (*view)[i] = std::max((*view)[i], other[i]);
  }
}
inline uint32_t& At(View* view, size_t i) {
  if (view->size() <= i) view->resize(i + 1);
  return (*view)[i];
}

enum class Op : uint8_t { kLoad, kStore, kExchange };

// A mistake to be found: this operation on the location of this number, in the
// order of construction, has `order` instead.
struct Mistake {
  int location = -1;
  Op op = Op::kLoad;
  std::memory_order order = std::memory_order_relaxed;
};

class World {
 public:
  static constexpr size_t kThreads = 4;

  World(Choices* choices, Mistake mistake)
      : turns_(choices), choices_(choices), mistake_(mistake) {
    current_world = this;
  }
  ~World() { current_world = nullptr; }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  static World& Now() { return *current_world; }

  void Go(std::function<void()> body) { turns_.Add(std::move(body)); }
  // Empty when all of them came to their ends.
  std::string Run() {
    seen_.resize(kThreads);
    for (View& view : seen_) Join(&view, setup_);
    running_ = true;
    turns_.Run();
    running_ = false;
    return turns_.failure();
  }
  void Require(bool holds, const char* what) {
    if (!holds) turns_.Fail(what);
  }
  // Somebody else is to run first.
  void Pause() { turns_.Pause(); }

  size_t AddLocation(uint64_t value) {
    locations_.push_back({{value, {}}});
    return locations_.size() - 1;
  }

  uint64_t Load(size_t location, std::memory_order order) {
    order = OrderOf(location, Op::kLoad, order);
    View& seen = Step();
    auto& history = locations_[location];
    uint32_t oldest = At(&seen, kThreads + location);
    if (order == std::memory_order_seq_cst) {
      oldest = std::max(oldest, At(&total_, kThreads + location));
    }
    const auto newest = static_cast<uint32_t>(history.size() - 1);
    uint32_t at = newest;
    if (running_ && oldest < newest && stale_reads_ < kMaxStale) {
      at = newest - choices_->Next(newest - oldest + 1);
      if (at < newest) ++stale_reads_;
    }
    At(&seen, kThreads + location) = at;
    if (Acquires(order)) Join(&seen, history[at].view);
    return history[at].value;
  }

  void Store(size_t location, uint64_t value, std::memory_order order) {
    order = OrderOf(location, Op::kStore, order);
    Write(location, value, order, Step(), {});
  }

  // `change` gives the new value; false leaves the old one.
  template <typename Change>
  uint64_t Exchange(size_t location, std::memory_order order, Change change) {
    order = OrderOf(location, Op::kExchange, order);
    View& seen = Step();
    const Message last = locations_[location].back();
    At(&seen, kThreads + location) =
        static_cast<uint32_t>(locations_[location].size() - 1);
    uint64_t value = last.value;
    const bool changes = change(&value);
    if (Acquires(order)) Join(&seen, last.view);
    // The view that the last write carried goes on with this one.
    if (changes) Write(location, value, order, seen, last.view);
    return last.value;
  }

  // A futex: looks at the newest value, and sleeps until it is notified.
  void Wait(size_t location, uint64_t old) {
    Step();
    if (locations_[location].back().value == old) turns_.Sleep(location);
  }
  void Notify(size_t location) { turns_.Wake(location); }

  // Every thread has seen what any has: a barrier on every processor.
  void HeavyFence() {
    Step();
    View all;
    for (const View& view : seen_) Join(&all, view);
    for (View& view : seen_) Join(&view, all, kThreads);
  }

  void ReadPlain(const void* place) {
    const View& seen = Step(false);
    Use& use = uses_[place];
    Require(Knows(seen, use.written), "read before the write is known");
    if (running_) At(&use.read, Self()) = seen[Self()];
  }
  void WritePlain(const void* place) {
    const View& seen = Step(false);
    Use& use = uses_[place];
    Require(Knows(seen, use.written), "two writes without an order");
    Require(Knows(seen, use.read), "written while it may be read");
    use = {};
    if (running_) At(&use.written, Self()) = seen[Self()];
  }

 private:
  // More of them are a slower machine, not another one.
  static constexpr int kMaxStale = 6;

  struct Message {
    uint64_t value;
    View view;
  };
  // Clocks of those who have used a plain word.
  struct Use {
    View written;
    View read;
  };

  static bool Acquires(std::memory_order order) {
    return order != std::memory_order_relaxed &&
           order != std::memory_order_release;
  }
  static bool Releases(std::memory_order order) {
    return order != std::memory_order_relaxed &&
           order != std::memory_order_acquire;
  }
  static bool Knows(View seen, const View& clocks) {
    for (size_t i = 0; i < clocks.size(); ++i) {
      if (At(&seen, i) < clocks[i]) return false;
    }
    return true;
  }

  std::memory_order OrderOf(size_t location, Op op, std::memory_order order) {
    const bool is_it =
        static_cast<int>(location) == mistake_.location && op == mistake_.op;
    return is_it ? mistake_.order : order;
  }
  size_t Self() const { return turns_.current(); }

  // All is in order before anybody runs.
  View& Step(bool others_may_run = true) {
    if (!running_) return setup_;
    if (others_may_run) turns_.Next();
    View& seen = seen_[Self()];
    ++At(&seen, Self());
    return seen;
  }

  void Write(size_t location, uint64_t value, std::memory_order order,
             View& seen, View carried) {
    auto& history = locations_[location];
    const auto at = static_cast<uint32_t>(history.size());
    At(&seen, kThreads + location) = at;
    if (Releases(order)) Join(&carried, seen);
    At(&carried, kThreads + location) = at;
    history.push_back({value, std::move(carried)});
    if (order == std::memory_order_seq_cst) {
      At(&total_, kThreads + location) = at;
    }
  }

  static inline World* current_world = nullptr;

  Turns turns_;
  Choices* const choices_;
  const Mistake mistake_;
  bool running_ = false;
  int stale_reads_ = 0;
  std::vector<std::vector<Message>> locations_;
  std::map<const void*, Use> uses_;
  std::vector<View> seen_;
  View setup_;
  View total_;  // The order of writes that are seq_cst.
};

template <typename T>
class Atomic {
 public:
  Atomic() : Atomic(T{}) {}
  explicit Atomic(T value) : at_(World::Now().AddLocation(Word(value))) {}
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst) const {
    return Value(World::Now().Load(at_, order));
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    World::Now().Store(at_, Word(value), order);
  }
  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) {
    return Value(World::Now().Exchange(at_, order, [&](uint64_t* word) {
      *word = Word(value);
      return true;
    }));
  }
  bool compare_exchange_strong(T& expected, T value, std::memory_order order) {
    const T found =
        Value(World::Now().Exchange(at_, order, [&](uint64_t* word) {
          if (*word != Word(expected)) return false;
          *word = Word(value);
          return true;
        }));
    return std::exchange(expected, found) == found;
  }
  bool compare_exchange_weak(T& expected, T value, std::memory_order order) {
    return compare_exchange_strong(expected, value, order);
  }
  void wait(T old, std::memory_order order) const {
    World::Now().Wait(at_, Word(old));
    (void)load(order);
  }
  void notify_one() { World::Now().Notify(at_); }

 private:
  static uint64_t Word(T value) {
    uint64_t word = 0;
    std::memcpy(&word, &value, sizeof(value));
    return word;
  }
  static T Value(uint64_t word) {
    T value;
    std::memcpy(&value, &word, sizeof(value));
    return value;
  }

  const size_t at_;
};

// Trivial, because it is a member of unions.
template <typename T>
class Plain {
 public:
  Plain() = default;
  constexpr Plain(T value) : value_(value) {}  // NOLINT: as the word itself.
  Plain& operator=(T value) {
    World::Now().WritePlain(this);
    value_ = value;
    return *this;
  }
  operator T() const {  // NOLINT: as the word itself.
    World::Now().ReadPlain(this);
    return value_;
  }

 private:
  T value_;
};

struct WeakMemory {
  template <typename T>
  using Atomic = model::Atomic<T>;
  template <typename T>
  using Plain = model::Plain<T>;
};

// Runs `body(world)`, which sets up and calls Go, again and again; what the
// first failure was, empty for none.
template <typename Body>
std::string Explore(int runs, Body body, Mistake mistake = {}) {
  for (int run = 0; run < runs; ++run) {
    Choices choices(static_cast<uint64_t>(run));
    World world(&choices, mistake);
    const std::string failure = body(world);
    if (!failure.empty()) return failure;
  }
  return "";
}

}  // namespace sloppy::workers::model

#endif  // SLOPPY_WORKERS_TEST_UNIT_MODEL_WEAK_MEMORY_H_

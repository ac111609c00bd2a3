#include "test/sim/world.h"

#include <algorithm>
#include <cstdlib>

namespace sloppy::workers::sim {

World::~World() {
  for (auto& fibre : fibres_) {
    if (fibre->stack != nullptr) stacks_.push_back(std::move(fibre->stack));
  }
}

void World::Spawn(std::string name, std::function<void()> body) {
  auto fibre = std::make_unique<Fibre>();
  fibre->name = std::move(name);
  fibre->body = std::move(body);
  if (stacks_.empty()) {
    fibre->stack.reset(new char[kStackBytes]);
  } else {
    fibre->stack = std::move(stacks_.back());
    stacks_.pop_back();
  }
  getcontext(&fibre->start);
  fibre->start.uc_stack.ss_sp = fibre->stack.get();
  fibre->start.uc_stack.ss_size = kStackBytes;
  fibre->start.uc_link = nullptr;
  const auto self = reinterpret_cast<uintptr_t>(this);
  makecontext(&fibre->start, reinterpret_cast<void (*)()>(&World::Enter), 2,
              static_cast<unsigned>(uint64_t{self} >> 32),
              static_cast<unsigned>(self));
  fibres_.push_back(std::move(fibre));
}

void World::Enter(unsigned high, unsigned low) {
  auto* world = reinterpret_cast<World*>(
      static_cast<uintptr_t>(uint64_t{high} << 32 | low));
  world->fibres_[world->self_]->body();
  world->Leave();
}

void World::Leave() {
  Fibre* fibre = fibres_[self_].get();
  if (!fibre->locks.empty()) Fail("a thread ended with a lock");
  fibre->ended = true;
  Yield();
  std::abort();  // Nobody comes back to it.
}

void World::Run() {
  World* const before = std::exchange(current_world_, this);
  self_ = 0;
  if (_setjmp(main_) == 0) Resume(fibres_[0].get());
  current_world_ = before;
}

// swapcontext asks the system for the signals' mask at each switch, which would
// be half the time of a schedule.
void World::Resume(Fibre* fibre) {
  if (fibre->entered) _longjmp(fibre->left, 1);
  fibre->entered = true;
  setcontext(&fibre->start);
  std::abort();
}

std::vector<size_t> World::Able() const {
  std::vector<size_t> able;
  for (size_t i = 0; i < fibres_.size(); ++i) {
    if (!fibres_[i]->ended && !fibres_[i]->blocked) able.push_back(i);
  }
  return able;
}

void World::SwitchTo(size_t next) {
  if (next == self_) return;
  alone_ = 0;
  looks_ = 0;
  const size_t from = std::exchange(self_, next);
  if (traces_) Note("-> " + fibres_[next]->name);
  if (_setjmp(fibres_[from]->left) == 0) Resume(fibres_[next].get());
}

void World::Point() {
  if (over_) return;
  if (++steps_ > kMaxSteps) Fail("no end");
  std::vector<size_t> others = Able();
  std::erase(others, self_);
  // One that runs for long may wait for another, or for the time. Whether it
  // waits in vain tells only what it does meanwhile: a row of submissions is
  // long too, but changes something.
  ++looks_;
  const bool long_alone = ++alone_ > kMaxAlone;
  if (others.empty()) {
    if (!long_alone) return;
    alone_ = 0;
    if (PassTime()) looks_ = 0;
    if (looks_ > kMaxLooks) Fail("spins for ever");
    return;
  }
  if (long_alone) {
    SwitchTo(others[steps_ % others.size()]);
    return;
  }
  const uint32_t taken =
      chooser_->Choose(static_cast<uint32_t>(others.size() + 1), true);
  if (taken != 0) SwitchTo(others[taken - 1]);
}

void World::Yield() {
  for (;;) {
    const std::vector<size_t> able = Able();
    if (able.size() == 1) return SwitchTo(able[0]);
    if (!able.empty()) {
      return SwitchTo(
          able[chooser_->Choose(static_cast<uint32_t>(able.size()), false)]);
    }
    const bool all_ended = std::all_of(fibres_.begin(), fibres_.end(),
                                       [](auto& f) { return f->ended; });
    if (all_ended) break;
    if (quiet_) quiet_();
    if (!failure_.empty()) break;
    if (PassTime()) continue;
    std::string who;
    for (auto& fibre : fibres_) {
      if (!fibre->ended) who += " " + fibre->name;
    }
    Report("asleep for ever:" + who);
    break;
  }
  over_ = true;
  _longjmp(main_, 1);
}

// The clock goes to the first moment for which anybody waits; false if none.
bool World::PassTime() {
  int64_t next = kForever;
  for (auto& fibre : fibres_) {
    if (fibre->blocked) next = std::min(next, fibre->until);
  }
  if (next == kForever) return false;
  now_ = std::max(now_, next);
  for (auto& fibre : fibres_) {
    if (fibre->blocked && fibre->until <= now_) {
      fibre->blocked = false;
      fibre->notified = false;
    }
  }
  if (traces_) Note("time " + std::to_string(now_ - 1'000'000'000));
  return true;
}

bool World::WaitOn(const void* key, int64_t until) {
  Fibre* fibre = fibres_[self_].get();
  if (until <= now_) {
    Point();
    return false;
  }
  if (++steps_ > kMaxSteps) Fail("no end");
  fibre->key = key;
  fibre->until = until;
  fibre->blocked = true;
  Yield();
  fibre->key = nullptr;
  fibre->until = kForever;
  return fibre->notified;
}

void World::Wake(Fibre* fibre) {
  fibre->blocked = false;
  fibre->notified = true;
  alone_ = 0;
  Changed();
}

void World::NotifyOne(const void* key) {
  for (auto& fibre : fibres_) {
    if (!fibre->blocked || fibre->key != key || key == nullptr) continue;
    Wake(fibre.get());
    return;
  }
}

void World::NotifyAll(const void* key) {
  for (auto& fibre : fibres_) {
    if (fibre->blocked && fibre->key == key && key != nullptr) {
      Wake(fibre.get());
    }
  }
}

bool World::Reaches(const void* from, const void* to) const {
  if (from == to) return true;
  return std::any_of(order_.begin(), order_.end(), [&](const auto& edge) {
    return edge.first == from && Reaches(edge.second, to);
  });
}

void World::OnLock(const void* lock) {
  std::vector<const void*>& held = fibres_[self_]->locks;
  if (!held.empty()) {
    const std::pair<const void*, const void*> edge{held.back(), lock};
    if (std::find(order_.begin(), order_.end(), edge) == order_.end()) {
      if (Reaches(lock, held.back())) Fail("locks are taken in a circle");
      order_.push_back(edge);
    }
  }
  held.push_back(lock);
}

void World::OnUnlock(const void* lock) {
  std::vector<const void*>& held = fibres_[self_]->locks;
  const auto at = std::find(held.begin(), held.end(), lock);
  if (at == held.end()) Fail("a lock is given back by another thread");
  held.erase(at);
}

void World::Report(std::string what) {
  if (failure_.empty()) failure_ = std::move(what);
}

void World::Fail(std::string what) {
  Report(std::move(what));
  over_ = true;
  _longjmp(main_, 1);
}

void World::Note(const std::string& what) {
  if (traces_) trace_.push_back(what);
}

}  // namespace sloppy::workers::sim

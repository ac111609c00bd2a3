// Threads of which one runs at a time, and who goes on is chosen.
#ifndef SLOPPY_WORKERS_TEST_UNIT_MODEL_TURNS_H_
#define SLOPPY_WORKERS_TEST_UNIT_MODEL_TURNS_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "test/unit/model/choices.h"

namespace sloppy::workers::model {

class Turns {
 public:
  explicit Turns(Choices* choices) : choices_(choices) {}

  void Add(std::function<void()> body) { bodies_.push_back(std::move(body)); }

  void Run() {
    threads_ = std::vector<Thread>(bodies_.size());
    std::vector<std::thread> started;
    current_ = choices_->Next(bodies_.size());
    for (size_t i = 0; i < bodies_.size(); ++i) {
      started.emplace_back([this, i] { RunOne(i); });
    }
    for (std::thread& thread : started) thread.join();
  }

  size_t current() const { return current_; }
  const std::string& failure() const { return failure_; }

  // The calling thread, whose turn it is. Ends this run.
  void Fail(const char* what) {
    if (failure_.empty()) failure_ = what;
    throw Over{};
  }

  // Anybody, also the calling thread.
  void Next() {
    if (++steps_ > kMaxSteps) Fail("no end");
    Choose(Able());
  }

  // Anybody else who can.
  void Pause() {
    if (++steps_ > kMaxSteps) Fail("no end");
    std::vector<size_t> able = Able();
    if (able.size() > 1) {
      alone_ = 0;
      std::erase(able, current_);
    } else if (++alone_ > kMaxAlone) {
      Fail("asleep for ever");
    }
    Choose(able);
  }

  void Sleep(size_t on) {
    threads_[current_].sleeps_on = static_cast<int>(on);
    const std::vector<size_t> able = Able();
    if (able.empty()) Fail("asleep for ever");
    Choose(able);
  }
  void Wake(size_t on) {
    for (Thread& thread : threads_) {
      if (thread.sleeps_on != static_cast<int>(on)) continue;
      thread.sleeps_on = -1;
      return;
    }
  }

 private:
  static constexpr int kMaxSteps = 2000;
  // Pauses in a row of one for whom nobody else will do anything.
  static constexpr int kMaxAlone = 20;

  struct Over {};
  struct Thread {
    int sleeps_on = -1;
    bool ended = false;
    std::condition_variable turn;
  };

  std::vector<size_t> Able() const {
    std::vector<size_t> able;
    for (size_t i = 0; i < threads_.size(); ++i) {
      if (!threads_[i].ended && threads_[i].sleeps_on < 0) able.push_back(i);
    }
    return able;
  }

  void Choose(const std::vector<size_t>& able) {
    const size_t self = current_;
    const size_t next = able[choices_->Next(able.size())];
    if (next == self) return;
    std::unique_lock<std::mutex> lock(mutex_);
    current_ = next;
    threads_[next].turn.notify_one();
    WaitForTurn(self, &lock);
  }

  void WaitForTurn(size_t self, std::unique_lock<std::mutex>* lock) {
    threads_[self].turn.wait(*lock, [&] { return current_ == self || over_; });
    if (over_) throw Over{};
  }

  void RunOne(size_t self) {
    try {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        WaitForTurn(self, &lock);
      }
      bodies_[self]();
      End(self);
    } catch (const Over&) {
      EndAll();
    }
  }

  void End(size_t self) {
    threads_[self].ended = true;
    const std::vector<size_t> able = Able();
    bool all = true;
    for (const Thread& thread : threads_) all = all && thread.ended;
    if (able.empty()) {
      if (!all) failure_ = "asleep for ever";
      EndAll();
      return;
    }
    std::unique_lock<std::mutex> lock(mutex_);
    current_ = able[choices_->Next(able.size())];
    threads_[current_].turn.notify_one();
  }

  void EndAll() {
    std::unique_lock<std::mutex> lock(mutex_);
    over_ = true;
    for (Thread& thread : threads_) thread.turn.notify_one();
  }

  Choices* const choices_;
  std::vector<std::function<void()>> bodies_;
  std::vector<Thread> threads_;
  std::mutex mutex_;
  size_t current_ = 0;
  bool over_ = false;
  int steps_ = 0;
  int alone_ = 0;
  std::string failure_;
};

}  // namespace sloppy::workers::model

#endif  // SLOPPY_WORKERS_TEST_UNIT_MODEL_TURNS_H_

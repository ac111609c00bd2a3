// The choosers of a world's schedule.
#ifndef SLOPPY_WORKERS_TEST_SIM_CHOOSERS_H_
#define SLOPPY_WORKERS_TEST_SIM_CHOOSERS_H_

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "test/sim/world.h"
#include "test/unit/model/choices.h"

namespace sloppy::workers::sim {

// Takes the turn away at one point of `every`, which is the run's own.
class RandomChooser : public Chooser {
 public:
  explicit RandomChooser(uint64_t seed)
      : choices_(seed), every_(uint32_t{1} << (1 + choices_.Next(6))) {}

  uint32_t Choose(uint32_t count, bool preempts) override {
    if (!preempts) return choices_.Next(count);
    if (choices_.Next(every_) != 0) return 0;
    return 1 + choices_.Next(count - 1);
  }

 private:
  model::Choices choices_;
  const uint32_t every_;
};

// Walks through all schedules that depart from the first one at most so often,
// depth first: Begin(), a run, Next(), Begin(), a run, … A departure takes a
// turn away, or has another thread follow one that waits.
class BoundedChooser : public Chooser {
 public:
  explicit BoundedChooser(uint32_t departures) : most_(departures) {}

  void Begin() {
    at_ = 0;
    used_ = 0;
  }
  // False when that was the last one.
  bool Next() {
    while (!taken_.empty()) {
      Choice& last = taken_.back();
      if (++last.taken < last.count) return true;
      taken_.pop_back();
    }
    return false;
  }

  uint32_t Choose(uint32_t count, bool) override {
    if (used_ == most_) return 0;
    if (at_ == taken_.size()) taken_.push_back({count, 0});
    const uint32_t taken = taken_[at_++].taken;
    if (taken != 0) ++used_;
    return taken;
  }

  // The choices of the run that ended; those after the last departure are 0.
  std::string Describe() const {
    std::string text;
    for (const Choice& choice : taken_) {
      text += std::to_string(choice.taken) + ",";
    }
    return text;
  }

 private:
  struct Choice {
    uint32_t count;
    uint32_t taken;
  };
  const uint32_t most_;
  std::vector<Choice> taken_;
  size_t at_ = 0;
  uint32_t used_ = 0;
};

// Those of a failed run, as BoundedChooser describes them.
class GivenChooser : public Chooser {
 public:
  explicit GivenChooser(const char* text) : text_(text) {}

  uint32_t Choose(uint32_t, bool) override {
    if (*text_ == 0) return 0;
    char* end = nullptr;
    const auto taken = static_cast<uint32_t>(std::strtoul(text_, &end, 10));
    text_ = *end == ',' ? end + 1 : end;
    return taken;
  }

 private:
  const char* text_;
};

}  // namespace sloppy::workers::sim

#endif  // SLOPPY_WORKERS_TEST_SIM_CHOOSERS_H_

// Numbers that a run is made of.
#ifndef SLOPPY_WORKERS_TEST_UNIT_MODEL_CHOICES_H_
#define SLOPPY_WORKERS_TEST_UNIT_MODEL_CHOICES_H_

#include <cstddef>
#include <cstdint>

namespace sloppy::workers::model {

// A run is told apart by its number alone, and can be had again.
class Choices {
 public:
  explicit Choices(uint64_t run) : state_(run * 0x9e3779b97f4a7c15 + 1) {}
  // A number below `count`.
  uint32_t Next(size_t count) {
    // SplitMix64.
    state_ += 0x9e3779b97f4a7c15;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return static_cast<uint32_t>((mixed ^ (mixed >> 31)) % count);
  }

 private:
  uint64_t state_;
};

}  // namespace sloppy::workers::model

#endif  // SLOPPY_WORKERS_TEST_UNIT_MODEL_CHOICES_H_

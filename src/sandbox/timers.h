// The timers of a realm without a loop of libuv's, which needs descriptors.
#ifndef SLOPPY_WORKERS_SANDBOX_TIMERS_H_
#define SLOPPY_WORKERS_SANDBOX_TIMERS_H_

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

namespace sloppy::workers::sandbox {

class Timers {
 public:
  // `now` and what NextIn() tells are milliseconds.
  void Start(double id, double now, double ms);
  void Stop(double id);
  void SetRef(double id, bool ref);

  // Whether one is left that its realm waits for.
  bool alive() const { return refs_ > 0; }
  // -1 without a timer.
  double NextIn(double now) const;
  // The next one that is due and was not started after `turn`, a number of
  // turns(); it is stopped. -1 if there is none.
  double TakeDue(double now, uint64_t turn);
  uint64_t turns() const { return started_; }

 private:
  // Equal times in the order of their start.
  using Place = std::pair<double, uint64_t>;
  struct Timer {
    Place place;
    bool ref;
  };

  std::map<Place, double> by_time_;
  std::unordered_map<double, Timer> by_id_;
  uint64_t started_ = 0;
  int refs_ = 0;
};

}  // namespace sloppy::workers::sandbox

#endif  // SLOPPY_WORKERS_SANDBOX_TIMERS_H_

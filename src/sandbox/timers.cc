#include "sandbox/timers.h"

#include <algorithm>

namespace sloppy::workers::sandbox {

void Timers::Put(double id, double at, Timer timer) {
  timer.place = {at, ++started_};
  by_time_.emplace(timer.place, id);
  by_id_[id] = timer;
}

void Timers::Start(double id, double now, double ms, bool repeat) {
  Stop(id);
  Put(id, now + ms, {{}, repeat ? std::max(ms, 1.0) : -1, true});
  ++refs_;
}

void Timers::Stop(double id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return;
  if (found->second.ref) --refs_;
  by_time_.erase(found->second.place);
  by_id_.erase(found);
}

void Timers::SetRef(double id, bool ref) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end() || found->second.ref == ref) return;
  found->second.ref = ref;
  refs_ += ref ? 1 : -1;
}

double Timers::NextIn(double now) const {
  if (by_time_.empty()) return -1;
  return std::max(0.0, by_time_.begin()->first.first - now);
}

double Timers::TakeDue(double now, uint64_t turn) {
  for (const auto& [place, id] : by_time_) {
    if (place.first > now) break;
    if (place.second > turn) continue;
    const double due = id;
    const Timer timer = by_id_[due];
    if (timer.repeat_ms < 0) {
      Stop(due);
    } else {
      by_time_.erase(place);
      Put(due, now + timer.repeat_ms, timer);
    }
    return due;
  }
  return -1;
}

}  // namespace sloppy::workers::sandbox

#include "sandbox/timers.h"

#include <algorithm>

namespace sloppy::workers::sandbox {

void Timers::Start(double id, double now, double ms) {
  Stop(id);
  const Place place = {now + ms, ++started_};
  by_time_.emplace(place, id);
  by_id_[id] = {place, true};
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
    Stop(due);
    return due;
  }
  return -1;
}

}  // namespace sloppy::workers::sandbox

// The places in the owner's scripts where functions are written, by number.
// Owner thread only.
#ifndef SLOPPY_WORKERS_BINDING_LITERALS_H_
#define SLOPPY_WORKERS_BINDING_LITERALS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace sloppy::workers {

class Literals {
 public:
  // V8 gives no two scripts of an isolate the same id, not even one after the
  // other. 0 for a function of none (id 0), and where there are too many.
  uint32_t IdOf(int script, int64_t position) {
    const Place place{script, position};
    if (place != last_) {
      if (script == 0) return 0;
      auto found = ids_.find(place);
      if (found == ids_.end()) {
        if (ids_.size() >= kMost) return 0;
        found = ids_.emplace(place, ids_.size() + 1).first;
      }
      last_ = place;
      last_id_ = found->second;
    }
    return last_id_;
  }

 private:
  using Place = std::pair<int, int64_t>;
  static constexpr size_t kMost = 4096;

  std::map<Place, uint32_t> ids_;
  // The next one is likely to be the same.
  Place last_{0, 0};
  uint32_t last_id_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_LITERALS_H_

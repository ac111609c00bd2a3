// Finds where a sequence of units is in another, in linear time whatever they
// are: a search cannot be interrupted.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_FIND_UNITS_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_FIND_UNITS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "isolate/bindings/wide_search.h"

namespace sloppy::workers {

inline constexpr size_t kNotFound = ~size_t{0};

namespace find_units {

template <typename All, typename Part>
size_t FindSlowly(All all, size_t size, Part part, size_t wanted, size_t i) {
  for (; i + wanted <= size; ++i) {
    size_t same = 0;
    while (same < wanted && all(i + same) == part(same)) ++same;
    if (same == wanted) return i;
  }
  return kNotFound;
}

struct EachPlace {
  size_t operator()(size_t i) const { return i; }
};

// Looks at each place while that has cost little, because most searches are
// over soon. `At` gives the units in the order of the search, and `skip` the
// next place that is worth a look.
template <typename All, typename Part, typename Skip = EachPlace>
size_t Find(All all, size_t size, Part part, size_t wanted, size_t from,
            Skip skip = {}) {
  size_t budget = 16 * (size - from) + 1024;
  const size_t last = size - wanted;
  size_t i = skip(from);
  for (; i <= last && budget > wanted; i = skip(i + 1)) {
    if (all(i) != part(0)) continue;
    size_t same = 1;
    while (same < wanted && all(i + same) == part(same)) ++same;
    if (same == wanted) return i;
    budget -= same;
  }
  if (i > last) return kNotFound;
  // Knuth, Morris and Pratt: no unit of `all` is looked at twice.
  const std::unique_ptr<size_t[]> border(new (std::nothrow) size_t[wanted]);
  if (border == nullptr) return FindSlowly(all, size, part, wanted, i);
  border[0] = 0;
  for (size_t k = 1, same = 0; k < wanted; ++k) {
    while (same > 0 && part(k) != part(same)) same = border[same - 1];
    if (part(k) == part(same)) ++same;
    border[k] = same;
  }
  for (size_t same = 0; i < size; ++i) {
    while (same > 0 && all(i) != part(same)) same = border[same - 1];
    if (all(i) == part(same)) ++same;
    if (same == wanted) return i + 1 - wanted;
  }
  return kNotFound;
}

}  // namespace find_units

// Any thread. The first index from `from` on, or the last up to `from` when not
// `forward`. REQUIRES: 0 < wanted_size <= size.
template <typename Unit>
size_t FindUnits(const Unit* all, size_t size, const Unit* wanted,
                 size_t wanted_size, size_t from, bool forward) {
  const size_t last = size - wanted_size;
  if (!forward) {
    const size_t begin = std::min(from, last);
    const size_t found =
        find_units::Find([=](size_t i) { return all[size - 1 - i]; }, size,
                         [=](size_t i) { return wanted[wanted_size - 1 - i]; },
                         wanted_size, last - begin);
    return found == kNotFound ? kNotFound : last - found;
  }
  if (from > last) return kNotFound;
  const auto at = [all](size_t i) { return all[i]; };
  const auto part = [wanted](size_t i) { return wanted[i]; };
  if constexpr (sizeof(Unit) == 1) {
    const auto skip = [=](size_t i) {
      if (i > last) return i;
      return i + SkipWithoutPair(all + i, last + 1 - i, wanted[0],
                                 wanted[wanted_size - 1], wanted_size - 1);
    };
    return find_units::Find(at, size, part, wanted_size, from, skip);
  } else {
    return find_units::Find(at, size, part, wanted_size, from);
  }
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_FIND_UNITS_H_

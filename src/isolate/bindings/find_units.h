// Where a sequence of units is in another, in linear time whatever they are:
// a search cannot be interrupted.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_FIND_UNITS_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_FIND_UNITS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

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

// Looks at each place while that has cost little, because most searches are
// over soon. `At` gives the units in the order of the search.
template <typename All, typename Part>
size_t Find(All all, size_t size, Part part, size_t wanted, size_t from) {
  size_t budget = 16 * (size - from) + 1024;
  const size_t last = size - wanted;
  size_t i = from;
  for (; i <= last && budget > wanted; ++i) {
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
  if constexpr (sizeof(Unit) == 1) {
    // The C library's is the fastest for the first unit.
    const auto* first = static_cast<const Unit*>(
        std::memchr(all + from, wanted[0], last + 1 - from));
    if (first == nullptr) return kNotFound;
    from = static_cast<size_t>(first - all);
    if (wanted_size == 1) return from;
  }
  return find_units::Find([=](size_t i) { return all[i]; }, size,
                          [=](size_t i) { return wanted[i]; }, wanted_size,
                          from);
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_FIND_UNITS_H_

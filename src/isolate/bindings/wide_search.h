// The part of find_units.h that looks at 16 bytes at a time.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_WIDE_SEARCH_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_WIDE_SEARCH_H_

#include <cstddef>
#include <cstdint>

namespace sloppy::workers {

// Any thread. How many of the first `places` of `data` come before one where
// `first` stands, and `last` `gap` bytes behind it. A bound from below: nothing
// is said of the place that follows. REQUIRES: places + gap bytes.
size_t SkipWithoutPair(const uint8_t* data, size_t places, uint8_t first,
                       uint8_t last, size_t gap);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_WIDE_SEARCH_H_

#include "isolate/bindings/wide_search.h"

#include <cstring>

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define SW_WIDE_SEARCH_X64 1
#endif

namespace sloppy::workers {

size_t SkipWithoutPair(const uint8_t* data, size_t places, uint8_t first,
                       [[maybe_unused]] uint8_t last,
                       [[maybe_unused]] size_t gap) {
  size_t i = 0;
#if SW_WIDE_SEARCH_X64
  // Two bytes of the right distance are far rarer than one.
  const __m128i firsts = _mm_set1_epi8(static_cast<char>(first));
  const __m128i lasts = _mm_set1_epi8(static_cast<char>(last));
  for (; gap > 0 && i + 16 <= places; i += 16) {
    const auto at = [data, i](size_t offset) {
      return _mm_loadu_si128(
          reinterpret_cast<const __m128i*>(data + i + offset));
    };
    const auto both = static_cast<unsigned>(_mm_movemask_epi8(_mm_and_si128(
        _mm_cmpeq_epi8(at(0), firsts), _mm_cmpeq_epi8(at(gap), lasts))));
    if (both != 0) return i + static_cast<size_t>(__builtin_ctz(both));
  }
#endif
  // The C library's is the fastest for one.
  const void* found =
      i == places ? nullptr : std::memchr(data + i, first, places - i);
  if (found == nullptr) return places;
  return static_cast<size_t>(static_cast<const uint8_t*>(found) - data);
}

}  // namespace sloppy::workers

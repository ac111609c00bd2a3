// Functions of simdutf, which some Nodes export: 20, 22 and 26 of Linux and
// macOS do, 24 and those of Windows do not. Only those are here that have had
// the same meaning in all of them and take no options, because their names are
// C++'s and say nothing of results.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_SIMDUTF_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_SIMDUTF_H_

#include <cstddef>

namespace sloppy::workers {

struct Simdutf {
  bool (*validate_utf8)(const char* bytes, size_t size);
  size_t (*utf8_length_from_latin1)(const char* units, size_t size);
  size_t (*convert_latin1_to_utf8)(const char* units, size_t size, char* to);
  // Zero where a byte is not UTF-8, or a character is not of that width.
  size_t (*convert_utf8_to_latin1)(const char* bytes, size_t size, char* to);
  size_t (*convert_utf8_to_utf16le)(const char* bytes, size_t size,
                                    char16_t* to);
};

// Any thread; looked up once a process. nullptr where one of them is missing.
const Simdutf* FindSimdutf();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_SIMDUTF_H_

// The object shapes that the isolates of one environment agreed on: a shape
// is an ordered list of keys, kept as the text that the codec makes of it.
// Encoders define shapes, decoders look them up by id; ids are never reused.
#ifndef SLOPPY_WORKERS_PAYLOAD_SHAPE_TABLE_H_
#define SLOPPY_WORKERS_PAYLOAD_SHAPE_TABLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"

namespace sloppy::workers {

class ShapeTable {
 public:
  // Bounds what odd payloads can make the table hold.
  static constexpr int32_t kMaxShapes = 4096;
  static constexpr size_t kMaxTextLength = 4096;

  // Any thread. The shape's id, or -1 when the table is full or the text too
  // long (the encoder then writes keys inline).
  int32_t Define(std::u16string_view keys) SW_EXCLUDES(mutex_);

  // Any thread. The text of a shape, empty for an unknown id.
  std::u16string Lookup(int32_t id) const SW_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::unordered_map<std::u16string, int32_t> ids_ SW_GUARDED_BY(mutex_);
  std::vector<const std::u16string*> texts_ SW_GUARDED_BY(mutex_);
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_PAYLOAD_SHAPE_TABLE_H_

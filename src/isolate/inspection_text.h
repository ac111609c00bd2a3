// The text of a file that a developer's tool opens: put together by a worker,
// written by its owner. A worker never waits for a file system, because a pipe
// without a reader or a network that is gone would keep it from its jobs.
#ifndef SLOPPY_WORKERS_ISOLATE_INSPECTION_TEXT_H_
#define SLOPPY_WORKERS_ISOLATE_INSPECTION_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>

namespace sloppy::workers {

// The worker's until it has answered, the owner's from then on.
class InspectionText {
 public:
  static constexpr size_t kChunkBytes = size_t{1} << 20;

  void Append(std::string_view text) {
    if (chunks_.empty() || chunks_.back().size() >= kChunkBytes) {
      chunks_.emplace_back();
    }
    chunks_.back().append(text);
  }
  void Append(int64_t number) { Append(std::to_string(number)); }
  // Gives a string of JSON. Bytes that are no UTF-8 become U+FFFD.
  void AppendQuoted(std::string_view utf8);

  // Takes the next piece; false when there is none.
  bool Take(std::string* chunk) {
    if (chunks_.empty()) return false;
    *chunk = std::move(chunks_.front());
    chunks_.pop_front();
    return true;
  }

 private:
  std::deque<std::string> chunks_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_INSPECTION_TEXT_H_

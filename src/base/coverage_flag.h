// The directory for counts of executed code, as Node's NODE_V8_COVERAGE. Any
// thread.
#ifndef SLOPPY_WORKERS_BASE_COVERAGE_FLAG_H_
#define SLOPPY_WORKERS_BASE_COVERAGE_FLAG_H_

#include <atomic>
#include <string>
#include <utility>

namespace sloppy::workers {

class CoverageFlag {
 public:
  // nullptr: nothing is counted.
  static const std::string* Directory() { return directory_.load(); }
  static bool IsOn() { return Directory() != nullptr; }
  // Concerns the isolates that are made from now on. Later calls change
  // nothing.
  static void Set(std::string directory) {
    if (IsOn()) return;
    const std::string* none = nullptr;
    // It is never deleted: any thread may read it until the process ends.
    const auto* made = new std::string(std::move(directory));
    if (!directory_.compare_exchange_strong(none, made)) delete made;
  }

 private:
  static inline std::atomic<const std::string*> directory_{nullptr};
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_COVERAGE_FLAG_H_

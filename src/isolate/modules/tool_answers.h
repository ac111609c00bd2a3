// The answers of the tools of the module loader
// (isolate/modules/tool_context.h), shared by all isolates of the process,
// because each of the tools takes milliseconds to get ready. An answer counts
// while every file and folder that it depends on, or that was looked for in
// vain, is as it was then.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_TOOL_ANSWERS_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_TOOL_ANSWERS_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "isolate/modules/file_path.h"

namespace sloppy::workers {

class ToolAnswers {
 public:
  // Past either, all of them are forgotten.
  static constexpr size_t kMaxAnswers = 4096;
  static constexpr size_t kMaxBytes = size_t{32} << 20;

  ToolAnswers() = default;
  ToolAnswers(const ToolAnswers&) = delete;
  ToolAnswers& operator=(const ToolAnswers&) = delete;

  // The process's.
  static ToolAnswers& Get();

  // Any thread; both look at the file system. `touched` is what the answer
  // depends on; of files that changed just now nothing is remembered.
  std::optional<std::string> Recall(const std::string& question)
      SW_EXCLUDES(mutex_);
  void Remember(const std::string& question, std::string text,
                const std::vector<std::string>& touched) SW_EXCLUDES(mutex_);

 private:
  struct Answer {
    std::string text;
    std::vector<std::pair<std::string, FileStamp>> touched;
  };

  Mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Answer>> answers_
      SW_GUARDED_BY(mutex_);
  size_t bytes_ SW_GUARDED_BY(mutex_) = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_TOOL_ANSWERS_H_

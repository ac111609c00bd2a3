#include "isolate/modules/tool_answers.h"

#include <chrono>
#include <filesystem>

namespace sloppy::workers {
namespace {

// A file may change twice within one tick of the file system's clock, or while
// a tool reads it.
constexpr auto kSettled = std::chrono::seconds(2);

}  // namespace

ToolAnswers& ToolAnswers::Get() {
  // Never destroyed: threads may outlive the process's static objects.
  static auto* answers = new ToolAnswers();
  return *answers;
}

std::optional<std::string> ToolAnswers::Recall(const std::string& question) {
  std::shared_ptr<const Answer> answer;
  {
    MutexLock lock(mutex_);
    const auto found = answers_.find(question);
    if (found == answers_.end()) return std::nullopt;
    answer = found->second;
  }
  for (const auto& [path, stamp] : answer->touched) {
    if (StampOfFile(path) != stamp) return std::nullopt;
  }
  return answer->text;
}

void ToolAnswers::Remember(const std::string& question, std::string text,
                           const std::vector<std::string>& touched) {
  auto answer = std::make_shared<Answer>();
  answer->text = std::move(text);
  answer->touched.reserve(touched.size());
  size_t bytes = question.size() + answer->text.size();
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const std::string& path : touched) {
    const FileStamp stamp = StampOfFile(path);
    if (stamp.kind == FileKind::kFile && now - stamp.modified < kSettled) {
      return;
    }
    answer->touched.emplace_back(path, stamp);
    bytes += sizeof(answer->touched.front()) + path.size();
  }
  if (bytes > kMaxBytes) return;
  MutexLock lock(mutex_);
  if (answers_.size() >= kMaxAnswers || bytes_ + bytes > kMaxBytes) {
    answers_.clear();
    bytes_ = 0;
  }
  // An answer that is replaced goes on counting until all are forgotten.
  bytes_ += bytes;
  answers_.insert_or_assign(question, std::move(answer));
}

}  // namespace sloppy::workers

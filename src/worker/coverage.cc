#include "worker/coverage.h"

#if SW_HAS_INSPECTOR

#include <uv.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace sloppy::workers {
namespace {

using v8_inspector::StringView;
using v8_inspector::V8Inspector;

// Stands in names of files where Node has the number of a thread, and is beyond
// those.
constexpr int kFirst = 1'000'000;

void Send(v8_inspector::V8InspectorSession* session, std::string_view message) {
  session->dispatchProtocolMessage(
      {reinterpret_cast<const uint8_t*>(message.data()), message.size()});
}

// The place behind the object that begins at `at`.
size_t EndOf(std::string_view json, size_t at) {
  int depth = 0;
  bool in_text = false;
  for (; at < json.size(); ++at) {
    const char c = json[at];
    if (in_text) {
      if (c == '\\') {
        ++at;
      } else if (c == '"') {
        in_text = false;
      }
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return json.size();
}

// Those of an answer's scripts that are files, with commas between them.
std::string FilesOf(std::string_view answer) {
  constexpr std::string_view kList = R"("result":[)";
  std::string files;
  size_t at = answer.find(kList);
  if (at == std::string_view::npos) return files;
  at += kList.size();
  while (at < answer.size() && answer[at] == '{') {
    const size_t end = EndOf(answer, at);
    const std::string_view script = answer.substr(at, end - at);
    if (script.find(R"("url":"file:)") < script.find(R"("functions":)")) {
      if (!files.empty()) files += ',';
      files += script;
    }
    at = end + 1;
  }
  return files;
}

}  // namespace

Coverage::Coverage(V8Inspector* inspector, int group)
    : session_(inspector->connect(group, this, StringView(),
                                  V8Inspector::kFullyTrusted,
                                  V8Inspector::kNotWaitingForDebugger)) {
  Send(session_.get(), R"({"id":1,"method":"Profiler.enable"})");
  Send(session_.get(), R"({"id":2,"method":"Profiler.startPreciseCoverage",)"
                       R"("params":{"callCount":true,"detailed":true}})");
}

void Coverage::WriteTo(const std::string& directory) {
  static std::atomic<int> last{kFirst};
  Send(session_.get(), R"({"id":3,"method":"Profiler.takePreciseCoverage"})");
  const std::string files = FilesOf(answer_);
  if (files.empty()) return;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::string path =
      directory + "/coverage-" + std::to_string(uv_os_getpid()) + "-" +
      std::to_string(ms) + "-" + std::to_string(last.fetch_add(1)) + ".json";
  std::FILE* file = std::fopen(path.c_str(), "wx");
  if (file == nullptr) return;
  const std::string text = R"({"result":[)" + files + "]}";
  const bool written =
      std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !written) std::remove(path.c_str());
}

// The text is ASCII, whatever the width of its units.
void Coverage::sendResponse(
    int, std::unique_ptr<v8_inspector::StringBuffer> message) {
  const StringView view = message->string();
  answer_.resize(view.length());
  for (size_t i = 0; i < view.length(); ++i) {
    answer_[i] = static_cast<char>(view.is_one_byte() ? view.bytes()[i]
                                                      : view.units()[i]);
  }
}

}  // namespace sloppy::workers

#endif  // SW_HAS_INSPECTOR

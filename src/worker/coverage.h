// Counts the code of files that one realm executes, and writes the counts as
// Node does for NODE_V8_COVERAGE, one file for each realm. Worker thread.
#ifndef SLOPPY_WORKERS_WORKER_COVERAGE_H_
#define SLOPPY_WORKERS_WORKER_COVERAGE_H_

#include <memory>
#include <string>

#include "isolate/v8_inspector.h"

#if SW_HAS_INSPECTOR

namespace sloppy::workers {

class Coverage final : private v8_inspector::V8Inspector::Channel {
 public:
  // Counts from now on, in the contexts of `group`, one at a time. Functions
  // that are compiled already are counted as a whole only.
  Coverage(v8_inspector::V8Inspector* inspector, int group);

  // Writes the counts of files, if there are any. Errors are ignored, as a
  // report is no reason to fail a job.
  void WriteTo(const std::string& directory);

 private:
  void sendResponse(
      int, std::unique_ptr<v8_inspector::StringBuffer> message) override;
  void sendNotification(std::unique_ptr<v8_inspector::StringBuffer>) override {}
  void flushProtocolNotifications() override {}

  const std::unique_ptr<v8_inspector::V8InspectorSession> session_;
  std::string answer_;
};

}  // namespace sloppy::workers

#endif  // SW_HAS_INSPECTOR

#endif  // SLOPPY_WORKERS_WORKER_COVERAGE_H_

#include "binding/owned_processes.h"

#ifndef _WIN32
#include <sys/types.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>
#include <utility>
#endif

namespace sloppy::workers {

#ifdef _WIN32

OwnedProcesses::~OwnedProcesses() = default;

#else

namespace {

// Node's loop may have waited for it a moment ago; then the number may be
// another process's, which must live.
bool IsChild(pid_t pid) { return waitpid(pid, nullptr, WNOHANG) == 0; }

void WaitFor(pid_t pid) {
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

OwnedProcesses::~OwnedProcesses() {
  std::set<int> left;
  for (const int pid : pids_) {
    if (!IsChild(pid)) continue;
    kill(pid, SIGKILL);
    left.insert(pid);
  }
  if (left.empty()) return;
  try {
    std::thread([left = std::move(left)] {
      for (const int pid : left) WaitFor(pid);
    }).detach();
  } catch (const std::system_error&) {
    // The system gives no thread: they stay until the process ends.
  }
}

#endif

}  // namespace sloppy::workers

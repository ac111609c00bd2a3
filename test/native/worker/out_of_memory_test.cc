#include "test/native/support.h"
#include "worker/worker_thread.h"

#if defined(__linux__)

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

namespace sloppy::workers {
namespace {

std::atomic<pid_t> g_thread = 0;

// The letter of proc(5), or nothing when the thread has ended.
std::string StateOf(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string id;
  std::string name;
  std::string state;
  file >> id >> name >> state;
  return state;
}

// A thread of V8's collects for some worker, and has none itself.
TEST(OutOfMemory, AThreadOfV8sSleepsForEver) {
  std::thread([] {
    g_thread = gettid();
    WorkerThread::OnOutOfMemory("", {});
  }).detach();
  while (g_thread == 0) std::this_thread::yield();
  std::string state = StateOf(g_thread);
  while (state == "R") state = StateOf(g_thread);
  EXPECT_EQ(state, "S");
}

}  // namespace
}  // namespace sloppy::workers

#endif  // defined(__linux__)

#include "binding/process_guard.h"

#ifdef __linux__
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#endif

#include <cstdlib>

#include "binding/arguments.h"
#include "isolate/heap_guard.h"

namespace sloppy::workers {
namespace {

int exit_code;

// Runs no destructors, because the heap is in the middle of a collection.
void OnHit(void*) { std::_Exit(exit_code); }

#ifdef __linux__
// The signal is of the thread that has started this process: a Worker's process
// ends with the Worker.
bool EndWith(int owner) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  // It may have ended before.
  if (getppid() != owner) std::_Exit(EXIT_FAILURE);
  return true;
}
#else
bool EndWith(int) { return false; }
#endif

}  // namespace

Napi::Value GuardProcess(const Napi::CallbackInfo& info) {
  exit_code = static_cast<int>(NumberAt(info, 1));
  // The hold lasts for ever: the isolate ends with the process.
  new HeapGuard(v8::Isolate::GetCurrent(), OnHit, nullptr);
  const bool ends = EndWith(static_cast<int>(NumberAt(info, 0)));
  return Napi::Boolean::New(info.Env(), ends);
}

}  // namespace sloppy::workers

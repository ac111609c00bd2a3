#include "binding/owner_watch.h"

#ifdef __linux__
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#endif

#include "binding/arguments.h"

namespace sloppy::workers {

#ifdef __linux__

Napi::Value MakeEnds(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  int ends[2];
  // They block, because a sandbox's process waits in its reads. Node changes
  // those that it reads itself.
  const int type = SOCK_STREAM | SOCK_CLOEXEC;
  if (socketpair(AF_UNIX, type, 0, ends) != 0) return env.Undefined();
  auto pair = Napi::Object::New(env);
  pair["ours"] = Napi::Number::New(env, ends[0]);
  pair["theirs"] = Napi::Number::New(env, ends[1]);
  return pair;
}

// The signal belongs to the socket, and is of the system: the process need not
// have come as far as PR_SET_PDEATHSIG, nor run at all.
void StartWatch(const Napi::CallbackInfo& info) {
  const int file = static_cast<int>(NumberAt(info, 0));
  const int pid = static_cast<int>(NumberAt(info, 1));
  if (pid > 0 && fcntl(file, F_SETOWN, pid) == 0 &&
      fcntl(file, F_SETSIG, SIGKILL) == 0) {
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_ASYNC);
  }
  close(file);
}

#else

Napi::Value MakeEnds(const Napi::CallbackInfo& info) {
  return info.Env().Undefined();
}

void StartWatch(const Napi::CallbackInfo&) {}

#endif

}  // namespace sloppy::workers

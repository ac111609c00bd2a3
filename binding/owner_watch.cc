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

Napi::Value MakeWatch(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  int ends[2];
  const int type = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  if (socketpair(AF_UNIX, type, 0, ends) != 0) return env.Undefined();
  auto watch = Napi::Object::New(env);
  watch["ours"] = Napi::Number::New(env, ends[0]);
  watch["theirs"] = Napi::Number::New(env, ends[1]);
  return watch;
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

Napi::Value MakeWatch(const Napi::CallbackInfo& info) {
  return info.Env().Undefined();
}

void StartWatch(const Napi::CallbackInfo&) {}

#endif

}  // namespace sloppy::workers

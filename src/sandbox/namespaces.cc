#include "sandbox/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "sandbox/exit_codes.h"

namespace sloppy::workers::sandbox {
namespace {

constexpr int kNew = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |
                     CLONE_NEWIPC | CLONE_NEWNS | CLONE_NEWUTS |
                     CLONE_NEWCGROUP;

bool WriteTo(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t wrote = write(file, text.data(), text.size());
  const int error = errno;
  close(file);
  errno = error;
  return wrote == static_cast<ssize_t>(text.size());
}

bool MapIds(uid_t user, gid_t group) {
  const auto line = [](unsigned id) {
    return "65534 " + std::to_string(id) + " 1";
  };
  return WriteTo("/proc/self/setgroups", "deny") &&
         WriteTo("/proc/self/gid_map", line(group)) &&
         WriteTo("/proc/self/uid_map", line(user));
}

// One that nobody can write to. What is mapped already stays so.
bool TakeEmptyRoot() {
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", "/proc", "tmpfs",
               MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY,
               "mode=0555") == 0 &&
         chroot("/proc") == 0 && chdir("/") == 0;
}

[[noreturn]] void EndLike(pid_t child) {
  // The owner sees the end of the socket when the child has closed its own.
  syscall(SYS_close_range, 0, ~0U, 0);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    kill(getpid(), WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : kNotForked);
}

}  // namespace

int EnterNamespaces() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  // A process that has changed its user does not own its files in /proc
  // otherwise.
  prctl(PR_SET_DUMPABLE, 1);
  if (unshare(kNew) != 0) return errno;
  const int error = MapIds(user, group) && TakeEmptyRoot() ? 0 : errno;
  const pid_t between = getpid();
  const pid_t child = fork();
  if (child < 0) _exit(kNotForked);
  if (child > 0) EndLike(child);
  DieWithOwner(getpid() == 1 ? 0 : between);
  return error;
}

void DieWithOwner(int owner) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have ended before that.
  if (owner != 0 && getppid() != owner) _exit(kOwnerGone);
}

}  // namespace sloppy::workers::sandbox

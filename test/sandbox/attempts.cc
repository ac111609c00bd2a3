// Calls that somebody who has broken V8 would have native code make in a
// sandbox: attempt(name) gives "ok", or the errno. None does harm where it
// succeeds: signal 0, wrong magic numbers, addresses that nobody has. EFAULT
// and EINVAL are answers of a kernel that has let the call in.
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "isolate/native_functions.h"
#include "sandbox/host.h"

namespace sloppy::workers::sandbox {
namespace {

struct Attempt {
  const char* name;
  long (*call)();
};

void* const kNowhere = reinterpret_cast<void*>(8);
constexpr char kHole[] = "/tmp/sandbox-hole";
constexpr int kKey = 0x5157;

long Owner() { return getppid() > 1 ? getppid() : 1; }

template <typename... Arguments>
long Call(long number, Arguments... arguments) {
  return syscall(number, arguments...);
}

long Closed(long descriptor) {
  if (descriptor >= 0) close(static_cast<int>(descriptor));
  return descriptor;
}

long Ended(long child) {
  if (child == 0) _exit(0);
  if (child > 0) waitpid(static_cast<pid_t>(child), nullptr, 0);
  return child;
}

// The error says that the call was let in.
long Unless(int error, long answer) {
  return answer < 0 && errno == error ? 0 : answer;
}

long Open(const char* path, int flags) {
  return Closed(Call(SYS_openat, AT_FDCWD, path, flags, 0600));
}

long Socket(int domain, int type, int protocol = 0) {
  return Closed(Call(SYS_socket, domain, type, protocol));
}

long Connect() {
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(22);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int done = connect(descriptor, reinterpret_cast<sockaddr*>(&address),
                           sizeof(address));
  const int error = errno;
  close(descriptor);
  errno = error;
  return Unless(ECONNREFUSED, done);
}

long SendDescriptor() {
  char byte = 0;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  iovec part = {&byte, 0};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  const int descriptor = 2;
  memcpy(CMSG_DATA(head), &descriptor, sizeof(descriptor));
  return sendmsg(0, &message, 0);
}

long Map(int protection, int flags, int descriptor = -1) {
  return mmap(nullptr, 4096, protection, flags, descriptor, 0) == MAP_FAILED
             ? -1
             : 0;
}

const Attempt kAttempts[] = {
    // Files.
    {"open /etc/passwd", [] { return Open("/etc/passwd", O_RDONLY); }},
    {"open /proc/self/mem", [] { return Open("/proc/self/mem", O_RDWR); }},
    {"open /proc/1/environ", [] { return Open("/proc/1/environ", O_RDONLY); }},
    {"create a file", [] { return Open(kHole, O_RDWR | O_CREAT); }},
    {"open . as a path", [] { return Open(".", O_PATH); }},
    {"openat2",
     [] {
       long how[3] = {O_RDONLY, 0, 0};
       return Closed(Call(SYS_openat2, AT_FDCWD, "/", how, sizeof(how)));
     }},
    {"stat /etc/passwd",
     [] {
       struct stat status;
       return Call(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &status, 0);
     }},
    {"readlink /proc/self/exe",
     [] {
       char name[9];
       return Call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", name,
                   sizeof(name));
     }},
    {"access /etc/shadow",
     [] { return Call(SYS_faccessat, AT_FDCWD, "/etc/shadow", F_OK); }},
    {"unlink", [] { return Call(SYS_unlinkat, AT_FDCWD, kHole, 0); }},
    {"mkdir",
     [] { return Unless(EEXIST, Call(SYS_mkdirat, AT_FDCWD, "/tmp", 0700)); }},
    {"mknod",
     [] { return Call(SYS_mknodat, AT_FDCWD, kHole, S_IFIFO | 0600, 0); }},
    {"chdir", [] { return Call(SYS_chdir, "/"); }},
    {"open_by_handle_at",
     [] { return Call(SYS_open_by_handle_at, AT_FDCWD, kNowhere, 0); }},
    {"inotify_init", [] { return Closed(Call(SYS_inotify_init1, 0)); }},
    // The network.
    {"connect", Connect},
    {"socket udp", [] { return Socket(AF_INET, SOCK_DGRAM); }},
    {"socket raw", [] { return Socket(AF_INET, SOCK_RAW, IPPROTO_ICMP); }},
    {"socket unix", [] { return Socket(AF_UNIX, SOCK_STREAM); }},
    {"socket netlink", [] { return Socket(AF_NETLINK, SOCK_RAW); }},
    {"socket vsock", [] { return Socket(AF_VSOCK, SOCK_STREAM); }},
    {"socketpair",
     [] {
       int pair[2];
       return Call(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
     }},
    {"send a descriptor", SendDescriptor},
    // Processes.
    {"fork", [] { return Ended(Call(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }},
    {"clone3",
     [] {
       long how[8] = {0, 0, 0, 0, SIGCHLD};
       return Ended(Call(SYS_clone3, how, sizeof(how)));
     }},
    {"a thread",
     [] {
       return Unless(EINVAL,
                     Call(SYS_clone, CLONE_VM | CLONE_THREAD, 0, 0, 0, 0));
     }},
    {"execve", [] { return Call(SYS_execve, "/nowhere", nullptr, nullptr); }},
    {"execveat",
     [] { return Call(SYS_execveat, 2, "", nullptr, nullptr, AT_EMPTY_PATH); }},
    {"kill the owner", [] { return Call(SYS_kill, Owner(), 0); }},
    {"kill everything", [] { return Call(SYS_kill, -1, 0); }},
    {"tgkill the owner", [] { return Call(SYS_tgkill, Owner(), Owner(), 0); }},
    {"ptrace", [] { return Call(SYS_ptrace, 16, 0x3FFFFFF, 0, 0); }},
    {"process_vm_readv",
     [] { return Call(SYS_process_vm_readv, Owner(), 0, 0, 0, 0, 0); }},
    {"pidfd_open", [] { return Closed(Call(SYS_pidfd_open, Owner(), 0)); }},
    {"prlimit of the owner",
     [] {
       rlimit limit;
       return Call(SYS_prlimit64, Owner(), RLIMIT_NOFILE, nullptr, &limit);
     }},
    {"getpriority of the owner",
     [] { return Call(SYS_getpriority, PRIO_PROCESS, Owner()); }},
    {"sched_setaffinity",
     [] { return Call(SYS_sched_setaffinity, Owner(), 0, nullptr); }},
    {"kcmp", [] { return Call(SYS_kcmp, getpid(), getpid(), 0, 1, 2); }},
    // Rights.
    {"setuid", [] { return Call(SYS_setuid, 0); }},
    {"capset", [] { return Call(SYS_capset, kNowhere, nullptr); }},
    {"raise a limit",
     [] {
       rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
       return Call(SYS_prlimit64, 0, RLIMIT_CORE, &limit, nullptr);
     }},
    {"a user namespace",
     [] {
       return Ended(Call(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
     }},
    {"setns", [] { return Call(SYS_setns, 2, 0); }},
    {"mount",
     [] { return Call(SYS_mount, "none", "/nowhere", "tmpfs", 0, nullptr); }},
    {"move_mount", [] { return Call(SYS_move_mount, -1, "", -1, "", 0); }},
    {"chroot", [] { return Call(SYS_chroot, "/"); }},
    {"prctl PR_SET_DUMPABLE",
     [] { return Call(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0); }},
    {"another filter",
     [] { return Call(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, kNowhere); }},
    {"personality", [] { return Call(SYS_personality, 0xFFFFFFFF); }},
    // The kernel's larger doors.
    {"bpf", [] { return Call(SYS_bpf, 5, kNowhere, 8); }},
    {"io_uring_setup",
     [] { return Closed(Call(SYS_io_uring_setup, 1, kNowhere)); }},
    {"perf_event_open",
     [] { return Closed(Call(SYS_perf_event_open, kNowhere, 0, -1, -1, 0)); }},
    {"userfaultfd", [] { return Closed(Call(SYS_userfaultfd, 1)); }},
    {"memfd_create", [] { return Closed(Call(SYS_memfd_create, "x", 0)); }},
    {"memfd_secret", [] { return Closed(Call(SYS_memfd_secret, 0)); }},
    {"keyctl", [] { return Call(SYS_keyctl, 0, -3, 0); }},
    {"shmget", [] { return Unless(ENOENT, Call(SYS_shmget, kKey, 4096, 0)); }},
    {"msgget", [] { return Unless(ENOENT, Call(SYS_msgget, kKey, 0)); }},
    {"init_module",
     [] { return Call(SYS_init_module, kNowhere, 8, kNowhere); }},
    {"kexec_load",
     [] { return Call(SYS_kexec_load, 0, 1L << 40, nullptr, 0); }},
    {"reboot with wrong magic",
     [] { return Call(SYS_reboot, 1, 2, 3, nullptr); }},
    {"clock_settime", [] { return Call(SYS_clock_settime, 0, kNowhere); }},
    {"sethostname", [] { return Call(SYS_sethostname, kNowhere, 8); }},
    {"syslog", [] { return Call(SYS_syslog, 10, nullptr, 0); }},
    {"acct", [] { return Call(SYS_acct, kNowhere); }},
    {"quotactl",
     [] { return Call(SYS_quotactl, 0x800001 << 8, nullptr, 0, nullptr); }},
    {"fanotify_init", [] { return Closed(Call(SYS_fanotify_init, 0, 0)); }},
    // Descriptors and memory.
    {"dup", [] { return Closed(Call(SYS_dup, 2)); }},
    {"pipe",
     [] {
       int pair[2];
       return Call(SYS_pipe2, pair, 0);
     }},
    {"eventfd", [] { return Closed(Call(SYS_eventfd2, 0, 0)); }},
    {"epoll_create", [] { return Closed(Call(SYS_epoll_create1, 0)); }},
    {"timerfd", [] { return Closed(Call(SYS_timerfd_create, 1, 0)); }},
    {"fcntl", [] { return Call(SYS_fcntl, 0, F_GETFL); }},
    {"ioctl",
     [] {
       int count;
       return Call(SYS_ioctl, 0, 0x541B, &count);
     }},
    {"read another descriptor", [] { return Call(SYS_read, 2, kNowhere, 0); }},
    {"vmsplice", [] { return Call(SYS_vmsplice, 0, kNowhere, 0, 0); }},
    {"shared memory",
     [] { return Map(PROT_READ, MAP_SHARED | MAP_ANONYMOUS); }},
    {"map a descriptor",
     [] {
       const long answer = Map(PROT_READ, MAP_PRIVATE, 2);
       return answer < 0 && (errno == ENODEV || errno == EACCES) ? 0 : answer;
     }},
    {"mlockall", [] { return Call(SYS_mlockall, 0); }},
    {"futex LOCK_PI",
     [] {
       int word = 0;
       return Call(SYS_futex, &word, FUTEX_LOCK_PI, 0, nullptr);
     }},
#if defined(__x86_64__)
    {"modify_ldt", [] { return Call(SYS_modify_ldt, 0, kNowhere, 0); }},
    {"getpid of x32", [] { return Call(0x40000000 | SYS_getpid); }},
#endif
    // Allowed with `jit`.
    {"executable memory",
     [] { return Map(PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS); }},
};

std::string List() {
  std::string all;
  for (const Attempt& each : kAttempts) {
    if (!all.empty()) all += '\n';
    all += each.name;
  }
  return all;
}

// Says to the owner what it likes: pairs of hexadecimal digits.
std::string Say(const std::string& digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes +=
        static_cast<char>(strtol(digits.substr(i, 2).c_str(), nullptr, 16));
  }
  return std::to_string(write(0, bytes.data(), bytes.size()));
}

std::string EatMemory() {
  constexpr size_t kMiB = size_t{1} << 20;
  size_t count = 0;
  for (void* block; count < 4096 && (block = malloc(kMiB)) != nullptr;
       ++count) {
    memset(block, 1, kMiB);
  }
  return std::to_string(count);
}

// Until the owner has closed its end, of which the first write after that tells
// otherwise than the next ones: SIGPIPE would end the process there.
std::string WriteWithoutEnd() {
  const std::string text(4096, 'x');
  while (write(2, text.data(), text.size()) >= 0 || errno != EPIPE) {
  }
  return std::to_string(errno);
}

// NOLINTNEXTLINE(misc-no-recursion)
int Overflow(int depth) {
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  return depth < 0 ? 0 : Overflow(depth + 1) + room[0];
}

std::string Try(const std::string& name) {
  constexpr std::string_view kSay = "say ";
  if (name == "list") return List();
  if (name == "SIGSEGV") *static_cast<volatile int*>(kNowhere) = 1;
  if (name == "stack overflow") return std::to_string(Overflow(0));
  if (name == "abort") abort();
  if (name == "exit 0") _exit(0);
  if (name == "exit 1") _exit(1);
  if (name == "exit 71") _exit(71);
  if (name == "close the socket") return std::to_string(close(0));
  if (name == "stderr without end") return WriteWithoutEnd();
  if (name == "eat memory") return EatMemory();
#if defined(__x86_64__)
  if (name == "int 0x80") {
    long answer;
    __asm__ volatile("int $0x80" : "=a"(answer) : "a"(20) : "memory");
    return std::to_string(answer);
  }
#endif
  if (name.starts_with(kSay)) return Say(name.substr(kSay.size()));
  for (const Attempt& each : kAttempts) {
    if (name != each.name) continue;
    errno = 0;
    return each.call() >= 0 ? "ok" : std::to_string(errno);
  }
  return "no such attempt";
}

void CallTry(const v8::FunctionCallbackInfo<v8::Value>& info) {
  const std::string answer = Try(TextAt(info, 0));
  v8::Local<v8::String> text;
  if (v8::String::NewFromUtf8(info.GetIsolate(), answer.c_str())
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

}  // namespace

void AddTestFunctions(v8::Isolate* isolate, v8::Local<v8::Context> context) {
  const v8::HandleScope scope(isolate);
  v8::Local<v8::Function> function;
  if (v8::Function::New(context, CallTry).ToLocal(&function)) {
    (void)context->Global()->Set(
        context, v8::String::NewFromUtf8Literal(isolate, "attempt"), function);
  }
}

}  // namespace sloppy::workers::sandbox

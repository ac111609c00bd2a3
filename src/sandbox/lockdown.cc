#include "sandbox/lockdown.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/namespaces.h"
#include "sandbox/seccomp_filter.h"

// Numbers of newer kernels than some headers.
#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

namespace sloppy::workers::sandbox {
namespace {

constexpr uid_t kNobody = 65534;
// 0 to 2 are taken: nothing can be opened or received. With fewer poll()
// refuses even one of them.
constexpr rlim_t kDescriptors = 3;

int ErrorOf(bool holds) { return holds ? 0 : (errno != 0 ? errno : EPERM); }

bool LeaveRoot() {
  if (geteuid() != 0 && getuid() != 0) return true;
  return setgroups(0, nullptr) == 0 &&
         setresgid(kNobody, kNobody, kNobody) == 0 &&
         setresuid(kNobody, kNobody, kNobody) == 0;
}

// Calls by number, because the headers may be older than the kernel.
struct LandlockRules {
  uint64_t files = 0;
  uint64_t network = 0;
  uint64_t scopes = 0;
};

bool EnterLandlock() {
  const long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0,
                           LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) return false;
  LandlockRules rules;
  rules.files = (uint64_t{1} << 13) - 1;
  size_t size = sizeof(rules.files);
  if (abi >= 2) rules.files |= uint64_t{1} << 13;  // Moves between folders.
  if (abi >= 3) rules.files |= uint64_t{1} << 14;  // Truncation.
  if (abi >= 5) rules.files |= uint64_t{1} << 15;  // ioctl of devices.
  if (abi >= 4) {
    rules.network = 3;  // TCP, both ways.
    size += sizeof(rules.network);
  }
  if (abi >= 6) {
    rules.scopes = 3;  // Abstract sockets and signals to others.
    size += sizeof(rules.scopes);
  }
  const long set = syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (set < 0) return false;
  const bool holds = syscall(SYS_landlock_restrict_self, set, 0) == 0;
  close(static_cast<int>(set));
  return holds;
}

bool DropCapabilities() {
  for (int each = 0; each < 64; ++each) prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) return false;
  __user_cap_data_struct now[2] = {};
  return syscall(SYS_capget, &header, now) == 0 && now[0].permitted == 0 &&
         now[1].permitted == 0;
}

// glibc has a type for what is limited.
template <typename What>
bool Limit(What what, rlim_t most) {
  const rlimit limit = {most, most};
  return setrlimit(what, &limit) == 0;
}

// DATA counts heap, buffers, code and malloc, but nothing that is only
// reserved, as V8 does with gigabytes.
bool SetLimits(const LockOptions& options) {
  return (options.data_bytes == 0 || Limit(RLIMIT_DATA, options.data_bytes)) &&
         Limit(RLIMIT_FSIZE, 0) && Limit(RLIMIT_MEMLOCK, 0) &&
         Limit(RLIMIT_MSGQUEUE, 0) && Limit(RLIMIT_NICE, 0) &&
         Limit(RLIMIT_RTPRIO, 0) && Limit(RLIMIT_NOFILE, kDescriptors);
}

void AllowMemory(SeccompFilter* filter, bool jit) {
  const uint32_t executable = jit ? 0 : PROT_EXEC;
  filter->AllowIf(
      SYS_mmap, {{2, executable, {0}},
                 {3, MAP_TYPE | MAP_ANONYMOUS, {MAP_PRIVATE | MAP_ANONYMOUS}}});
  filter->AllowIf(SYS_mprotect, {{2, executable, {0}}});
  if (jit) filter->Allow(SYS_pkey_mprotect);
  for (const long number : {SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk}) {
    filter->Allow(number);
  }
}

bool EnterSeccomp(const LockOptions& options, int refusal) {
  SeccompFilter filter(refusal);
  filter.AllowIf(SYS_read, {{0, ~0U, {0}}});
  filter.AllowIf(SYS_writev, {{0, ~0U, {0}}});
  filter.AllowIf(SYS_write, {{0, ~0U, {0, 1, 2}}});
  filter.AllowIf(SYS_futex,
                 {{1,
                   0x7F,
                   {FUTEX_WAIT, FUTEX_WAKE, FUTEX_REQUEUE, FUTEX_CMP_REQUEUE,
                    FUTEX_WAKE_OP, FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET}}});
  AllowMemory(&filter, options.jit);
  for (const long number :
       {SYS_ppoll, SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep,
        SYS_gettimeofday, SYS_sched_yield, SYS_getrandom, SYS_rt_sigreturn,
        SYS_rt_sigprocmask, SYS_gettid, SYS_getpid, SYS_exit, SYS_exit_group,
        SYS_restart_syscall, SYS_getrusage, SYS_sched_getaffinity,
        SYS_getcpu}) {
    filter.Allow(number);
  }
#if defined(__x86_64__)
  filter.Allow(SYS_poll);
  filter.Allow(SYS_time);
#endif
  // abort() of its own.
  filter.AllowIf(SYS_tgkill, {{0, ~0U, {static_cast<uint32_t>(getpid())}},
                              {2, ~0U, {SIGABRT}}});
  // malloc names its mappings.
  filter.AllowIf(SYS_prctl, {{0, ~0U, {PR_SET_VMA}}});
  return filter.Apply();
}

class Layers {
 public:
  Layers(const LockOptions& options, Held* held)
      : options_(options), held_(held) {}

  // `enter` gives 0, or an errno.
  template <typename Enter>
  void Put(int bit, Enter enter) {
    const uint32_t layer = uint32_t{1} << bit;
    if ((options_.layers & layer) == 0) return;
    errno = 0;
    const int error = enter();
    held_->errors[static_cast<size_t>(bit)] = error;
    if (error == 0) held_->layers |= layer;
  }

 private:
  const LockOptions& options_;
  Held* const held_;
};

}  // namespace

void LockEarly(const LockOptions& options, Held* held) {
  Layers layers(options, held);
  Limit(RLIMIT_CORE, 0);
  DieWithOwner(options.owner);
  layers.Put(0, [] { return ErrorOf(LeaveRoot()); });
  DieWithOwner(options.owner);
  layers.Put(1, EnterNamespaces);
  if (options.layers != 0) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  layers.Put(2, [] { return ErrorOf(EnterLandlock()); });
  layers.Put(3, [] { return ErrorOf(DropCapabilities()); });
  layers.Put(4, [&] { return ErrorOf(SetLimits(options)); });
  if (options.layers != 0) prctl(PR_SET_DUMPABLE, 0);
  // Executable memory cannot become writable, nor the other way round.
  if (!options.jit) prctl(PR_SET_MDWE, 1, 0, 0, 0);
}

void LockLate(const LockOptions& options, Held* held) {
  const int refusal = options.refusal == 0 ? EPERM : options.refusal;
  Layers(options, held).Put(5, [&] {
    if (!EnterSeccomp(options, refusal)) return ErrorOf(false);
    // Proof that it holds, before the owner is told anything.
    const long root = syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY);
    return root < 0 && errno == refusal ? 0 : EACCES;
  });
}

}  // namespace sloppy::workers::sandbox

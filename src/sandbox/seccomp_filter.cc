#include "sandbox/seccomp_filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

namespace sloppy::workers::sandbox {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
// The numbers of x32 begin here.
constexpr uint32_t kForeignNumbers = 0x40000000;
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

}  // namespace

SeccompFilter::SeccompFilter(int refusal)
    : refusal_(SECCOMP_RET_ERRNO | static_cast<uint32_t>(refusal)) {
  Load(offsetof(seccomp_data, arch));
  Add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
  Add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  Load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  Add(BPF_JMP | BPF_JGE | BPF_K, kForeignNumbers, 0, 1);
  Refuse();
#endif
}

void SeccompFilter::Allow(long number) {
  Add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 1);
  Add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
}

void SeccompFilter::AllowIf(long number, const std::vector<Test>& tests) {
  std::vector<sock_filter> before = std::exchange(program_, {});
  for (const Test& test : tests) {
    Load(offsetof(seccomp_data, args) +
         sizeof(uint64_t) * static_cast<size_t>(test.index));
    Add(BPF_ALU | BPF_AND | BPF_K, test.mask);
    const size_t count = test.values.size();
    for (size_t i = 0; i < count; ++i) {
      // The jump goes over the other values and the refusal behind them.
      Add(BPF_JMP | BPF_JEQ | BPF_K, test.values[i],
          static_cast<uint8_t>(count - i), 0);
    }
    Refuse();
  }
  Add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const std::vector<sock_filter> body = std::exchange(program_, {});
  program_ = std::move(before);
  Add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0,
      static_cast<uint8_t>(body.size()));
  program_.insert(program_.end(), body.begin(), body.end());
}

void SeccompFilter::Answer(long number, int error) {
  Add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 1);
  Add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error));
}

bool SeccompFilter::Apply() {
  Refuse();
  const sock_fprog program = {static_cast<uint16_t>(program_.size()),
                              program_.data()};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                 SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

void SeccompFilter::Load(size_t offset) {
  Add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
}

void SeccompFilter::Add(uint16_t code, uint32_t operand, uint8_t if_true,
                        uint8_t if_false) {
  program_.push_back({code, if_true, if_false, operand});
}

void SeccompFilter::Refuse() { Add(BPF_RET | BPF_K, refusal_); }

}  // namespace sloppy::workers::sandbox

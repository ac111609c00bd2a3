// A list of allowed system calls, as the program that the kernel runs for each.
#ifndef SLOPPY_WORKERS_SANDBOX_SECCOMP_FILTER_H_
#define SLOPPY_WORKERS_SANDBOX_SECCOMP_FILTER_H_

#include <linux/filter.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sloppy::workers::sandbox {

class SeccompFilter {
 public:
  // `refusal`: the errno of what is not allowed. A call of another architecture
  // ends the process.
  explicit SeccompFilter(int refusal);

  // Calls that come often stand first: each call passes those before it.
  void Allow(long number);

  // Argument `index`, its low 32 bits, masked, is one of the values.
  struct Test {
    int index;
    uint32_t mask;
    std::vector<uint32_t> values;
  };
  // Allowed if each test says so.
  void AllowIf(long number, const std::vector<Test>& tests);

  void Answer(long number, int error);

  // Holds for all threads from now on. False, with errno.
  bool Apply();

 private:
  void Load(size_t offset);
  void Add(uint16_t code, uint32_t operand, uint8_t if_true = 0,
           uint8_t if_false = 0);
  void Refuse();

  const uint32_t refusal_;
  std::vector<sock_filter> program_;
};

}  // namespace sloppy::workers::sandbox

#endif  // SLOPPY_WORKERS_SANDBOX_SECCOMP_FILTER_H_

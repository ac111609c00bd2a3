#ifndef SLOPPY_WORKERS_TEST_FUZZ_INPUT_H_
#define SLOPPY_WORKERS_TEST_FUZZ_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace sloppy::workers {

// The fuzzer's bytes, taken one after the other; zeros when they are used up.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  bool empty() const { return size_ == 0; }
  uint8_t Byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }
  uint32_t Below(uint32_t limit) { return Byte() % limit; }
  uint32_t Word() {
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) word = word << 8 | Byte();
    return word;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

// An assertion that holds in every build.
inline void Expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "expected: %s\n", what);
  std::abort();
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_TEST_FUZZ_INPUT_H_

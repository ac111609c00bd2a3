// Annotates for ThreadSanitizer an order that it cannot see: JavaScript hands
// data that the owner's C++ has written to another thread, by a store into
// shared memory.
#ifndef SLOPPY_WORKERS_BASE_TSAN_H_
#define SLOPPY_WORKERS_BASE_TSAN_H_

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace sloppy::workers {

// The end of a call from JavaScript: everything in the call comes before
// everything that JavaScript does next.
class BeforeScriptGoesOn {
 public:
  explicit BeforeScriptGoesOn([[maybe_unused]] void* shared)
#if defined(__SANITIZE_THREAD__)
      : shared_(shared)
#endif
  {
  }
  BeforeScriptGoesOn(const BeforeScriptGoesOn&) = delete;
  BeforeScriptGoesOn& operator=(const BeforeScriptGoesOn&) = delete;
  ~BeforeScriptGoesOn() {
#if defined(__SANITIZE_THREAD__)
    __tsan_release(shared_);
#endif
  }

#if defined(__SANITIZE_THREAD__)
 private:
  void* shared_;
#endif
};

// The other thread calls it once it has seen what JavaScript stored.
inline void AfterScriptWrote([[maybe_unused]] const void* shared) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(const_cast<void*>(shared));
#endif
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_TSAN_H_

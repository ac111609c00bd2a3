// A libuv thread for the watchdog: one that reports when there is none.
#ifndef SLOPPY_WORKERS_WORKER_UV_THREAD_H_
#define SLOPPY_WORKERS_WORKER_UV_THREAD_H_

#include <uv.h>

#include "pool/watchdog.h"

namespace sloppy::workers {

class UvThread final : public Watchdog::Thread {
 public:
  bool Start(void (*run)(void*), void* argument) override {
    return uv_thread_create(&thread_, run, argument) == 0;
  }
  void Join() override { uv_thread_join(&thread_); }

 private:
  uv_thread_t thread_{};
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_WORKER_UV_THREAD_H_

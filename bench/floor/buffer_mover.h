// A thread with an isolate that is sent buffers, one at a time.
#ifndef SLOPPY_WORKERS_BENCH_FLOOR_BUFFER_MOVER_H_
#define SLOPPY_WORKERS_BENCH_FLOOR_BUFFER_MOVER_H_

#include <v8.h>

#include <cstddef>
#include <memory>
#include <semaphore>
#include <thread>
#include <utility>

#include "bare_isolate.h"

namespace sloppy::workers {

// One other thread; both sleep while they wait.
class BufferMover {
 public:
  explicit BufferMover(const PlatformBridge& platform)
      : thread_([this, platform] { Run(platform); }) {}
  ~BufferMover() { End(); }
  BufferMover(const BufferMover&) = delete;
  BufferMover& operator=(const BufferMover&) = delete;

  // The memory's length, once a buffer of the isolate has had it. REQUIRES:
  // not ended.
  size_t Move(std::shared_ptr<v8::BackingStore> memory) {
    memory_ = std::move(memory);
    came_.release();
    answered_.acquire();
    return length_;
  }

  void End() {
    if (!thread_.joinable()) return;
    memory_.reset();
    came_.release();
    thread_.join();
  }

 private:
  void Run(const PlatformBridge& platform) {
    BareIsolate isolate(platform, false);
    v8::Isolate::Scope entered(isolate.get());
    v8::HandleScope handles(isolate.get());
    v8::Context::Scope inside(v8::Context::New(isolate.get()));
    for (;;) {
      came_.acquire();
      if (memory_ == nullptr) return;
      {
        v8::HandleScope scope(isolate.get());
        length_ = v8::ArrayBuffer::New(isolate.get(), std::move(memory_))
                      ->ByteLength();
      }
      answered_.release();
      isolate.RunTasks();
    }
  }

  std::binary_semaphore came_{0};
  std::binary_semaphore answered_{0};
  std::shared_ptr<v8::BackingStore> memory_;
  size_t length_ = 0;
  std::thread thread_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BENCH_FLOOR_BUFFER_MOVER_H_

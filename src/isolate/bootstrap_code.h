// The compiled bootstrap.gen.js of one isolate: compiled for its first realm,
// used again by those that follow.
//
// Worker thread only.
#ifndef SLOPPY_WORKERS_ISOLATE_BOOTSTRAP_CODE_H_
#define SLOPPY_WORKERS_ISOLATE_BOOTSTRAP_CODE_H_

#include <v8.h>

#include <cstdint>
#include <memory>

#include "isolate/platform_bridge.h"

namespace sloppy::workers {

class BootstrapCode {
 public:
  explicit BootstrapCode(v8::Isolate* isolate);
  // REQUIRES: the isolate still exists.
  ~BootstrapCode();
  BootstrapCode(const BootstrapCode&) = delete;
  BootstrapCode& operator=(const BootstrapCode&) = delete;

  // Called before Get(), at most once: its code cache is read by a thread of
  // V8's platform, while the first context is made, which takes about as long.
  // Without cached code, or without a free thread, Get() does all of the work.
  // The line that falls without it: start of bench/.
  void ReadAhead(const PlatformBridge& platform);
  // Waits until no other thread reads. REQUIRED before anything that walks the
  // heap or all functions, because V8 fails on those that are half read.
  void FinishReading();
  v8::MaybeLocal<v8::UnboundScript> Get();

  // Puts it into the code cache: after the first job of the process, when what
  // jobs run has been compiled too, and after the first that needed `parts` of
  // the runtime which the cache is without; see src/runtime/later.js.
  void Remember(uint32_t parts);

 private:
  class Reading;
  class ReadingTask;

  v8::Isolate* const isolate_;
  v8::Global<v8::UnboundScript> script_;
  std::shared_ptr<Reading> reading_;
  // The parts that the script has been compiled with.
  uint32_t parts_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BOOTSTRAP_CODE_H_

// Takes the place of main() in node's own executable, into which this addon is
// preloaded (LD_PRELOAD): V8 is there, and Node does not start. Later than the
// executable's own constructors, which V8 of Node 22 and 24 needs.
//
// Without the preload node itself refuses the argument ("bad option") and ends
// with 9, so that nothing ever runs in a process that is not locked.
#include <dlfcn.h>
#include <errno.h>
#include <libplatform/libplatform.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <v8.h>

#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "isolate/v8_compat.h"
#include "sandbox/exit_codes.h"
#include "sandbox/host.h"
#include "sandbox/lockdown.h"
#include "sandbox/one_thread_platform.h"

namespace sloppy::workers::sandbox {
namespace {

constexpr std::string_view kArgument = "--sloppy-sandbox-host";
// The number at which the owner puts the socket, and at which it stays. 0 to 2
// are taken then.
constexpr int kGivenSocket = 3;
// lib/executors/sandbox/host-process.js allows as much beside the heap.
constexpr size_t kCodeBytes = size_t{64} << 20;

struct HostOptions {
  LockOptions lock;
  size_t memory_bytes = size_t{128} << 20;
  std::string time_zone = "UTC";
};

// Names and values by turns.
HostOptions ReadArguments(int argc, char** argv) {
  HostOptions options;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* text = argv[i + 1];
    const unsigned long long number = strtoull(text, nullptr, 10);
    if (name == "layers") {
      options.lock.layers = static_cast<uint32_t>(number);
    } else if (name == "jit") {
      options.lock.jit = number != 0;
    } else if (name == "data") {
      options.lock.data_bytes = static_cast<size_t>(number);
    } else if (name == "owner") {
      options.lock.owner = static_cast<int>(number);
    } else if (name == "refusal") {
      options.lock.refusal = static_cast<int>(number);
    } else if (name == "memory") {
      options.memory_bytes = static_cast<size_t>(number);
    } else if (name == "zone") {
      options.time_zone = text;
    } else {
      _exit(kProtocol);
    }
  }
  return options;
}

void KeepOnlyTheSocket() {
  // 1 is the owner's pipe as well: 2 stays as it is.
  if (dup2(kGivenSocket, 0) < 0 || dup2(2, 1) < 0) _exit(kProtocol);
  syscall(SYS_close_range, kGivenSocket, ~0U, 0);
}

void PrepareProcess(const HostOptions& options) {
  KeepOnlyTheSocket();
  clearenv();
  // ICU reads no file for a zone that it is told.
  setenv("TZ", options.time_zone.c_str(), 1);
  signal(SIGPIPE, SIG_IGN);
  // Ctrl-C reaches the owner too, who says when this ends.
  signal(SIGINT, SIG_IGN);
  // The first process of a namespace cannot die of it.
  signal(SIGABRT, [](int) { _exit(kAborted); });
  std::set_new_handler([] { _exit(kOutOfMemory); });
}

std::unique_ptr<v8::Platform> StartV8(bool jit) {
  v8::V8::SetEntropySource([](unsigned char* to, size_t length) {
    return getrandom(to, length, 0) == static_cast<ssize_t>(length);
  });
  // One thread: others would have to be told of the lock, and awaited.
  v8::V8::SetFlagsFromString("--single-threaded");
  if (!jit) PrepareWithoutCode();
  std::unique_ptr<v8::Platform> platform =
      v8::platform::NewSingleThreadedDefaultPlatform();
  static const std::unique_ptr<v8::Platform> told =
      WithoutDelays(platform.get());
  v8::V8::InitializePlatform(told == nullptr ? platform.get() : told.get());
  v8::V8::Initialize();
  return platform;
}

std::string HelloOf(const Held& held) {
  std::string hello;
  Append(&hello, held.layers);
  for (const int error : held.errors) {
    Append(&hello, static_cast<uint32_t>(error));
  }
  hello += v8::V8::GetVersion();
  return hello;
}

int HostMain(int argc, char** argv, char**) {
  const HostOptions options = ReadArguments(argc, argv);
  Held held;
  PrepareProcess(options);
  LockEarly(options.lock, &held);
  const std::unique_ptr<v8::Platform> platform = StartV8(options.lock.jit);
  Host host(platform.get(), options.memory_bytes,
            options.lock.jit ? kCodeBytes : 0);
  LockLate(options.lock, &held);
  host.Serve(HelloOf(held));
}

using Main = int (*)(int, char**, char**);
using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(),
                      void*);

}  // namespace

Main MainFor(Main main, int argc, char** argv) {
  return argc > 1 && kArgument == argv[1] ? HostMain : main;
}

}  // namespace sloppy::workers::sandbox

// Called by the executable's _start in place of glibc's, which goes on.
extern "C" __attribute__((visibility("default"))) int __libc_start_main(
    int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
    void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  using sloppy::workers::sandbox::Start;
  const auto start =
      reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(sloppy::workers::sandbox::MainFor(main, argc, argv), argc, argv,
               init, fini, rtld_fini, stack_end);
}

// Layers that a process puts on itself and can never take off again. Linux, and
// nothing of V8: what is done here is read by who judges whether it holds.
#ifndef SLOPPY_WORKERS_SANDBOX_LOCKDOWN_H_
#define SLOPPY_WORKERS_SANDBOX_LOCKDOWN_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace sloppy::workers::sandbox {

// Bits of a set, in the order of lib/executors/sandbox/layers.js.
enum Layer : uint32_t {
  kUser = 1,          // Not root.
  kNamespaces = 2,    // Namespaces of its own, with an empty file system.
  kLandlock = 4,      // No file is opened, no TCP.
  kCapabilities = 8,  // None, now and later.
  kLimits = 16,       // Limits of memory; no further descriptor.
  kSeccomp = 32,      // Few system calls.
  kAllLayers = 63,
};
constexpr int kLayers = 6;

struct LockOptions {
  uint32_t layers = kAllLayers;  // Those that are tried.
  bool jit = false;              // Memory may become executable.
  size_t data_bytes = 0;         // Private writable memory of every kind.
  int owner = 0;                 // Its process.
  int refusal = 0;               // The errno of a refused call; 0 for EPERM.
};

struct Held {
  uint32_t layers = 0;
  // The errno of each layer that does not hold, by its bit.
  std::array<int, kLayers> errors{};
};

// Called before the process has threads. It may fork, and returns only in the
// process that goes on.
void LockEarly(const LockOptions& options, Held* held);
// Last, for all threads of the process.
void LockLate(const LockOptions& options, Held* held);

}  // namespace sloppy::workers::sandbox

#endif  // SLOPPY_WORKERS_SANDBOX_LOCKDOWN_H_

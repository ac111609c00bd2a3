// Proof that the inspector of the running executable is the one that
// v8_inspector.h declares. A wrong slot of a vtable crashes rather than fails,
// so what can be read is compared before anything is called.
#ifndef SLOPPY_WORKERS_ISOLATE_INSPECTOR_PROOF_H_
#define SLOPPY_WORKERS_ISOLATE_INSPECTOR_PROOF_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "isolate/platform_bridge.h"

namespace sloppy::workers {

// The slot of a virtual function, by the Itanium ABI, of which ARM's differs in
// the lowest bit only.
template <typename Function>
size_t SlotOf(Function function) {
  uintptr_t pointer = 0;
  static_assert(sizeof(function) == 2 * sizeof(pointer));
  std::memcpy(&pointer, &function, sizeof(pointer));
  return (pointer & ~uintptr_t{1}) / sizeof(void*);
}

// Each of these functions returns what does not fit, or an empty text.

// The version, as v8::V8::GetVersion() gives it, has to be the one of Node that
// this build knows: an addon for one ABI number has met two V8s before.
std::string FlawOfV8(std::string_view version);

struct NamedSlot {
  size_t slot;
  std::string_view name;
};

// The first `count` functions of a vtable have to be code of the executable (or
// library) that has `code` too, and those of `named` have to have these names,
// where it tells names to the linker (Node 20 and 22).
std::string FlawOfSlots(const void* const* vtable, size_t count,
                        std::span<const NamedSlot> named, const void* code);

// The inspector has to pass the two above, and a trial of all that this addon
// uses of it, in an isolate and on a thread of its own, which takes some
// milliseconds once in a process. Any thread but a worker's.
std::string FlawOfInspector(const PlatformBridge& platform);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_INSPECTOR_PROOF_H_

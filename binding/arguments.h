// Unpacks the arguments of the addon's functions.
#ifndef SLOPPY_WORKERS_BINDING_ARGUMENTS_H_
#define SLOPPY_WORKERS_BINDING_ARGUMENTS_H_

#include <napi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "binding/env_state.h"
#include "binding/napi_v8.h"
#include "isolate/payload_v8.h"

namespace sloppy::workers {

inline EnvState* StateOf(const Napi::CallbackInfo& info) {
  auto* state = static_cast<EnvState*>(info.Data());
  state->CheckOwner();
  return state;
}

inline EnvState* StateOf(const FastInfo& info) {
  return static_cast<EnvState*>(DataOf(info));
}

inline double NumberAt(const Napi::CallbackInfo& info, size_t index) {
  return NumberArgument(info[index]);
}

inline PoolEntry* PoolAt(const Napi::CallbackInfo& info, size_t index) {
  return StateOf(info)->FindPool(static_cast<uint32_t>(NumberAt(info, index)));
}

// The worker of pool 0 whose number is an argument; null if it is gone.
inline WorkerThread* ThreadAt(const Napi::CallbackInfo& info, size_t index) {
  PoolEntry* pool = PoolAt(info, 0);
  return pool == nullptr ? nullptr : pool->ThreadOf(NumberAt(info, index));
}

// Milliseconds as nanoseconds; kNever for more than 30 years, and for NaN.
inline int64_t Nanoseconds(double ms) {
  constexpr double kMost = 1e12;
  if (!(ms <= kMost)) return kNever;
  return static_cast<int64_t>(std::max(ms, -kMost) * 1e6);
}

// A number of things, at most 2^53; 0 for one below 0, and for NaN.
inline size_t Count(double value) {
  constexpr double kMost = 9007199254740992.0;  // 2^53
  return value >= 0 ? static_cast<size_t>(std::min(value, kMost)) : 0;
}

inline EncodedParts PartsAt(const Napi::CallbackInfo& info, size_t first) {
  EncodedParts parts;
  parts.kind = static_cast<int>(NumberAt(info, first));
  parts.number = NumberAt(info, first + 1);
  parts.slots = ToV8(info[first + 2]);
  parts.slot_count = static_cast<uint32_t>(NumberAt(info, first + 3));
  parts.text = ToV8(info[first + 4]);
  parts.more = ToV8(info[first + 5]);
  return parts;
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_ARGUMENTS_H_

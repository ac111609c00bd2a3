#include "isolate/inspector_proof.h"

#include <uv.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "base/end_process.h"
#include "base/mutex.h"
#include "isolate/inspector_trial.h"
#include "isolate/isolate_host.h"
#include "isolate/v8_inspector.h"

#if SW_HAS_INSPECTOR
#include <dlfcn.h>
#endif

namespace sloppy::workers {

#if SW_HAS_INSPECTOR

namespace {

constexpr size_t kStack = size_t{2} << 20;
constexpr size_t kMemoryLimit = size_t{128} << 20;

struct NoLoop final : TaskRunner::Waker {
  void WakeLoop() override {}
};

struct Proof {
  const PlatformBridge& platform;
  std::string flaw;
};

void Prove(void* argument) {
  auto* proof = static_cast<Proof*>(argument);
  NoLoop waker;
  const auto host = IsolateHost::Create(
      proof->platform, &waker, nullptr,
      {kMemoryLimit, kStack, [](const char* where, const v8::OOMDetails&) {
         EndProcess("the self-test of the debugger got no memory in", where);
       }});
  if (host == nullptr) {
    proof->flaw = "no isolate for its self-test";
    return;
  }
  const v8::Isolate::Scope entered(host->isolate());
  const v8::HandleScope handles(host->isolate());
  const v8::Local<v8::Context> context = v8::Context::New(host->isolate());
  const v8::Context::Scope inside(context);
  proof->flaw = InspectorTrial(host->isolate(), context).Flaw();
}

std::string FindFlaw(const PlatformBridge& platform) {
  std::string flaw = FlawOfV8(v8::V8::GetVersion());
  if (!flaw.empty()) return flaw;
  Proof proof{platform, {}};
  uv_thread_options_t options{};
  options.flags = UV_THREAD_HAS_STACK_SIZE;
  options.stack_size = kStack;
  uv_thread_t thread;
  if (uv_thread_create_ex(&thread, &options, Prove, &proof) != 0) {
    return "no thread for its self-test";
  }
  uv_thread_join(&thread);
  return std::move(proof.flaw);
}

}  // namespace

std::string FlawOfV8(std::string_view version) {
  const std::string known = std::to_string(V8_MAJOR_VERSION) + "." +
                            std::to_string(V8_MINOR_VERSION) + ".";
  // The end is of those who build V8; others than Node change it.
  if (version.starts_with(known) &&
      version.find("-node.") != std::string_view::npos) {
    return {};
  }
  return "V8 " + std::string(version) + " runs, and this build knows " + known +
         "x of Node";
}

std::string FlawOfSlots(const void* const* vtable, size_t count,
                        std::span<const NamedSlot> named, const void* code) {
  Dl_info home{};
  if (dladdr(code, &home) == 0) return {};
  for (size_t slot = 0; slot < count; ++slot) {
    Dl_info found{};
    if (dladdr(vtable[slot], &found) == 0 ||
        found.dli_fbase != home.dli_fbase) {
      return "slot " + std::to_string(slot) + " is no function of V8's";
    }
    if (found.dli_sname == nullptr || found.dli_saddr != vtable[slot]) continue;
    const std::string_view has = found.dli_sname;
    // The linker may give what does the same one address, and any of its names.
    if (has.find("v8_inspector") == std::string_view::npos) continue;
    for (const auto& [at, name] : named) {
      const std::string mangled =
          std::to_string(name.size()) + std::string(name) + "E";
      if (at == slot && has.find(mangled) == std::string_view::npos) {
        return "slot " + std::to_string(slot) + " is " + std::string(has) +
               ", not " + std::string(name);
      }
    }
  }
  return {};
}

std::string FlawOfInspector(const PlatformBridge& platform) {
  static Mutex mutex;
  static auto* const known = new std::optional<std::string>;
  const MutexLock lock(mutex);
  if (!known->has_value()) *known = FindFlaw(platform);
  return **known;
}

#else

std::string FlawOfV8(std::string_view) { return "this build has none"; }
std::string FlawOfSlots(const void* const*, size_t, std::span<const NamedSlot>,
                        const void*) {
  return {};
}
std::string FlawOfInspector(const PlatformBridge&) { return FlawOfV8({}); }

#endif  // SW_HAS_INSPECTOR

}  // namespace sloppy::workers

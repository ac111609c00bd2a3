#include <uv.h>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include "base/thread_usage.h"
#include "isolate/globals/host_natives.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

// Named numbers as a plain object of the realm.
struct Fact {
  const char* name;
  double value;
};

template <size_t N>
void ReturnFacts(const Info& info, const Fact (&facts)[N]) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Object> object = v8::Object::New(isolate);
  for (const Fact& fact : facts) {
    v8::Local<v8::String> name;
    if (!v8::String::NewFromUtf8(isolate, fact.name,
                                 v8::NewStringType::kInternalized)
             .ToLocal(&name) ||
        !object
             ->CreateDataProperty(context, name,
                                  v8::Number::New(isolate, fact.value))
             .FromMaybe(false)) {
      return;
    }
  }
  info.GetReturnValue().Set(object);
}

// randomFill(bytes)
void RandomFill(const Info& info) {
  if (!info[0]->IsArrayBufferView()) {
    info.GetIsolate()->ThrowException(
        v8::Exception::TypeError(v8::String::NewFromUtf8Literal(
            info.GetIsolate(), "not a view of a buffer")));
    return;
  }
  auto view = info[0].As<v8::ArrayBufferView>();
  auto* data = static_cast<char*>(view->Buffer()->Data()) + view->ByteOffset();
  if (uv_random(nullptr, nullptr, data, view->ByteLength(), 0, nullptr) != 0) {
    info.GetIsolate()->ThrowException(
        v8::Exception::Error(v8::String::NewFromUtf8Literal(
            info.GetIsolate(), "no random bytes are available")));
  }
}

void MemoryUsage(const Info& info) {
  v8::HeapStatistics heap;
  info.GetIsolate()->GetHeapStatistics(&heap);
  size_t rss = 0;
  uv_resident_set_memory(&rss);
  ReturnFacts(info, {{"rss", static_cast<double>(rss)},
                     {"heapTotal", static_cast<double>(heap.total_heap_size())},
                     {"heapUsed", static_cast<double>(heap.used_heap_size())},
                     {"external", static_cast<double>(heap.external_memory())},
                     {"arrayBuffers", 0}});
}

double MicrosOf(const uv_timeval_t& time) {
  return static_cast<double>(time.tv_sec) * 1e6 +
         static_cast<double>(time.tv_usec);
}

// cpuUsage() → { user, system } of the whole process, in microseconds
void CpuUsage(const Info& info) {
  uv_rusage_t usage{};
  uv_getrusage(&usage);
  ReturnFacts(info, {{"user", MicrosOf(usage.ru_utime)},
                     {"system", MicrosOf(usage.ru_stime)}});
}

// threadCpuUsage() → the same of the worker's thread
void ThreadCpuUsage(const Info& info) {
  const ThreadUsage usage = CurrentThreadUsage();
  ReturnFacts(info, {{"user", static_cast<double>(usage.user_micros)},
                     {"system", static_cast<double>(usage.system_micros)}});
}

// resourceUsage() → Node's names of what the whole process has used
void ResourceUsage(const Info& info) {
  uv_rusage_t usage{};
  uv_getrusage(&usage);
  const auto number = [](uint64_t value) { return static_cast<double>(value); };
  ReturnFacts(info, {{"userCPUTime", MicrosOf(usage.ru_utime)},
                     {"systemCPUTime", MicrosOf(usage.ru_stime)},
                     {"maxRSS", number(usage.ru_maxrss)},
                     {"sharedMemorySize", number(usage.ru_ixrss)},
                     {"unsharedDataSize", number(usage.ru_idrss)},
                     {"unsharedStackSize", number(usage.ru_isrss)},
                     {"minorPageFault", number(usage.ru_minflt)},
                     {"majorPageFault", number(usage.ru_majflt)},
                     {"swappedOut", number(usage.ru_nswap)},
                     {"fsRead", number(usage.ru_inblock)},
                     {"fsWrite", number(usage.ru_oublock)},
                     {"ipcSent", number(usage.ru_msgsnd)},
                     {"ipcReceived", number(usage.ru_msgrcv)},
                     {"signalsCount", number(usage.ru_nsignals)},
                     {"voluntaryContextSwitches", number(usage.ru_nvcsw)},
                     {"involuntaryContextSwitches", number(usage.ru_nivcsw)}});
}

void HardwareConcurrency(const Info& info) {
  info.GetReturnValue().Set(uv_available_parallelism());
}

// glibcVersion() → text; undefined elsewhere
void GlibcVersion(const Info& info) {
#if defined(__GLIBC__)
  v8::Local<v8::String> text;
  if (v8::String::NewFromUtf8(info.GetIsolate(), gnu_get_libc_version())
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
#else
  (void)info;
#endif
}

constexpr NativeFunction kSystemNatives[] = {
    {"randomFill", RandomFill},
    {"memoryUsage", MemoryUsage},
    {"cpuUsage", CpuUsage},
    {"threadCpuUsage", ThreadCpuUsage},
    {"resourceUsage", ResourceUsage},
    {"hardwareConcurrency", HardwareConcurrency},
    {"glibcVersion", GlibcVersion},
};

}  // namespace

NativeFunctions SystemNatives() { return kSystemNatives; }

}  // namespace sloppy::workers

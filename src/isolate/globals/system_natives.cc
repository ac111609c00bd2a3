#include <uv.h>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

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

// cpuUsage() → { user, system } of the whole process, in microseconds
void CpuUsage(const Info& info) {
  uv_rusage_t usage{};
  uv_getrusage(&usage);
  const auto micros = [](const uv_timeval_t& time) {
    return static_cast<double>(time.tv_sec) * 1e6 +
           static_cast<double>(time.tv_usec);
  };
  ReturnFacts(info, {{"user", micros(usage.ru_utime)},
                     {"system", micros(usage.ru_stime)}});
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
    {"hardwareConcurrency", HardwareConcurrency},
    {"glibcVersion", GlibcVersion},
};

}  // namespace

NativeFunctions SystemNatives() { return kSystemNatives; }

}  // namespace sloppy::workers

#include "binding/common_words.h"

#ifdef __linux__
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstddef>

#include "binding/arguments.h"
#include "binding/napi_v8.h"

namespace sloppy::workers {
namespace {

#if defined(__linux__) && defined(MFD_CLOEXEC)
// Its pages are there from now on: to find none when one is written would end
// the process.
int MakeWordsFile(size_t bytes) {
  const int file = memfd_create("sloppy-words", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (fallocate(file, 0, 0, static_cast<off_t>(bytes)) == 0) return file;
  close(file);
  return -1;
}

void UnmapWords(void* data, size_t bytes, void*) { munmap(data, bytes); }

Napi::Value MapWords(Napi::Env env, int file, size_t bytes) {
  void* data =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) return env.Undefined();
  const auto memory = v8::SharedArrayBuffer::New(
      v8::Isolate::GetCurrent(),
      v8::SharedArrayBuffer::NewBackingStore(data, bytes, UnmapWords, nullptr));
  return Napi::Value(env, FromV8(memory));
}

void CloseFile(int file) { close(file); }
#else
int MakeWordsFile(size_t) { return -1; }
Napi::Value MapWords(Napi::Env env, int, size_t) { return env.Undefined(); }
void CloseFile(int) {}
#endif

}  // namespace

Napi::Value MakeWords(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto bytes = static_cast<size_t>(NumberAt(info, 0));
  const int file = MakeWordsFile(bytes);
  if (file < 0) return env.Undefined();
  const Napi::Value memory = MapWords(env, file, bytes);
  if (memory.IsUndefined()) {
    CloseFile(file);
    return memory;
  }
  auto words = Napi::Object::New(env);
  words["file"] = Napi::Number::New(env, file);
  words["memory"] = memory;
  return words;
}

void CloseWords(const Napi::CallbackInfo& info) {
  CloseFile(static_cast<int>(NumberAt(info, 0)));
}

Napi::Value OpenWords(const Napi::CallbackInfo& info) {
  return MapWords(info.Env(), static_cast<int>(NumberAt(info, 0)),
                  static_cast<size_t>(NumberAt(info, 1)));
}

}  // namespace sloppy::workers

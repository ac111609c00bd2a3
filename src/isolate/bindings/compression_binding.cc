// internalBinding('zlib'): the classes of all compression libraries.
#include <algorithm>

#include "isolate/bindings/bindings.h"
#include "isolate/bindings/compression.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/libraries.h"
#include "isolate/libraries/library_state.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

// crc32(text or bytes, value) → number
void Crc32(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Input input(isolate, info[0]);
  if (!input.ok()) return;
  uint32_t value = info[1]->IsUint32() ? info[1].As<v8::Uint32>()->Value() : 0;
  for (size_t at = 0; at < input.size(); at += Compression::kPiece) {
    const size_t size = std::min(Compression::kPiece, input.size() - at);
    value = static_cast<uint32_t>(FindZlib()->crc32(
        value, input.data() + at, static_cast<uint32_t>(size)));
    if (LibraryState::Of(isolate).IsInterrupted()) return;
  }
  info.GetReturnValue().Set(value);
}

constexpr NativeFunction kCompressionNatives[] = {{"crc32", Crc32}};

bool CompleteCompression(v8::Isolate* isolate, v8::Local<v8::Context> context,
                         v8::Local<v8::Object> binding) {
  return AddLater(context, binding) &&
         AddZlibClass(isolate, context, binding) &&
         AddBrotliClasses(isolate, context, binding) &&
         AddZstdClasses(isolate, context, binding) &&
         SetMember(context, binding, "ZLIB_VERSION",
                   v8::String::NewFromUtf8(isolate, FindZlib()->zlibVersion())
                       .FromMaybe(v8::String::Empty(isolate)));
}

}  // namespace

Binding ZlibBinding() {
  if (FindZlib() == nullptr) return {"", {}};
  return {"zlib", kCompressionNatives, CompleteCompression};
}

}  // namespace sloppy::workers

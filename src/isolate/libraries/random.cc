// Random bytes, and the comparison that takes the same time for all bytes.
#include <algorithm>

#include "isolate/libraries/arguments.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/openssl.h"
#include "isolate/libraries/output.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

// False when the worker is to end, or an error is thrown.
bool Fill(v8::Isolate* isolate, uint8_t* to, size_t size) {
  constexpr size_t kPiece = size_t{1} << 20;
  for (size_t at = 0; at < size; at += kPiece) {
    const size_t part = std::min(kPiece, size - at);
    if (Ssl().RAND_bytes(to + at, static_cast<int>(part)) != 1) {
      ThrowOfJob(isolate, "no random bytes are available");
      return false;
    }
    if (LibraryState::Of(isolate).IsInterrupted()) return false;
  }
  return true;
}

// randomFill(view or buffer, offset, size): in bytes; what is not there is left
void RandomFill(const Info& info) {
  uint8_t* data = nullptr;
  size_t length = 0;
  if (info[0]->IsArrayBufferView()) {
    auto view = info[0].As<v8::ArrayBufferView>();
    data = static_cast<uint8_t*>(view->Buffer()->Data()) + view->ByteOffset();
    length = view->ByteLength();
  } else if (info[0]->IsArrayBuffer()) {
    data = static_cast<uint8_t*>(info[0].As<v8::ArrayBuffer>()->Data());
    length = info[0].As<v8::ArrayBuffer>()->ByteLength();
  } else if (info[0]->IsSharedArrayBuffer()) {
    data = static_cast<uint8_t*>(info[0].As<v8::SharedArrayBuffer>()->Data());
    length = info[0].As<v8::SharedArrayBuffer>()->ByteLength();
  }
  const int64_t offset = IntAt(info, 1);
  const int64_t size = IntAt(info, 2);
  if (offset < 0 || size <= 0 || static_cast<size_t>(offset) > length) return;
  Fill(info.GetIsolate(), data + offset,
       std::min(static_cast<size_t>(size),
                length - static_cast<size_t>(offset)));
}

// randomBytes(size) → bytes: memory that nobody cleared before
void RandomBytes(const Info& info) {
  const int64_t size = IntAt(info, 0);
  if (size < 0) return;
  Output out(info.GetIsolate(), static_cast<size_t>(size));
  if (out.ok() && Fill(info.GetIsolate(), out.data(), out.room())) {
    Return(info, out.Give(out.room()));
  }
}

// The bytes that OpenSSL compares at once on x64; others it takes one by one.
constexpr size_t kAtOnce = 16;

// Looks at all bytes, whatever they are.
bool AreSame(const uint8_t* a, const uint8_t* b, size_t size) {
  int differ = 0;
  size_t at = 0;
  for (; size - at >= kAtOnce; at += kAtOnce) {
    differ |= Ssl().CRYPTO_memcmp(a + at, b + at, kAtOnce);
  }
  differ |= Ssl().CRYPTO_memcmp(a + at, b + at, size - at);
  return differ == 0;
}

// timingSafeEqual(a, b) of equal lengths; undefined otherwise
void TimingSafeEqual(const Info& info) {
  const Input a(info.GetIsolate(), info[0]);
  const Input b(info.GetIsolate(), info[1]);
  if (!a.ok() || !b.ok() || a.size() != b.size()) return;
  info.GetReturnValue().Set(AreSame(a.data(), b.data(), a.size()));
}

// secureHeapUsed() → bytes, undefined without a secure heap
void SecureHeapUsed(const Info& info) {
  if (Ssl().CRYPTO_secure_malloc_initialized() != 1) return;
  info.GetReturnValue().Set(static_cast<double>(Ssl().CRYPTO_secure_used()));
}

// isFips() → whether OpenSSL keeps to FIPS 140
void IsFips(const Info& info) {
  info.GetReturnValue().Set(
      Ssl().EVP_default_properties_is_fips_enabled(nullptr) == 1);
}

// version() → OpenSSL's number of itself
void Version(const Info& info) {
  info.GetReturnValue().Set(static_cast<double>(Ssl().OpenSSL_version_num()));
}

constexpr NativeFunction kRandomNatives[] = {
    {"version", Version},
    {"randomFill", RandomFill},
    {"randomBytes", RandomBytes},
    {"timingSafeEqual", TimingSafeEqual},
    {"secureHeapUsed", SecureHeapUsed},
    {"isFips", IsFips},
};

}  // namespace

NativeFunctions RandomNatives() { return kRandomNatives; }

}  // namespace sloppy::workers

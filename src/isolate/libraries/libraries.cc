#include "isolate/libraries/libraries.h"

#include <cstdlib>
#include <string>
#include <string_view>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "isolate/libraries/simdutf.h"

namespace sloppy::workers {
namespace {

// Whether a test runs without the library: SLOPPY_WORKERS_WITHOUT=url,brotli.
bool IsHidden([[maybe_unused]] std::string_view library) {
#if defined(SW_LIBRARIES_CAN_HIDE)
  const char* list = std::getenv("SLOPPY_WORKERS_WITHOUT");  // NOLINT
  std::string_view rest = list == nullptr ? "" : list;
  while (!rest.empty()) {
    const size_t end = rest.find(',');
    if (rest.substr(0, end) == library) return true;
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
#endif
  return false;
}

template <typename Function>
bool Find(Function* to, const char* name) {
  *to = reinterpret_cast<Function>(FindSymbol(name));
  return *to != nullptr;
}

#define SW_FIND(name) &&Find(&found.name, #name)

// BoringSSL, which Electron has, says 1.1 of itself.
const Crypto* LookForCrypto() {
  static Crypto found;
  const bool is_there = !IsHidden("crypto") SW_CRYPTO(SW_FIND);
  return is_there && found.OpenSSL_version_num() >> 28 == 3 ? &found : nullptr;
}
const Zlib* LookForZlib() {
  static Zlib found;
  const bool is_there = !IsHidden("zlib") SW_ZLIB(SW_FIND);
  return is_there && found.zlibVersion()[0] == ZLIB_VERSION[0] ? &found
                                                               : nullptr;
}
const Brotli* LookForBrotli() {
  static Brotli found;
  return !IsHidden("brotli") SW_BROTLI(SW_FIND) ? &found : nullptr;
}
const Zstd* LookForZstd() {
  static Zstd found;
  return !IsHidden("zstd") SW_ZSTD(SW_FIND) ? &found : nullptr;
}
const Ada* LookForAda() {
  static Ada found;
  return !IsHidden("url") SW_URL(SW_FIND) ? &found : nullptr;
}

#undef SW_FIND

template <typename Function>
bool Find(Function* to, const std::string& name, const std::string& end) {
  return Find(to, (name + end).c_str());
}

const Icu* LookForIcu(int version) {
  static Icu found;
  const std::string end = "_" + std::to_string(version);
  const bool is_there =
      !IsHidden("icu") &&
      Find(&found.int_property, "u_getIntPropertyValue", end) &&
      Find(&found.binary_property, "u_hasBinaryProperty", end) &&
      Find(&found.char_type, "u_charType", end);
  return is_there ? &found : nullptr;
}
const IcuConverters* LookForIcuConverters(int version) {
  static IcuConverters found;
  const std::string end = "_" + std::to_string(version);
  const bool is_there =
      !IsHidden("icu") && Find(&found.open, "ucnv_open", end) &&
      Find(&found.close, "ucnv_close", end) &&
      Find(&found.reset, "ucnv_reset", end) &&
      Find(&found.type, "ucnv_getType", end) &&
      Find(&found.smallest, "ucnv_getMinCharSize", end) &&
      Find(&found.count_pending, "ucnv_toUCountPending", end) &&
      Find(&found.set_substitute, "ucnv_setSubstChars", end) &&
      Find(&found.set_callback, "ucnv_setToUCallBack", end) &&
      Find(&found.stop, "UCNV_TO_U_CALLBACK_STOP", end) &&
      Find(&found.to_unicode, "ucnv_toUnicode", end);
  return is_there ? &found : nullptr;
}
const Simdutf* LookForSimdutf() {
  static Simdutf found;
  const bool is_there =
      !IsHidden("simdutf") &&
      Find(&found.validate_utf8, "_ZN7simdutf13validate_utf8EPKcm") &&
      Find(&found.utf8_length_from_latin1,
           "_ZN7simdutf23utf8_length_from_latin1EPKcm") &&
      Find(&found.convert_latin1_to_utf8,
           "_ZN7simdutf22convert_latin1_to_utf8EPKcmPc") &&
      Find(&found.convert_utf8_to_latin1,
           "_ZN7simdutf22convert_utf8_to_latin1EPKcmPc") &&
      Find(&found.convert_utf8_to_utf16le,
           "_ZN7simdutf23convert_utf8_to_utf16leEPKcmPDs");
  return is_there ? &found : nullptr;
}

}  // namespace

// The program comes first, then what it is linked with, so that Node's own
// copies win.
void* FindSymbol(const char* name) {
#if defined(_WIN32)
  return reinterpret_cast<void*>(
      GetProcAddress(GetModuleHandleW(nullptr), name));
#else
  return dlsym(RTLD_DEFAULT, name);
#endif
}

const Crypto* FindCrypto() {
  static const Crypto* const found = LookForCrypto();
  return found;
}
const Zlib* FindZlib() {
  static const Zlib* const found = LookForZlib();
  return found;
}
const Brotli* FindBrotli() {
  static const Brotli* const found = LookForBrotli();
  return found;
}
const Zstd* FindZstd() {
  static const Zstd* const found = LookForZstd();
  return found;
}
const Ada* FindAda() {
  static const Ada* const found = LookForAda();
  return found;
}
const Icu* FindIcu(int version) {
  static const Icu* const found = LookForIcu(version);
  return found;
}
const IcuConverters* FindIcuConverters(int version) {
  static const IcuConverters* const found = LookForIcuConverters(version);
  return found;
}
const Simdutf* FindSimdutf() {
  static const Simdutf* const found = LookForSimdutf();
  return found;
}

}  // namespace sloppy::workers

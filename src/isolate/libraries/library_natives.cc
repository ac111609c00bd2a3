#include "isolate/libraries/library_natives.h"

#include <string>

#include "isolate/libraries/libraries.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

v8::MaybeLocal<v8::Object> Make(v8::Isolate* isolate,
                                const std::string& library) {
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  if (library == "crypto" && FindCrypto() != nullptr) {
    return MakeFunctions(
        isolate, context, {},
        {HashNatives(), MacNatives(), RandomNatives(), DeriveNatives(),
         Argon2Natives(), CipherNatives(), KeyReadNatives(), KeyWriteNatives(),
         KeyPartsNatives(), KeyGenerateNatives(), KeyUseNatives(),
         SignatureNatives(), DiffieHellmanNatives(), CurveNatives(),
         CertificateNatives()});
  }
  return {};
}

void Library(const Info& info) {
  v8::Local<v8::Object> natives;
  if (Make(info.GetIsolate(), TextAt(info, 0)).ToLocal(&natives)) {
    info.GetReturnValue().Set(natives);
  }
}

constexpr NativeFunction kLibraryNatives[] = {{"library", Library}};

}  // namespace

NativeFunctions LibraryNatives() { return kLibraryNatives; }

}  // namespace sloppy::workers

// Message authentication codes of all kinds, which Node has since 24.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "isolate/libraries/arguments.h"
#include "isolate/libraries/held.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/openssl.h"
#include "isolate/libraries/output.h"
#include "isolate/libraries/provided_names.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace macs {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;
using Mac = Owned<EVP_MAC, &Crypto::EVP_MAC_free>;

Mac Fetch(const std::string& name) {
  return Mac(Ssl().EVP_MAC_fetch(nullptr, name.c_str(), nullptr));
}

void AddMac(EVP_MAC* mac, void* names) {
  Ssl().EVP_MAC_names_do_all(mac, AddProvidedName, names);
}

// macNames() → names in lower case
void Names(const Info& info) {
  std::vector<std::string> names;
  Ssl().EVP_MAC_do_all_provided(nullptr, AddMac, &names);
  std::sort(names.begin(), names.end());
  ReturnTexts(info, names);
}

// macKind(name) → OpenSSL's first name in lower case; undefined for no name
void Kind(const Info& info) {
  const CleanQueue clean;
  const std::string name = TextAt(info, 0);
  const Mac mac = Fetch(name);
  // A name of numbers is an object identifier, and no name to Node.
  if (mac == nullptr || name.find('.') != std::string::npos) return;
  const std::string kind = InLowerCase(Ssl().EVP_MAC_get0_name(mac.get()));
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), kind.c_str()));
}

void ThrowFailed(v8::Isolate* isolate, const char* message) {
  if (Ssl().ERR_peek_error() != 0) return ThrowOpenSsl(isolate, message);
  ThrowCoded(isolate, kOperationFailed, message);
}

// macNew(name, key, digest, cipher, iv, customization, salt, length) → state.
// Those that are undefined are left to OpenSSL.
void New(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Input key(isolate, info[1]);
  const Input iv(isolate, info[4]);
  const Input custom(isolate, info[5]);
  const Input salt(isolate, info[6]);
  if (!key.ok() || !iv.ok() || !custom.ok() || !salt.ok()) return;
  std::string digest = TextAt(info, 2);
  std::string cipher = TextAt(info, 3);
  const CleanQueue clean;
  const Mac mac = Fetch(TextAt(info, 0));
  if (mac == nullptr) return ThrowFailed(isolate, "Failed to fetch MAC");
  MacContext context(Ssl().EVP_MAC_CTX_new(mac.get()));
  std::vector<OSSL_PARAM> params;
  // OpenSSL reads names to their zero.
  const auto text = [&](int index, const char* name, std::string* value) {
    if (info[index]->IsUndefined()) return;
    params.push_back(
        Ssl().OSSL_PARAM_construct_utf8_string(name, value->data(), 0));
  };
  const auto bytes = [&](int index, const char* name, const Input& value) {
    if (info[index]->IsUndefined()) return;
    params.push_back(Ssl().OSSL_PARAM_construct_octet_string(
        name, const_cast<uint8_t*>(value.data()), value.size()));
  };
  text(2, "digest", &digest);
  text(3, "cipher", &cipher);
  bytes(4, "iv", iv);
  bytes(5, "custom", custom);
  bytes(6, "salt", salt);
  size_t length = static_cast<size_t>(std::max<int64_t>(IntAt(info, 7), 0));
  if (!info[7]->IsUndefined()) {
    params.push_back(Ssl().OSSL_PARAM_construct_size_t("size", &length));
  }
  params.push_back(Ssl().OSSL_PARAM_construct_end());
  if (context == nullptr ||
      Ssl().EVP_MAC_init(context.get(), key.data(), key.size(),
                         params.data()) != 1) {
    return ThrowFailed(isolate, "Failed to initialize MAC");
  }
  Return(info, Held<MacContext>::New(isolate, std::move(context)));
}

// macUpdate(state, data)
void Update(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const MacContext* context = Held<MacContext>::From(info[0]);
  const Input data(isolate, info[1], SIZE_MAX);
  if (context == nullptr || !data.ok()) return;
  const CleanQueue clean;
  bool ok = true;
  EachPiece(isolate, data, [&](const uint8_t* piece, size_t size) {
    ok = Ssl().EVP_MAC_update(context->get(), piece, size) == 1;
    return ok;
  });
  if (!ok) ThrowFailed(isolate, "Failed to update MAC");
}

// macSize(state) → the bytes that it ends with
void Size(const Info& info) {
  const MacContext* context = Held<MacContext>::From(info[0]);
  size_t size = 0;
  if (context == nullptr ||
      Ssl().EVP_MAC_final(context->get(), nullptr, &size, 0) != 1) {
    return;
  }
  info.GetReturnValue().Set(static_cast<double>(size));
}

// macFinal(state) → bytes
void Final(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const MacContext* context = Held<MacContext>::From(info[0]);
  if (context == nullptr) return;
  const CleanQueue clean;
  size_t size = 0;
  if (Ssl().EVP_MAC_final(context->get(), nullptr, &size, 0) != 1) {
    return ThrowFailed(isolate, "Failed to finalize MAC");
  }
  Output out(isolate, size);
  if (!out.ok()) return;
  if (Ssl().EVP_MAC_final(context->get(), out.data(), &size, out.room()) != 1) {
    return ThrowFailed(isolate, "Failed to finalize MAC");
  }
  Return(info, out.Give(size));
}

constexpr NativeFunction kMacNatives[] = {
    {"macNames", Names},   {"macKind", Kind}, {"macNew", New},
    {"macUpdate", Update}, {"macSize", Size}, {"macFinal", Final},
};

}  // namespace
}  // namespace macs

NativeFunctions MacNatives() { return macs::kMacNatives; }

}  // namespace sloppy::workers

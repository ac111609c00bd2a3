// Parts of keys: what JWK, details and raw forms are made of.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "isolate/libraries/input.h"
#include "isolate/libraries/keys.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/output.h"
#include "isolate/native_functions.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

// keyKind(key) → text
void KeyKind(const Info& info) {
  const EVP_PKEY* key = KeyAt(info, 0);
  if (key == nullptr) return;
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), KindOf(key).c_str()));
}

// keyNumber(key, name, size) → big-endian bytes, `size` of them if it is > 0;
// undefined when the key has it not
void KeyNumber(const Info& info) {
  const EVP_PKEY* key = KeyAt(info, 0);
  if (key == nullptr) return;
  const CleanQueue clean;
  BIGNUM* found = nullptr;
  const std::string name = TextAt(info, 1);
  if (Ssl().EVP_PKEY_get_bn_param(key, name.c_str(), &found) != 1) return;
  const Bignum number(found);
  const auto own =
      static_cast<size_t>((Ssl().BN_num_bits(number.get()) + 7) / 8);
  const size_t size =
      std::max(own, static_cast<size_t>(std::max<int64_t>(IntAt(info, 2), 0)));
  std::vector<uint8_t> bytes(size);
  if (Ssl().BN_bn2binpad(number.get(), bytes.data(), static_cast<int>(size)) <
      0) {
    return;
  }
  Return(info, NewBytes(info.GetIsolate(), bytes.data(), size));
  Wipe(bytes.data(), size);
}

// keyText(key, name) → text, undefined when the key has it not
void KeyText(const Info& info) {
  const EVP_PKEY* key = KeyAt(info, 0);
  if (key == nullptr) return;
  const CleanQueue clean;
  std::array<char, 256> text{};
  size_t size = 0;
  const std::string name = TextAt(info, 1);
  if (Ssl().EVP_PKEY_get_utf8_string_param(key, name.c_str(), text.data(),
                                           text.size(), &size) == 1) {
    Return(info, v8::String::NewFromUtf8(info.GetIsolate(), text.data()));
  }
}

// keyInt(key, name) → number, undefined when the key has it not
void KeyInt(const Info& info) {
  const EVP_PKEY* key = KeyAt(info, 0);
  if (key == nullptr) return;
  const CleanQueue clean;
  int value = 0;
  const std::string name = TextAt(info, 1);
  if (Ssl().EVP_PKEY_get_int_param(key, name.c_str(), &value) == 1) {
    info.GetReturnValue().Set(value);
  }
}

// keyBits(key) → number
void KeyBits(const Info& info) {
  const EVP_PKEY* key = KeyAt(info, 0);
  if (key != nullptr) info.GetReturnValue().Set(Ssl().EVP_PKEY_get_bits(key));
}

// keyOctets(key, name) → bytes, undefined when the key has it not
void KeyOctets(const Info& info) {
  const EVP_PKEY* key = KeyAt(info, 0);
  if (key == nullptr) return;
  const CleanQueue clean;
  const std::string name = TextAt(info, 1);
  size_t size = 0;
  if (Ssl().EVP_PKEY_get_octet_string_param(key, name.c_str(), nullptr, 0,
                                            &size) != 1) {
    return;
  }
  std::vector<uint8_t> bytes(size);
  if (Ssl().EVP_PKEY_get_octet_string_param(key, name.c_str(), bytes.data(),
                                            bytes.size(), &size) == 1) {
    Return(info, NewBytes(info.GetIsolate(), bytes.data(), size));
  }
  Wipe(bytes.data(), bytes.size());
}

// keyRaw(key, isPrivate) → bytes, undefined when the key has none
void KeyRaw(const Info& info) {
  const EVP_PKEY* key = KeyAt(info, 0);
  if (key == nullptr) return;
  const CleanQueue clean;
  const auto get = info[1]->IsTrue() ? Ssl().EVP_PKEY_get_raw_private_key
                                     : Ssl().EVP_PKEY_get_raw_public_key;
  size_t size = 0;
  if (get(key, nullptr, &size) != 1) return;
  std::vector<uint8_t> bytes(size);
  if (get(key, bytes.data(), &size) == 1) {
    Return(info, NewBytes(info.GetIsolate(), bytes.data(), size));
  }
  Wipe(bytes.data(), bytes.size());
}

// keyFromRaw(name, bytes, isPrivate) → key, undefined for wrong bytes
void KeyFromRaw(const Info& info) {
  const std::string name = TextAt(info, 0);
  const Input bytes(info.GetIsolate(), info[1]);
  if (!bytes.ok()) return;
  const CleanQueue clean;
  const auto make = info[2]->IsTrue() ? Ssl().EVP_PKEY_new_raw_private_key_ex
                                      : Ssl().EVP_PKEY_new_raw_public_key_ex;
  Key key(make(nullptr, name.c_str(), nullptr, bytes.data(), bytes.size()));
  if (key != nullptr) ReturnKey(info, std::move(key));
}

struct Build {
  using Builder = Owned<OSSL_PARAM_BLD, &Crypto::OSSL_PARAM_BLD_free>;
  Builder builder{Ssl().OSSL_PARAM_BLD_new()};
  // They live until the parameters are made.
  std::vector<Bignum> numbers;
  std::vector<std::vector<uint8_t>> bytes;

  bool Add(v8::Isolate* isolate, const std::string& name, int64_t kind,
           v8::Local<v8::Value> value) {
    const char* key = KeyName(name);
    if (key == nullptr) return false;
    const Input input(isolate, value);
    if (!input.ok()) return false;
    if (kind == 0) {
      numbers.push_back(NumberOf(input));
      return numbers.back() != nullptr &&
             Ssl().OSSL_PARAM_BLD_push_BN(builder.get(), key,
                                          numbers.back().get()) == 1;
    }
    bytes.emplace_back(input.data(), input.data() + input.size());
    bytes.back().push_back(0);
    return kind == 1
               ? Ssl().OSSL_PARAM_BLD_push_octet_string(
                     builder.get(), key, bytes.back().data(), input.size()) == 1
               : Ssl().OSSL_PARAM_BLD_push_utf8_string(
                     builder.get(), key,
                     reinterpret_cast<const char*>(bytes.back().data()),
                     input.size()) == 1;
  }
  // OpenSSL keeps the address.
  static const char* KeyName(const std::string& name) {
    static constexpr const char* kKnown[] = {"n",
                                             "e",
                                             "d",
                                             "rsa-factor1",
                                             "rsa-factor2",
                                             "rsa-exponent1",
                                             "rsa-exponent2",
                                             "rsa-coefficient1",
                                             "group",
                                             "pub",
                                             "priv",
                                             "p",
                                             "q",
                                             "g",
                                             "seed"};
    for (const char* known : kKnown) {
      if (name == known) return known;
    }
    return nullptr;
  }
  ~Build() {
    for (auto& each : bytes) Wipe(each.data(), each.size());
  }
};

// keyMake(type, isPrivate, [name, kind, value, …]) → key, undefined for parts
// that make none; kind 0 is a number in big-endian bytes, 1 bytes, 2 a text
void KeyMake(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[2]->IsArray()) return;
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  auto list = info[2].As<v8::Array>();
  const CleanQueue clean;
  Build build;
  for (uint32_t i = 0; i + 2 < list->Length(); i += 3) {
    v8::Local<v8::Value> name;
    v8::Local<v8::Value> kind;
    v8::Local<v8::Value> value;
    if (!list->Get(context, i).ToLocal(&name) ||
        !list->Get(context, i + 1).ToLocal(&kind) ||
        !list->Get(context, i + 2).ToLocal(&value)) {
      return;
    }
    const v8::String::Utf8Value text(isolate, name);
    if (*text == nullptr || !kind->IsInt32() ||
        !build.Add(isolate, *text, kind.As<v8::Int32>()->Value(), value)) {
      return;
    }
  }
  const std::string type = TextAt(info, 0);
  const KeyContext maker(
      Ssl().EVP_PKEY_CTX_new_from_name(nullptr, type.c_str(), nullptr));
  const Owned<OSSL_PARAM, &Crypto::OSSL_PARAM_free> params(
      Ssl().OSSL_PARAM_BLD_to_param(build.builder.get()));
  EVP_PKEY* made = nullptr;
  if (maker == nullptr || params == nullptr ||
      Ssl().EVP_PKEY_fromdata_init(maker.get()) != 1 ||
      Ssl().EVP_PKEY_fromdata(
          maker.get(), &made,
          info[1]->IsTrue() ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY,
          params.get()) != 1) {
    return;
  }
  ReturnKey(info, Key(made));
}

// keyEquals(a, b) → whether they are the same key; undefined if nothing says
void KeyEquals(const Info& info) {
  const EVP_PKEY* a = KeyAt(info, 0);
  const EVP_PKEY* b = KeyAt(info, 1);
  if (a == nullptr || b == nullptr) return;
  const CleanQueue clean;
  const int same = Ssl().EVP_PKEY_eq(a, b);
  if (same != -2) info.GetReturnValue().Set(same == 1);
}

// keyCheck(key, isPrivate) → whether its public part is one, and its private
// part belongs to it
void KeyCheck(const Info& info) {
  EVP_PKEY* key = KeyAt(info, 0);
  if (key == nullptr) return;
  const CleanQueue clean;
  const KeyContext context(
      Ssl().EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  const auto check =
      info[1]->IsTrue() ? Ssl().EVP_PKEY_check : Ssl().EVP_PKEY_public_check;
  info.GetReturnValue().Set(context != nullptr && check(context.get()) == 1);
}

// keySetPointForm(key, "uncompressed" | "compressed" | "hybrid")
void KeySetPointForm(const Info& info) {
  EVP_PKEY* key = KeyAt(info, 0);
  if (key == nullptr) return;
  const CleanQueue clean;
  const std::string form = TextAt(info, 1);
  Ssl().EVP_PKEY_set_utf8_string_param(key, "point-format", form.c_str());
}

// digestName(name) → OpenSSL's short name of a digest in any spelling
void DigestName(const Info& info) {
  const std::string name = TextAt(info, 0);
  const EVP_MD* digest = Ssl().EVP_get_digestbyname(name.c_str());
  if (digest == nullptr) return;
  const char* text = Ssl().OBJ_nid2ln(Ssl().EVP_MD_get_type(digest));
  if (text != nullptr) {
    Return(info, v8::String::NewFromUtf8(info.GetIsolate(), text));
  }
}

constexpr NativeFunction kKeyPartsNatives[] = {
    {"keyKind", KeyKind},
    {"keyNumber", KeyNumber},
    {"keyText", KeyText},
    {"keyInt", KeyInt},
    {"keyBits", KeyBits},
    {"keyOctets", KeyOctets},
    {"keyRaw", KeyRaw},
    {"keyFromRaw", KeyFromRaw},
    {"keyMake", KeyMake},
    {"keyEquals", KeyEquals},
    {"keyCheck", KeyCheck},
    {"digestName", DigestName},
    {"keySetPointForm", KeySetPointForm},
};

}  // namespace

std::string KindOf(const EVP_PKEY* key) {
  const char* name = Ssl().EVP_PKEY_get0_type_name(key);
  std::string kind = name == nullptr ? "" : name;
  std::transform(kind.begin(), kind.end(), kind.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (kind == "dhx" || kind == "x9.42 dh") return "dh";
  return kind;
}

bool SignsWhole(const EVP_PKEY* key) {
  const std::string kind = KindOf(key);
  return kind == "ed25519" || kind == "ed448" || kind.rfind("ml-dsa", 0) == 0 ||
         kind.rfind("slh-dsa", 0) == 0;
}

NativeFunctions KeyPartsNatives() { return kKeyPartsNatives; }

}  // namespace sloppy::workers

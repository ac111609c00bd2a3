// Hashes and HMAC. Data goes in pieces, between which the worker may be ended.
#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "isolate/libraries/arguments.h"
#include "isolate/libraries/digests.h"
#include "isolate/libraries/held.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/output.h"
#include "isolate/libraries/provided_names.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

// A digest is fetched once a process, and known by its place from then on.
constexpr size_t kMostDigests = 256;
std::array<std::atomic<EVP_MD*>, kMostDigests> digests{};
Mutex digests_mutex;
std::atomic<size_t> digest_count{0};

constexpr char kHex[] = "0123456789abcdef";

void ReturnBytes(const Info& info, const uint8_t* data, size_t size,
                 bool as_hex) {
  v8::Isolate* isolate = info.GetIsolate();
  if (as_hex && size <= EVP_MAX_MD_SIZE) {
    uint8_t text[2 * EVP_MAX_MD_SIZE];
    for (size_t i = 0; i < size; ++i) {
      text[2 * i] = static_cast<uint8_t>(kHex[data[i] >> 4]);
      text[2 * i + 1] = static_cast<uint8_t>(kHex[data[i] & 15]);
    }
    v8::Local<v8::String> made;
    if (v8::String::NewFromOneByte(isolate, text, v8::NewStringType::kNormal,
                                   static_cast<int>(2 * size))
            .ToLocal(&made)) {
      info.GetReturnValue().Set(made);
    }
    return;
  }
  v8::Local<v8::Uint8Array> bytes;
  if (NewBytes(isolate, data, size).ToLocal(&bytes)) {
    info.GetReturnValue().Set(bytes);
  }
}

bool Update(v8::Isolate* isolate, EVP_MD_CTX* context, const Input& data) {
  return EachPiece(isolate, data, [&](const uint8_t* piece, size_t size) {
    return Ssl().EVP_DigestUpdate(context, piece, size) == 1;
  });
}

// Ends a hash; `length` < 0 is the digest's own.
void Finish(const Info& info, EVP_MD_CTX* context, const EVP_MD* digest,
            int64_t length, bool as_hex) {
  v8::Isolate* isolate = info.GetIsolate();
  const auto own = static_cast<int64_t>(Ssl().EVP_MD_get_size(digest));
  const bool is_xof = (Ssl().EVP_MD_get_flags(digest) & EVP_MD_FLAG_XOF) != 0;
  if (length == 0) return ReturnBytes(info, nullptr, 0, as_hex);
  if (!is_xof || (length < 0 && own > 0) || length == own) {
    std::array<uint8_t, EVP_MAX_MD_SIZE> out;
    unsigned size = 0;
    if (Ssl().EVP_DigestFinal_ex(context, out.data(), &size) != 1) {
      return ThrowOpenSsl(isolate, "Digest method not supported");
    }
    return ReturnBytes(info, out.data(), size, as_hex);
  }
  Output out(isolate, static_cast<size_t>(std::max<int64_t>(length, 0)));
  if (!out.ok()) return;
  if (Ssl().EVP_DigestFinalXOF(context, out.data(), out.room()) != 1) {
    return ThrowOpenSsl(isolate, "Unsupported output length");
  }
  Return(info, out.Give(out.room()));
}

// digestId(name) → number, -1 for an unknown one
void DigestId(const Info& info) {
  info.GetReturnValue().Set(IdOfDigest(TextAt(info, 0)));
}

// digestFacts(id) → [size, whether its length is free, block size, name]
void DigestFacts(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const EVP_MD* digest = DigestAt(info, 0);
  if (digest == nullptr) return;
  v8::Local<v8::String> name;
  const char* text = Ssl().EVP_MD_get0_name(digest);
  if (!v8::String::NewFromUtf8(isolate, text == nullptr ? "" : text)
           .ToLocal(&name)) {
    return;
  }
  v8::Local<v8::Value> row[] = {
      v8::Integer::New(isolate, Ssl().EVP_MD_get_size(digest)),
      v8::Boolean::New(isolate,
                       (Ssl().EVP_MD_get_flags(digest) & EVP_MD_FLAG_XOF) != 0),
      v8::Integer::New(isolate, Ssl().EVP_MD_get_block_size(digest)), name};
  info.GetReturnValue().Set(v8::Array::New(isolate, row, std::size(row)));
}

// hash(id, data, asHex, length) → bytes or text
void HashOnce(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const EVP_MD* digest = DigestAt(info, 0);
  if (digest == nullptr) return;
  const CleanQueue clean;
  // Used again: making one costs more than a short hash.
  thread_local const DigestContext context(Ssl().EVP_MD_CTX_new());
  const Input data(isolate, info[1], SIZE_MAX);
  if (!data.ok()) return;
  if (Ssl().EVP_DigestInit_ex(context.get(), digest, nullptr) != 1) {
    return ThrowOpenSsl(isolate, "Digest method not supported");
  }
  if (!Update(isolate, context.get(), data)) return;
  Finish(info, context.get(), digest, IntAt(info, 3), info[2]->IsTrue());
}

// digestRefuse(name, tells) throws OpenSSL's refusal of a digest whose provider
// is not loaded, and nothing for a name that OpenSSL does not know. `tells`: 0
// of the first error alone, 1 of the others, 2 of all.
void DigestRefuse(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const EVP_MD* digest = Ssl().EVP_get_digestbyname(TextAt(info, 0).c_str());
  if (digest == nullptr) return;
  const CleanQueue clean;
  const DigestContext context(Ssl().EVP_MD_CTX_new());
  if (Ssl().EVP_DigestInit_ex(context.get(), digest, nullptr) == 1) return;
  constexpr char kOtherwise[] = "Digest method not supported";
  const int64_t tells = IntAt(info, 1);
  return tells == 0 ? ThrowFirstOfOpenSsl(isolate, kOtherwise)
                    : ThrowOpenSsl(isolate, kOtherwise, tells == 2);
}

struct HashState {
  DigestContext context;
  const EVP_MD* digest;
};

// hashNew(id, from) → state, of another one
void HashNew(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const CleanQueue clean;
  HashState state{DigestContext(Ssl().EVP_MD_CTX_new()), nullptr};
  int done = 0;
  if (const HashState* from = Held<HashState>::From(info[1])) {
    state.digest = from->digest;
    done = Ssl().EVP_MD_CTX_copy_ex(state.context.get(), from->context.get());
  } else {
    state.digest = DigestAt(info, 0);
    if (state.digest == nullptr) return;
    done = Ssl().EVP_DigestInit_ex(state.context.get(), state.digest, nullptr);
  }
  if (done != 1) return ThrowOpenSsl(isolate, "Digest method not supported");
  Return(info, Held<HashState>::New(isolate, std::move(state)));
}

// hashUpdate(state, data)
void HashUpdate(const Info& info) {
  const HashState* state = Held<HashState>::From(info[0]);
  if (state == nullptr) return;
  const Input data(info.GetIsolate(), info[1], SIZE_MAX);
  if (data.ok()) Update(info.GetIsolate(), state->context.get(), data);
}

// hashFinal(state, asHex, length) → bytes or text
void HashFinal(const Info& info) {
  const HashState* state = Held<HashState>::From(info[0]);
  if (state == nullptr) return;
  const CleanQueue clean;
  Finish(info, state->context.get(), state->digest, IntAt(info, 2),
         info[1]->IsTrue());
}

using Hmac = Owned<HMAC_CTX, &Crypto::HMAC_CTX_free>;

Hmac NewHmac(v8::Isolate* isolate, const EVP_MD* digest, const Input& key) {
  Hmac context(Ssl().HMAC_CTX_new());
  if (Ssl().HMAC_Init_ex(context.get(), key.data(),
                         static_cast<int>(key.size()), digest, nullptr) != 1) {
    ThrowOpenSsl(isolate, "error:00000000:lib(0)::reason(0)");
    context.reset();
  }
  return context;
}

bool UpdateHmac(v8::Isolate* isolate, HMAC_CTX* context, const Input& data) {
  return EachPiece(isolate, data, [&](const uint8_t* piece, size_t size) {
    return Ssl().HMAC_Update(context, piece, size) == 1;
  });
}

void FinishHmac(const Info& info, HMAC_CTX* context, bool as_hex) {
  std::array<uint8_t, EVP_MAX_MD_SIZE> out;
  unsigned size = 0;
  if (Ssl().HMAC_Final(context, out.data(), &size) != 1) {
    return ThrowOpenSsl(info.GetIsolate(), "HMAC failed");
  }
  ReturnBytes(info, out.data(), size, as_hex);
}

// hmacNew(id, key) → state
void HmacNew(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const EVP_MD* digest = DigestAt(info, 0);
  const Input key(isolate, info[1]);
  if (digest == nullptr || !key.ok()) return;
  const CleanQueue clean;
  Hmac context = NewHmac(isolate, digest, key);
  if (context != nullptr)
    Return(info, Held<Hmac>::New(isolate, std::move(context)));
}

// hmacUpdate(state, data)
void HmacUpdate(const Info& info) {
  const Hmac* state = Held<Hmac>::From(info[0]);
  if (state == nullptr) return;
  const Input data(info.GetIsolate(), info[1], SIZE_MAX);
  if (data.ok()) UpdateHmac(info.GetIsolate(), state->get(), data);
}

// hmacFinal(state, asHex) → bytes or text
void HmacFinal(const Info& info) {
  const Hmac* state = Held<Hmac>::From(info[0]);
  const CleanQueue clean;
  if (state != nullptr) FinishHmac(info, state->get(), info[1]->IsTrue());
}

// hmac(id, key, data, asHex) → bytes or text
void HmacOnce(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const EVP_MD* digest = DigestAt(info, 0);
  const Input key(isolate, info[1]);
  const Input data(isolate, info[2], SIZE_MAX);
  if (digest == nullptr || !key.ok() || !data.ok()) return;
  const CleanQueue clean;
  const Hmac context = NewHmac(isolate, digest, key);
  if (context == nullptr || !UpdateHmac(isolate, context.get(), data)) return;
  FinishHmac(info, context.get(), info[3]->IsTrue());
}

// kmac(name, key, data, length, customization) → bytes
void Kmac(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Input key(isolate, info[1]);
  const Input data(isolate, info[2], SIZE_MAX);
  const Input label(isolate, info[4]);
  const int64_t length = IntAt(info, 3);
  if (!key.ok() || !data.ok() || !label.ok() || length < 0) return;
  const CleanQueue clean;
  const Owned<EVP_MAC, &Crypto::EVP_MAC_free> mac(
      Ssl().EVP_MAC_fetch(nullptr, TextAt(info, 0).c_str(), nullptr));
  if (mac == nullptr) return ThrowOfJob(isolate, "KMAC failed");
  const MacContext context(Ssl().EVP_MAC_CTX_new(mac.get()));
  Output out(isolate, static_cast<size_t>(length));
  if (!out.ok()) return;
  size_t size = out.room();
  const OSSL_PARAM params[] = {
      Ssl().OSSL_PARAM_construct_size_t("size", &size),
      Ssl().OSSL_PARAM_construct_octet_string(
          "custom", const_cast<uint8_t*>(label.data()), label.size()),
      Ssl().OSSL_PARAM_construct_end()};
  bool ok =
      Ssl().EVP_MAC_init(context.get(), key.data(), key.size(), params) == 1;
  const bool whole =
      ok && EachPiece(isolate, data, [&](const uint8_t* piece, size_t part) {
        ok = Ssl().EVP_MAC_update(context.get(), piece, part) == 1;
        return ok;
      });
  if (ok && !whole) return;
  if (!ok ||
      Ssl().EVP_MAC_final(context.get(), out.data(), &size, out.room()) != 1) {
    return ThrowOfJob(isolate, "KMAC failed");
  }
  Return(info, out.Give(out.room()));
}

void AddName(const EVP_MD* digest, const char* from, const char* /*to*/,
             void* names) {
  (void)digest;
  if (from != nullptr) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(from);
  }
}

void AddProvided(EVP_MD* digest, void* names) {
  Ssl().EVP_MD_names_do_all(digest, AddProvidedName, names);
}

// hashNames() → names as OpenSSL has them
void HashNames(const Info& info) {
  std::vector<std::string> names;
  Ssl().EVP_MD_do_all_sorted(AddName, &names);
  if (kKnowsProvided) {
    Ssl().EVP_MD_do_all_provided(nullptr, AddProvided, &names);
  }
  names.erase(std::remove_if(
                  names.begin(), names.end(),
                  [](const std::string& name) { return IdOfDigest(name) < 0; }),
              names.end());
  Ssl().ERR_clear_error();
  ReturnTexts(info, names);
}

constexpr NativeFunction kHashesNatives[] = {
    {"digestId", DigestId},
    {"digestFacts", DigestFacts},
    {"digestRefuse", DigestRefuse},
    {"hash", HashOnce},
    {"hashNew", HashNew},
    {"hashUpdate", HashUpdate},
    {"hashFinal", HashFinal},
    {"hashNames", HashNames},
    {"hmac", HmacOnce},
    {"hmacNew", HmacNew},
    {"hmacUpdate", HmacUpdate},
    {"hmacFinal", HmacFinal},
    {"kmac", Kmac},
};

EVP_MD* FetchDigest(const std::string& name) {
  const CleanQueue clean;
  Digest found(Ssl().EVP_MD_fetch(nullptr, name.c_str(), nullptr));
  if (found != nullptr) {
    const bool known =
        kKnowsProvided ? !DoesNothing(Ssl().EVP_MD_get0_name(found.get()))
                       : Ssl().EVP_get_digestbyname(name.c_str()) != nullptr;
    return known ? found.release() : nullptr;
  }
  // Providers know no aliases, such as RSA-SHA256.
  const EVP_MD* alias = Ssl().EVP_get_digestbyname(name.c_str());
  const char* own = alias == nullptr ? nullptr : Ssl().EVP_MD_get0_name(alias);
  return own == nullptr ? nullptr : Ssl().EVP_MD_fetch(nullptr, own, nullptr);
}

}  // namespace

const EVP_MD* DigestOf(int id) {
  if (id < 0 || static_cast<size_t>(id) >= kMostDigests) return nullptr;
  return digests[static_cast<size_t>(id)].load(std::memory_order_acquire);
}

int IdOfDigest(const std::string& name) {
  EVP_MD* found = FetchDigest(name);
  if (found == nullptr) return -1;
  MutexLock lock(digests_mutex);
  const size_t count = digest_count.load();
  for (size_t i = 0; i < count; ++i) {
    if (digests[i].load() != found) continue;
    Ssl().EVP_MD_free(found);
    return static_cast<int>(i);
  }
  if (count == kMostDigests) return -1;
  digests[count].store(found, std::memory_order_release);
  digest_count.store(count + 1);
  return static_cast<int>(count);
}

NativeFunctions HashNatives() { return kHashesNatives; }

}  // namespace sloppy::workers

// Keys from passwords and secrets, in pieces: a native cannot be ended in its
// middle, and callers say how long these take.
#include <algorithm>
#include <array>
#include <cstring>

#include "isolate/libraries/arguments.h"
#include "isolate/libraries/digests.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/output.h"
#include "isolate/libraries/provided_names.h"
#include "isolate/libraries/scrypt_mix.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;
using Hmac = Owned<HMAC_CTX, &Crypto::HMAC_CTX_free>;

// Rounds between two looks at whether the worker is to end.
constexpr int64_t kRounds = 1000;

struct Bytes {
  const uint8_t* data;
  size_t size;
};

Hmac Keyed(const EVP_MD* digest, Bytes key) {
  Hmac context(Ssl().HMAC_CTX_new());
  if (Ssl().HMAC_Init_ex(context.get(), key.data, static_cast<int>(key.size),
                         digest, nullptr) != 1) {
    context.reset();
  }
  return context;
}

enum class Done { kWhole, kEnded, kFailed };

// PBKDF2 as OpenSSL has it, but for the looks.
Done Stretch(v8::Isolate* isolate, const EVP_MD* digest, Bytes password,
             Bytes salt, int64_t rounds, uint8_t* out, size_t size) {
  const LibraryState& state = LibraryState::Of(isolate);
  const Hmac keyed = Keyed(digest, password);
  const Hmac hmac(Ssl().HMAC_CTX_new());
  if (keyed == nullptr) return Done::kFailed;
  std::array<uint8_t, EVP_MAX_MD_SIZE> block;
  const auto length = static_cast<size_t>(Ssl().EVP_MD_get_size(digest));
  int64_t since = 0;
  uint32_t number = 0;
  for (size_t at = 0; at < size; at += length) {
    ++number;
    const uint8_t counter[] = {
        static_cast<uint8_t>(number >> 24), static_cast<uint8_t>(number >> 16),
        static_cast<uint8_t>(number >> 8), static_cast<uint8_t>(number)};
    unsigned written = 0;
    bool ok = Ssl().HMAC_CTX_copy(hmac.get(), keyed.get()) == 1 &&
              Ssl().HMAC_Update(hmac.get(), salt.data, salt.size) == 1 &&
              Ssl().HMAC_Update(hmac.get(), counter, sizeof(counter)) == 1 &&
              Ssl().HMAC_Final(hmac.get(), block.data(), &written) == 1;
    const size_t part = std::min(length, size - at);
    std::memcpy(out + at, block.data(), part);
    for (int64_t round = 1; ok && round < rounds; ++round) {
      ok = Ssl().HMAC_CTX_copy(hmac.get(), keyed.get()) == 1 &&
           Ssl().HMAC_Update(hmac.get(), block.data(), length) == 1 &&
           Ssl().HMAC_Final(hmac.get(), block.data(), &written) == 1;
      for (size_t i = 0; i < part; ++i) out[at + i] ^= block[i];
      if (++since % kRounds == 0 && state.IsInterrupted()) return Done::kEnded;
    }
    if (!ok) return Done::kFailed;
    if (++since % kRounds == 0 && state.IsInterrupted()) return Done::kEnded;
  }
  Wipe(block.data(), block.size());
  return Done::kWhole;
}

// Node's text has changed in 26.
constexpr const char* kNotDerived =
    kIsSinceNode26 ? "PBKDF2 derivation failed" : "Deriving bits failed";

// pbkdf2(id, password, salt, rounds, length) → bytes
void Pbkdf2(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const EVP_MD* digest = DigestAt(info, 0);
  const Input password(isolate, info[1]);
  const Input salt(isolate, info[2]);
  const int64_t length = IntAt(info, 4);
  if (digest == nullptr || !password.ok() || !salt.ok() || length < 0) return;
  Output out(isolate, static_cast<size_t>(length));
  if (!out.ok()) return;
  const CleanQueue clean;
  const Done done = Stretch(isolate, digest, {password.data(), password.size()},
                            {salt.data(), salt.size()}, IntAt(info, 3),
                            out.data(), out.room());
  if (done == Done::kFailed) return ThrowOfJob(isolate, kNotDerived);
  if (done == Done::kWhole) Return(info, out.Give(out.room()));
}

// checkScrypt(N, r, p, maxmem): throws what OpenSSL says against them.
void CheckScrypt(const Info& info) {
  const auto at = [&info](int index) {
    return static_cast<uint64_t>(std::max<int64_t>(IntAt(info, index), 0));
  };
  const CleanQueue clean;
  if (Ssl().EVP_PBE_scrypt(nullptr, 0, nullptr, 0, at(0), at(1), at(2), at(3),
                           nullptr, 0) == 1) {
    return;
  }
  const auto error = Ssl().ERR_peek_last_error();
  if (error == 0) {
    return ThrowCoded(info.GetIsolate(), "ERR_CRYPTO_INVALID_SCRYPT_PARAMS",
                      "Invalid scrypt params");
  }
  std::array<char, 256> text{};
  Ssl().ERR_error_string_n(error, text.data(), text.size());
  const std::string message =
      std::string("Invalid scrypt params: ") + text.data();
  ThrowCoded(info.GetIsolate(), "ERR_CRYPTO_INVALID_SCRYPT_PARAMS",
             message.c_str());
}

// scrypt(password, salt, N, r, p, length) → bytes; REQUIRES: checkScrypt().
// OpenSSL's own is one call, which nothing could end: `p` is not bounded by its
// memory.
void Scrypt(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Input password(isolate, info[0]);
  const Input salt(isolate, info[1]);
  const auto n = static_cast<uint64_t>(std::max<int64_t>(IntAt(info, 2), 0));
  const auto r = static_cast<size_t>(std::max<int64_t>(IntAt(info, 3), 0));
  const auto p = static_cast<size_t>(std::max<int64_t>(IntAt(info, 4), 0));
  const int64_t length = IntAt(info, 5);
  if (!password.ok() || !salt.ok() || length < 0 || n < 2 || r == 0 || p == 0) {
    return;
  }
  const size_t lane = 128 * r;
  const size_t words = 32 * r * (static_cast<size_t>(n) + 2);
  LibraryState& state = LibraryState::Of(isolate);
  if (!state.memory().HasRoomFor(words * sizeof(uint32_t) + lane * p)) {
    return ThrowNoMemory(isolate);
  }
  Output out(isolate, static_cast<size_t>(length));
  Output lanes(isolate, lane * p);
  if (!out.ok() || !lanes.ok()) return;
  Output memory(isolate, words * sizeof(uint32_t));
  if (!memory.ok()) return;
  const EVP_MD* sha256 = DigestOf(IdOfDigest("sha256"));
  const Bytes secret{password.data(), password.size()};
  const CleanQueue clean;
  Done done = Stretch(isolate, sha256, secret, {salt.data(), salt.size()}, 1,
                      lanes.data(), lanes.room());
  auto* scratch = reinterpret_cast<uint32_t*>(memory.data());
  for (size_t i = 0; i < p && done == Done::kWhole; ++i) {
    const bool went_on = MixLane(lanes.data() + i * lane, r, n, scratch,
                                 [&state] { return !state.IsInterrupted(); });
    if (!went_on) done = Done::kEnded;
  }
  if (done == Done::kWhole) {
    done = Stretch(isolate, sha256, secret, {lanes.data(), lanes.room()}, 1,
                   out.data(), out.room());
  }
  Wipe(memory.data(), memory.room());
  Wipe(lanes.data(), lanes.room());
  if (done == Done::kFailed) return ThrowOfJob(isolate, "Scrypt failed");
  if (done == Done::kWhole) Return(info, out.Give(out.room()));
}

// hkdf(id, key, salt, info, length) → bytes (RFC 5869)
void Hkdf(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const EVP_MD* digest = DigestAt(info, 0);
  const Input key(isolate, info[1]);
  const Input salt(isolate, info[2]);
  const Input label(isolate, info[3]);
  const int64_t length = IntAt(info, 4);
  if (digest == nullptr || !key.ok() || !salt.ok() || !label.ok() ||
      length < 0) {
    return;
  }
  Output out(isolate, static_cast<size_t>(length));
  if (!out.ok()) return;
  const CleanQueue clean;
  std::array<uint8_t, EVP_MAX_MD_SIZE> block;
  unsigned size = 0;
  const auto digest_size = static_cast<size_t>(Ssl().EVP_MD_get_size(digest));
  // No salt is a salt of zeros.
  const std::array<uint8_t, EVP_MAX_MD_SIZE> zeros{};
  const bool has_salt = salt.size() > 0;
  const Hmac extract =
      Keyed(digest, has_salt ? Bytes{salt.data(), salt.size()}
                             : Bytes{zeros.data(), digest_size});
  bool ok = extract != nullptr &&
            Ssl().HMAC_Update(extract.get(), key.data(), key.size()) == 1 &&
            Ssl().HMAC_Final(extract.get(), block.data(), &size) == 1;
  const Hmac keyed = ok ? Keyed(digest, {block.data(), size}) : nullptr;
  const Hmac hmac(Ssl().HMAC_CTX_new());
  ok = ok && keyed != nullptr;
  uint8_t number = 0;
  for (size_t at = 0; ok && at < out.room(); at += digest_size) {
    ++number;
    ok = Ssl().HMAC_CTX_copy(hmac.get(), keyed.get()) == 1 &&
         (at == 0 ||
          Ssl().HMAC_Update(hmac.get(), block.data(), digest_size) == 1) &&
         Ssl().HMAC_Update(hmac.get(), label.data(), label.size()) == 1 &&
         Ssl().HMAC_Update(hmac.get(), &number, 1) == 1 &&
         Ssl().HMAC_Final(hmac.get(), block.data(), &size) == 1;
    std::memcpy(out.data() + at, block.data(),
                std::min(digest_size, out.room() - at));
  }
  Wipe(block.data(), block.size());
  if (!ok) return ThrowOfJob(isolate, "HKDF failed");
  Return(info, out.Give(out.room()));
}

constexpr NativeFunction kDeriveNatives[] = {
    {"pbkdf2", Pbkdf2},
    {"checkScrypt", CheckScrypt},
    {"scrypt", Scrypt},
    {"hkdf", Hkdf},
};

}  // namespace

NativeFunctions DeriveNatives() { return kDeriveNatives; }

}  // namespace sloppy::workers

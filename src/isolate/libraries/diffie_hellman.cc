// Node's DiffieHellman.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "isolate/libraries/input.h"
#include "isolate/libraries/keys.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/long_primes.h"
#include "isolate/libraries/output.h"
#include "isolate/libraries/provided_names.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;
using Group = Owned<DH, &Crypto::DH_free>;

int GoesOn(int /*step*/, int /*number*/, BN_GENCB* callback) {
  const auto* state =
      static_cast<const LibraryState*>(Ssl().BN_GENCB_get_arg(callback));
  return state->IsInterrupted() ? 0 : 1;
}

BIGNUM* PrimeOf(const std::string& name) {
  const std::pair<const char*, BIGNUM* (*)(BIGNUM*)> known[] = {
      {"modp1", Ssl().BN_get_rfc2409_prime_768},
      {"modp2", Ssl().BN_get_rfc2409_prime_1024},
      {"modp5", Ssl().BN_get_rfc3526_prime_1536},
      {"modp14", Ssl().BN_get_rfc3526_prime_2048},
      {"modp15", Ssl().BN_get_rfc3526_prime_3072},
      {"modp16", Ssl().BN_get_rfc3526_prime_4096},
      {"modp17", Ssl().BN_get_rfc3526_prime_6144},
      {"modp18", Ssl().BN_get_rfc3526_prime_8192}};
  for (const auto& [group, make] : known) {
    if (name == group) return make(nullptr);
  }
  return nullptr;
}

// dhPrime(group name) → the prime's bytes, undefined for an unknown group
void DhPrime(const Info& info) {
  const Bignum prime(PrimeOf(TextAt(info, 0)));
  if (prime != nullptr) ReturnNumber(info, prime.get());
}

// dhNew(prime or bits, generator bytes) → group
void DhNew(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const CleanQueue clean;
  Group group(Ssl().DH_new());
  const Input generator(isolate, info[1]);
  const Input prime(isolate, info[0]);
  if (!generator.ok() || !prime.ok()) return;
  if (!info[0]->IsNumber()) {
    Bignum p = NumberOf(prime);
    Bignum g = NumberOf(generator);
    if (Ssl().DH_set0_pqg(group.get(), p.get(), nullptr, g.get()) != 1) {
      return ThrowOpenSsl(isolate, "Initialization failed");
    }
    // The group has them now.
    (void)p.release();
    (void)g.release();
    return Return(info, Held<Group>::New(isolate, std::move(group)));
  }
  const Bignum g = NumberOf(generator);
  if (g == nullptr) return ThrowOpenSsl(isolate, "Initialization failed");
  const Owned<BN_GENCB, &Crypto::BN_GENCB_free> callback(Ssl().BN_GENCB_new());
  Ssl().BN_GENCB_set(callback.get(), GoesOn, &LibraryState::Of(isolate));
  if (Ssl().DH_generate_parameters_ex(
          group.get(), static_cast<int>(IntAt(info, 0)),
          static_cast<int>(Ssl().BN_get_word(g.get())), callback.get()) != 1) {
    if (LibraryState::Of(isolate).IsInterrupted()) return;
    return kIsSinceNode22 ? ThrowTyped(isolate, "ERR_INVALID_ARG_VALUE",
                                       "Invalid DH parameters")
                          : ThrowOpenSsl(isolate, "Initialization failed");
  }
  Return(info, Held<Group>::New(isolate, std::move(group)));
}

const DH* GroupAt(const Info& info) {
  const Group* group = Held<Group>::From(info[0]);
  return group == nullptr ? nullptr : group->get();
}

// From here on DH_check() takes seconds, and cannot be ended.
constexpr int kLongBits = 8192;

// The flags of DH_check() for the prime of a long group; -1 where it is to end.
int CheckPrimeOf(const LibraryState& state, const BIGNUM* prime) {
  Primality found = CheckPrimality(state, prime);
  if (found == Primality::kComposite) return DH_CHECK_P_NOT_PRIME;
  const Bignum half(Ssl().BN_new());
  if (found != Primality::kPrime ||
      Ssl().BN_rshift(half.get(), prime, 1) != 1) {
    return -1;
  }
  found = CheckPrimality(state, half.get());
  if (found == Primality::kComposite) return DH_CHECK_P_NOT_SAFE_PRIME;
  return found == Primality::kPrime ? 0 : -1;
}

// dhCheck(group) → what DH_check() has against it
void DhCheck(const Info& info) {
  const DH* group = GroupAt(info);
  if (group == nullptr) return;
  const CleanQueue clean;
  const BIGNUM* prime = nullptr;
  Ssl().DH_get0_pqg(group, &prime, nullptr, nullptr);
  int codes = 0;
  const int bits = Ssl().BN_num_bits(prime);
  if (bits <= kLongBits || bits > OPENSSL_DH_MAX_MODULUS_BITS ||
      Ssl().DH_get_nid(group) != NID_undef) {
    if (Ssl().DH_check(group, &codes) == 1) info.GetReturnValue().Set(codes);
    return;
  }
  const int more = CheckPrimeOf(LibraryState::Of(info.GetIsolate()), prime);
  if (more >= 0 && Ssl().DH_check_params(group, &codes) == 1) {
    info.GetReturnValue().Set(codes | more);
  }
}

// dhGenerate(group) → the public key
void DhGenerate(const Info& info) {
  const Group* group = Held<Group>::From(info[0]);
  if (group == nullptr) return;
  const CleanQueue clean;
  if (Ssl().DH_generate_key(group->get()) != 1) {
    const char* const text = "Key generation failed";
    return kIsSinceNode22
               ? ThrowCoded(info.GetIsolate(), kOperationFailed, text)
               : ThrowOpenSsl(info.GetIsolate(), text);
  }
  const BIGNUM* open = nullptr;
  Ssl().DH_get0_key(group->get(), &open, nullptr);
  ReturnNumber(info, open);
}

// dhPart(group, "prime" | "generator" | "public" | "private") → bytes,
// undefined if there is none
void DhPart(const Info& info) {
  const DH* group = GroupAt(info);
  if (group == nullptr) return;
  const std::string part = TextAt(info, 1);
  const BIGNUM* first = nullptr;
  const BIGNUM* second = nullptr;
  if (part == "prime" || part == "generator") {
    Ssl().DH_get0_pqg(group, &first, nullptr, &second);
  } else {
    Ssl().DH_get0_key(group, &first, &second);
  }
  const BIGNUM* found = part == "prime" || part == "public" ? first : second;
  if (found != nullptr) ReturnNumber(info, found);
}

// dhSet(group, key, isPrivate)
void DhSet(const Info& info) {
  const Group* group = Held<Group>::From(info[0]);
  const Input bytes(info.GetIsolate(), info[1]);
  if (group == nullptr || !bytes.ok()) return;
  // Newer Nodes take no bytes for no key.
  if (kIsSinceNode22 && bytes.size() == 0) return;
  const CleanQueue clean;
  Bignum number = NumberOf(bytes);
  const bool is_private = info[2]->IsTrue();
  if (number == nullptr) {
    return ThrowTyped(
        info.GetIsolate(), "ERR_INVALID_ARG_VALUE",
        is_private ? "Invalid private key" : "Invalid public key");
  }
  if (Ssl().DH_set0_key(group->get(), is_private ? nullptr : number.get(),
                        is_private ? number.get() : nullptr) == 1) {
    (void)number.release();
  }
}

// Throws for a public key that its group cannot have, in each Node's words.
bool ThrowWrongKey(v8::Isolate* isolate, DH* group, BIGNUM* key) {
  int codes = 0;
  const bool looked = Ssl().DH_check_pub_key(group, key, &codes) == 1;
  const auto refuse = [isolate](const char* code, const char* message) {
    ThrowRange(isolate, code, message);
    return true;
  };
  if ((codes & DH_CHECK_PUBKEY_TOO_SMALL) != 0) {
    return refuse("ERR_CRYPTO_INVALID_KEYLEN", "Supplied key is too small");
  }
  if (kIsSinceNode22 && !kIsSinceNode24) {
    return (!looked || codes != 0) &&
           refuse("ERR_CRYPTO_INVALID_KEYTYPE", "Unspecified validation error");
  }
  return (codes & DH_CHECK_PUBKEY_TOO_LARGE) != 0 &&
         refuse("ERR_CRYPTO_INVALID_KEYLEN", "Supplied key is too large");
}

// dhSecret(group, other public key) → bytes
void DhSecret(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Group* group = Held<Group>::From(info[0]);
  const Input other(isolate, info[1]);
  if (group == nullptr || !other.ok()) return;
  const CleanQueue clean;
  const Bignum key = NumberOf(other);
  if (key == nullptr) {
    return ThrowRange(isolate, "ERR_CRYPTO_INVALID_KEYTYPE",
                      "Unspecified validation error");
  }
  // Nodes since 22 look at the key first.
  if (kIsSinceNode22 && ThrowWrongKey(isolate, group->get(), key.get())) return;
  std::vector<uint8_t> secret(
      static_cast<size_t>(std::max(Ssl().DH_size(group->get()), 0)));
  const int size = Ssl().DH_compute_key(secret.data(), key.get(), group->get());
  if (kIsSinceNode24 && size <= 0) {
    return ThrowCoded(isolate, kOperationFailed,
                      "Failed to compute shared secret");
  }
  // Before, a prime that is none has a secret of zeros.
  if (size < 0) {
    // Node 22 gives no bytes where there is no private key.
    if (kIsSinceNode22) return Return(info, NewBytes(isolate, nullptr, 0));
    if (ThrowWrongKey(isolate, group->get(), key.get())) return;
    return ThrowRange(isolate, "ERR_CRYPTO_INVALID_KEYTYPE",
                      "Invalid key type");
  }
  // The secret is as long as the prime.
  const size_t zeros = secret.size() - static_cast<size_t>(size);
  std::memmove(secret.data() + zeros, secret.data(), static_cast<size_t>(size));
  std::fill(secret.begin(), secret.begin() + static_cast<std::ptrdiff_t>(zeros),
            uint8_t{0});
  Return(info, NewBytes(isolate, secret.data(), secret.size()));
  Wipe(secret.data(), secret.size());
}

constexpr NativeFunction kDiffieHellmanNatives[] = {
    {"dhPrime", DhPrime},       {"dhNew", DhNew},   {"dhCheck", DhCheck},
    {"dhGenerate", DhGenerate}, {"dhPart", DhPart}, {"dhSet", DhSet},
    {"dhSecret", DhSecret},
};

}  // namespace

NativeFunctions DiffieHellmanNatives() { return kDiffieHellmanNatives; }

}  // namespace sloppy::workers

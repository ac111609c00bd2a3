// New keys and primes. OpenSSL asks a callback while it looks for primes, and
// that may say stop.
#include <algorithm>
#include <string>
#include <vector>

#include "isolate/libraries/digests.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/keys.h"
#include "isolate/libraries/library_natives.h"
#include "isolate/libraries/long_primes.h"
#include "isolate/libraries/output.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

int GoesOn(EVP_PKEY_CTX* context) {
  const auto* state = static_cast<const LibraryState*>(
      Ssl().EVP_PKEY_CTX_get_app_data(context));
  return state->IsInterrupted() ? 0 : 1;
}

int GoesOnWithPrimes(int /*step*/, int /*number*/, BN_GENCB* callback) {
  const auto* state =
      static_cast<const LibraryState*>(Ssl().BN_GENCB_get_arg(callback));
  return state->IsInterrupted() ? 0 : 1;
}

void Watch(v8::Isolate* isolate, EVP_PKEY_CTX* context) {
  Ssl().EVP_PKEY_CTX_set_app_data(context, &LibraryState::Of(isolate));
  Ssl().EVP_PKEY_CTX_set_cb(context, GoesOn);
}

bool IsEnding(v8::Isolate* isolate) {
  return LibraryState::Of(isolate).IsInterrupted();
}

// Runs the generation that `context` is ready for.
void Generate(const Info& info, EVP_PKEY_CTX* context, bool ready) {
  v8::Isolate* isolate = info.GetIsolate();
  EVP_PKEY* made = nullptr;
  if (context != nullptr && ready) Watch(isolate, context);
  if (context == nullptr || !ready ||
      Ssl().EVP_PKEY_keygen(context, &made) != 1) {
    if (IsEnding(isolate)) return Ssl().ERR_clear_error();
    return ThrowOfJob(isolate, "Key generation job failed");
  }
  ReturnKey(info, Key(made));
}

KeyContext ForName(const char* name) {
  KeyContext context(Ssl().EVP_PKEY_CTX_new_from_name(nullptr, name, nullptr));
  if (context != nullptr && Ssl().EVP_PKEY_keygen_init(context.get()) != 1) {
    context.reset();
  }
  return context;
}

// generateKey(name) → a key without parameters, such as Ed25519
void GenerateKey(const Info& info) {
  const CleanQueue clean;
  const KeyContext context = ForName(TextAt(info, 0).c_str());
  Generate(info, context.get(), true);
}

// generateRsa(bits, exponent, isPss, hash id, mgf1 id, saltLength) → key; -1 is
// not given
void GenerateRsa(const Info& info) {
  const CleanQueue clean;
  const bool is_pss = info[2]->IsTrue();
  const KeyContext context = ForName(is_pss ? "RSA-PSS" : "RSA");
  if (context == nullptr) return Generate(info, nullptr, false);
  const Bignum exponent(Ssl().BN_new());
  Ssl().BN_set_word(exponent.get(), static_cast<BN_ULONG>(IntAt(info, 1)));
  bool ready = Ssl().EVP_PKEY_CTX_set_rsa_keygen_bits(
                   context.get(), static_cast<int>(IntAt(info, 0))) > 0 &&
               Ssl().EVP_PKEY_CTX_set1_rsa_keygen_pubexp(context.get(),
                                                         exponent.get()) > 0;
  const EVP_MD* hash = DigestAt(info, 3);
  const EVP_MD* mgf1 = DigestAt(info, 4);
  int64_t salt = IntAt(info, 5);
  if (is_pss) {
    if (mgf1 == nullptr) mgf1 = hash;
    if (salt < 0 && hash != nullptr) salt = Ssl().EVP_MD_get_size(hash);
    if (hash != nullptr) {
      ready = ready &&
              Ssl().EVP_PKEY_CTX_set_rsa_pss_keygen_md(context.get(), hash) > 0;
    }
    if (mgf1 != nullptr) {
      ready = ready && Ssl().EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md(
                           context.get(), mgf1) > 0;
    }
    if (salt >= 0) {
      ready = ready && Ssl().EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(
                           context.get(), static_cast<int>(salt)) > 0;
    }
  }
  Generate(info, context.get(), ready);
}

// A key over parameters that are made first.
void GenerateOver(const Info& info, EVP_PKEY_CTX* maker, bool ready) {
  v8::Isolate* isolate = info.GetIsolate();
  EVP_PKEY* made = nullptr;
  if (ready) Watch(isolate, maker);
  if (!ready || Ssl().EVP_PKEY_paramgen(maker, &made) != 1) {
    if (IsEnding(isolate)) return Ssl().ERR_clear_error();
    return ThrowOfJob(isolate, "Key generation job failed");
  }
  const Key params(made);
  const KeyContext context(
      Ssl().EVP_PKEY_CTX_new_from_pkey(nullptr, params.get(), nullptr));
  Generate(
      info, context.get(),
      context != nullptr && Ssl().EVP_PKEY_keygen_init(context.get()) == 1);
}

// generateDsa(bits, divisor bits) → key; -1 is not given
void GenerateDsa(const Info& info) {
  const CleanQueue clean;
  const KeyContext maker(
      Ssl().EVP_PKEY_CTX_new_from_name(nullptr, "DSA", nullptr));
  const int64_t divisor = IntAt(info, 1);
  const bool ready =
      maker != nullptr && Ssl().EVP_PKEY_paramgen_init(maker.get()) == 1 &&
      Ssl().EVP_PKEY_CTX_set_dsa_paramgen_bits(
          maker.get(), static_cast<int>(IntAt(info, 0))) > 0 &&
      (divisor < 0 || Ssl().EVP_PKEY_CTX_set_dsa_paramgen_q_bits(
                          maker.get(), static_cast<int>(divisor)) > 0);
  GenerateOver(info, maker.get(), ready);
}

// generateEc(nid, is explicit) → key
void GenerateEc(const Info& info) {
  const CleanQueue clean;
  const KeyContext maker(
      Ssl().EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  const bool ready =
      maker != nullptr && Ssl().EVP_PKEY_paramgen_init(maker.get()) == 1 &&
      Ssl().EVP_PKEY_CTX_set_ec_paramgen_curve_nid(
          maker.get(), static_cast<int>(IntAt(info, 0))) > 0 &&
      Ssl().EVP_PKEY_CTX_set_ec_param_enc(
          maker.get(), info[1]->IsTrue() ? OPENSSL_EC_EXPLICIT_CURVE
                                         : OPENSSL_EC_NAMED_CURVE) > 0;
  GenerateOver(info, maker.get(), ready);
}

// generateDh(prime or bits, generator) → key
void GenerateDh(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const CleanQueue clean;
  const auto generator = static_cast<int>(IntAt(info, 1));
  if (info[0]->IsNumber()) {
    const KeyContext maker(
        Ssl().EVP_PKEY_CTX_new_from_name(nullptr, "DH", nullptr));
    const bool ready = maker != nullptr &&
                       Ssl().EVP_PKEY_paramgen_init(maker.get()) == 1 &&
                       Ssl().EVP_PKEY_CTX_set_dh_paramgen_prime_len(
                           maker.get(), static_cast<int>(IntAt(info, 0))) > 0 &&
                       Ssl().EVP_PKEY_CTX_set_dh_paramgen_generator(
                           maker.get(), generator) > 0;
    return GenerateOver(info, maker.get(), ready);
  }
  const Input prime(isolate, info[0]);
  if (!prime.ok()) return;
  const Owned<OSSL_PARAM_BLD, &Crypto::OSSL_PARAM_BLD_free> builder(
      Ssl().OSSL_PARAM_BLD_new());
  const Bignum p = NumberOf(prime);
  const Bignum g(Ssl().BN_new());
  Ssl().BN_set_word(g.get(), static_cast<BN_ULONG>(generator));
  Ssl().OSSL_PARAM_BLD_push_BN(builder.get(), "p", p.get());
  Ssl().OSSL_PARAM_BLD_push_BN(builder.get(), "g", g.get());
  const Owned<OSSL_PARAM, &Crypto::OSSL_PARAM_free> params(
      Ssl().OSSL_PARAM_BLD_to_param(builder.get()));
  const KeyContext maker(
      Ssl().EVP_PKEY_CTX_new_from_name(nullptr, "DH", nullptr));
  EVP_PKEY* made = nullptr;
  if (maker == nullptr || Ssl().EVP_PKEY_fromdata_init(maker.get()) != 1 ||
      Ssl().EVP_PKEY_fromdata(maker.get(), &made, EVP_PKEY_KEY_PARAMETERS,
                              params.get()) != 1) {
    return ThrowOfJob(isolate, "Key generation job failed");
  }
  const Key group(made);
  const KeyContext context(
      Ssl().EVP_PKEY_CTX_new_from_pkey(nullptr, group.get(), nullptr));
  Generate(
      info, context.get(),
      context != nullptr && Ssl().EVP_PKEY_keygen_init(context.get()) == 1);
}

using Callback = Owned<BN_GENCB, &Crypto::BN_GENCB_free>;
using NumberContext = Owned<BN_CTX, &Crypto::BN_CTX_free>;

Callback Watching(v8::Isolate* isolate) {
  Callback callback(Ssl().BN_GENCB_new());
  Ssl().BN_GENCB_set(callback.get(), GoesOnWithPrimes,
                     &LibraryState::Of(isolate));
  return callback;
}

void ThrowNoPrime(v8::Isolate* isolate) {
  ThrowCoded(isolate, kOperationFailed, "could not generate prime");
}

// generatePrime(bits, safe, add, rem) → big-endian bytes; add and rem are bytes
// or undefined
void GeneratePrime(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const auto bits = static_cast<int>(IntAt(info, 0));
  const Input add_bytes(isolate, info[2]);
  const Input rem_bytes(isolate, info[3]);
  if (!add_bytes.ok() || !rem_bytes.ok()) return;
  // A few numbers of that length.
  if (bits <= 0 || !LibraryState::Of(isolate).memory().HasRoomFor(
                       size_t{2} * static_cast<size_t>(bits))) {
    return ThrowNoMemory(isolate);
  }
  const CleanQueue clean;
  Bignum add;
  Bignum rem;
  if (!info[2]->IsUndefined()) {
    add = NumberOf(add_bytes);
    if (add == nullptr) return ThrowNoPrime(isolate);
    if (Ssl().BN_num_bits(add.get()) > bits) {
      // A prime that long would not exist.
      return ThrowRange(isolate, "ERR_OUT_OF_RANGE", "invalid options.add");
    }
  }
  if (!info[3]->IsUndefined()) {
    rem = NumberOf(rem_bytes);
    if (rem == nullptr) return ThrowNoPrime(isolate);
    if (add != nullptr && Ssl().BN_cmp(add.get(), rem.get()) <= 0) {
      return ThrowRange(isolate, "ERR_OUT_OF_RANGE", "invalid options.rem");
    }
  }
  const Bignum prime(Ssl().BN_secure_new());
  const NumberContext context(Ssl().BN_CTX_new());
  const Callback callback = Watching(isolate);
  if (Ssl().BN_generate_prime_ex2(prime.get(), bits, info[1]->IsTrue() ? 1 : 0,
                                  add.get(), rem.get(), callback.get(),
                                  context.get()) != 1) {
    if (IsEnding(isolate)) return;
    return ThrowOfJob(isolate, "Prime generation failed");
  }
  std::vector<uint8_t> bytes((static_cast<size_t>(bits) + 7) / 8);
  Ssl().BN_bn2binpad(prime.get(), bytes.data(), static_cast<int>(bytes.size()));
  Return(info, NewBytes(isolate, bytes.data(), bytes.size()));
  Wipe(bytes.data(), bytes.size());
}

// checkPrime(bytes) → whether that is a prime, most likely
void CheckPrime(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Input bytes(isolate, info[0]);
  if (!bytes.ok()) return;
  const CleanQueue clean;
  const Bignum candidate = NumberOf(bytes);
  if (candidate == nullptr) {
    return ThrowOpenSsl(isolate, "could not check prime");
  }
  const Primality found =
      CheckPrimality(LibraryState::Of(isolate), candidate.get());
  if (found == Primality::kEnded) return;
  if (found == Primality::kFailed) {
    return ThrowOfJob(isolate, "Prime check failed");
  }
  info.GetReturnValue().Set(found == Primality::kPrime);
}

constexpr NativeFunction kKeyGenerateNatives[] = {
    {"generateKey", GenerateKey}, {"generateRsa", GenerateRsa},
    {"generateDsa", GenerateDsa}, {"generateEc", GenerateEc},
    {"generateDh", GenerateDh},   {"generatePrime", GeneratePrime},
    {"checkPrime", CheckPrime},
};

}  // namespace

NativeFunctions KeyGenerateNatives() { return kKeyGenerateNatives; }

}  // namespace sloppy::workers

#include "isolate/libraries/long_primes.h"

namespace sloppy::workers {
namespace {

using Callback = Owned<BN_GENCB, &Crypto::BN_GENCB_free>;
using Context = Owned<BN_CTX, &Crypto::BN_CTX_free>;
using Montgomery = Owned<BN_MONT_CTX, &Crypto::BN_MONT_CTX_free>;

// Up to here a round of OpenSSL's, which is faster, takes some tenths of a
// second.
constexpr int kShortBits = 8192;
// As many as OpenSSL does for numbers that long.
constexpr int kRounds = 128;
constexpr BN_ULONG kLastDivisor = 17'863;

int GoesOn(int /*step*/, int /*number*/, BN_GENCB* callback) {
  const auto* state =
      static_cast<const LibraryState*>(Ssl().BN_GENCB_get_arg(callback));
  return state->IsInterrupted() ? 0 : 1;
}

Primality CheckShort(const LibraryState& state, const BIGNUM* candidate) {
  const Context context(Ssl().BN_CTX_new());
  const Callback callback(Ssl().BN_GENCB_new());
  Ssl().BN_GENCB_set(callback.get(), GoesOn, const_cast<LibraryState*>(&state));
  const int is_prime =
      Ssl().BN_check_prime(candidate, context.get(), callback.get());
  if (is_prime >= 0) {
    return is_prime == 1 ? Primality::kPrime : Primality::kComposite;
  }
  return state.IsInterrupted() ? Primality::kEnded : Primality::kFailed;
}

// The test of Miller and Rabin for one long odd number, whose powers are made
// by one multiplication after another.
class Witnesses {
 public:
  Witnesses(const LibraryState& state, const BIGNUM* candidate)
      : state_(state), candidate_(candidate) {
    // candidate - 1 is odd_ times a power of two.
    less_one_.reset(Ssl().BN_dup(candidate));
    ok_ = less_one_ != nullptr && Ssl().BN_sub_word(less_one_.get(), 1) == 1;
    while (ok_ && Ssl().BN_is_bit_set(less_one_.get(), twos_) == 0) ++twos_;
    ok_ = ok_ && Ssl().BN_rshift(odd_.get(), less_one_.get(), twos_) == 1 &&
          Ssl().BN_MONT_CTX_set(form_.get(), candidate, context_.get()) == 1 &&
          ToForm(one_.get(), Ssl().BN_value_one()) &&
          ToForm(minus_one_.get(), less_one_.get());
  }

  // kPrime where a random base says nothing against it.
  Primality Round() {
    const Bignum base(Ssl().BN_new());
    const Bignum power(Ssl().BN_new());
    // A base is from 2 to candidate - 2.
    const Bignum limit(Ssl().BN_dup(candidate_));
    if (!ok_ || Ssl().BN_sub_word(limit.get(), 3) != 1 ||
        Ssl().BN_priv_rand_range(base.get(), limit.get()) != 1 ||
        Ssl().BN_add_word(base.get(), 2) != 1 ||
        !ToForm(base.get(), base.get()) ||
        Ssl().BN_copy(power.get(), base.get()) == nullptr) {
      return Primality::kFailed;
    }
    for (int bit = Ssl().BN_num_bits(odd_.get()) - 2; bit >= 0; --bit) {
      if (state_.IsInterrupted()) return Primality::kEnded;
      if (!Multiply(power.get(), power.get()) ||
          (Ssl().BN_is_bit_set(odd_.get(), bit) == 1 &&
           !Multiply(power.get(), base.get()))) {
        return Primality::kFailed;
      }
    }
    if (Is(power, one_) || Is(power, minus_one_)) return Primality::kPrime;
    for (int twos = 1; twos < twos_; ++twos) {
      if (state_.IsInterrupted()) return Primality::kEnded;
      if (!Multiply(power.get(), power.get())) return Primality::kFailed;
      if (Is(power, minus_one_)) return Primality::kPrime;
    }
    return Primality::kComposite;
  }

 private:
  static bool Is(const Bignum& one, const Bignum& other) {
    return Ssl().BN_cmp(one.get(), other.get()) == 0;
  }
  bool ToForm(BIGNUM* out, const BIGNUM* number) {
    return Ssl().BN_to_montgomery(out, number, form_.get(), context_.get()) ==
           1;
  }
  bool Multiply(BIGNUM* power, const BIGNUM* by) {
    return Ssl().BN_mod_mul_montgomery(power, power, by, form_.get(),
                                       context_.get()) == 1;
  }

  const LibraryState& state_;
  const BIGNUM* const candidate_;
  Context context_{Ssl().BN_CTX_new()};
  Montgomery form_{Ssl().BN_MONT_CTX_new()};
  Bignum less_one_;
  Bignum odd_{Ssl().BN_new()};
  Bignum one_{Ssl().BN_new()};
  Bignum minus_one_{Ssl().BN_new()};
  int twos_ = 0;
  bool ok_ = false;
};

Primality CheckLong(const LibraryState& state, const BIGNUM* candidate) {
  if (Ssl().BN_is_odd(candidate) == 0) return Primality::kComposite;
  for (BN_ULONG divisor = 3; divisor <= kLastDivisor; divisor += 2) {
    if (state.IsInterrupted()) return Primality::kEnded;
    if (Ssl().BN_mod_word(candidate, divisor) == 0) {
      return Primality::kComposite;
    }
  }
  Witnesses witnesses(state, candidate);
  for (int round = 0; round < kRounds; ++round) {
    const Primality found = witnesses.Round();
    if (found != Primality::kPrime) return found;
  }
  return Primality::kPrime;
}

}  // namespace

Primality CheckPrimality(const LibraryState& state, const BIGNUM* candidate) {
  return Ssl().BN_num_bits(candidate) > kShortBits
             ? CheckLong(state, candidate)
             : CheckShort(state, candidate);
}

}  // namespace sloppy::workers

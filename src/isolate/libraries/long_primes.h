// Primes so long that one exponentiation of OpenSSL's is too long to wait for.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_LONG_PRIMES_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_LONG_PRIMES_H_

#include "isolate/libraries/library_state.h"
#include "isolate/libraries/openssl.h"

namespace sloppy::workers {

enum class Primality { kPrime, kComposite, kEnded, kFailed };

// Whether `candidate` is a prime, most likely. It looks between any two
// multiplications of a long one whether the worker is to end. Worker thread.
Primality CheckPrimality(const LibraryState& state, const BIGNUM* candidate);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_LONG_PRIMES_H_

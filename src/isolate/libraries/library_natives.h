// The natives of each library, as one object of JavaScript that is made when
// the first bundle asks for it.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARY_NATIVES_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARY_NATIVES_H_

#include <v8.h>

#include "isolate/native_functions.h"

namespace sloppy::workers {

// Any thread: constant tables, one per file of this folder.
NativeFunctions Argon2Natives();
NativeFunctions HashNatives();
NativeFunctions CertificateNatives();
NativeFunctions CipherNatives();
NativeFunctions CurveNatives();
NativeFunctions DiffieHellmanNatives();
NativeFunctions KeyGenerateNatives();
NativeFunctions KeyPartsNatives();
NativeFunctions KeyReadNatives();
NativeFunctions KeyUseNatives();
NativeFunctions KeyWriteNatives();
NativeFunctions MacNatives();
NativeFunctions RandomNatives();
NativeFunctions SignatureNatives();
NativeFunctions DeriveNatives();

// library(name) → the natives, undefined where the library is not there.
NativeFunctions LibraryNatives();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_LIBRARY_NATIVES_H_

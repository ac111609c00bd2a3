// Names of hosts between ASCII and Unicode, by ada.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_IDNA_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_IDNA_H_

#include <string>
#include <string_view>

#include "isolate/bindings/arguments.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {

// Any thread. REQUIRES: FindAda().
std::string ToUnicode(std::string_view ascii);

// Worker thread, JavaScript running. Returns UTF-8 to JavaScript.
void ReturnText(const BindingInfo& info, std::string_view text);

// toASCII(text), toUnicode(text) of internalBinding('encoding_binding'); none
// without ada.
NativeFunctions IdnaNatives();

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_IDNA_H_

// Memory that a process and its owner both write: which of them has a job that
// was sent ahead of its turn.
#ifndef SLOPPY_WORKERS_BINDING_COMMON_WORDS_H_
#define SLOPPY_WORKERS_BINDING_COMMON_WORDS_H_

#include <napi.h>

namespace sloppy::workers {

// makeWords(bytes) → `{ file, memory }`: a descriptor, to be closed, and a
// SharedArrayBuffer; undefined where the system has no such memory.
Napi::Value MakeWords(const Napi::CallbackInfo& info);

// closeWords(file): because Node warns in its threads of a descriptor that it
// has not opened.
void CloseWords(const Napi::CallbackInfo& info);

// openWords(file, bytes) → the SharedArrayBuffer of that descriptor, which
// stays open; undefined if there is none.
Napi::Value OpenWords(const Napi::CallbackInfo& info);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_COMMON_WORDS_H_

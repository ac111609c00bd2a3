// Arguments of natives that stand in for Node's: each native checks its own,
// because a look into memory must not depend on the checks of the JavaScript
// above.
//
// Worker thread, JavaScript running.
#ifndef SLOPPY_WORKERS_ISOLATE_BINDINGS_ARGUMENTS_H_
#define SLOPPY_WORKERS_ISOLATE_BINDINGS_ARGUMENTS_H_

#include <v8.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "isolate/native_functions.h"

namespace sloppy::workers {

using BindingInfo = v8::FunctionCallbackInfo<v8::Value>;

// An error as Node's C++ makes it: of `make`'s class, with a `code`.
using MakeError = v8::Local<v8::Value> (*)(v8::Isolate*, const char* message);
v8::Local<v8::Value> MakePlainError(v8::Isolate* isolate, const char* message);
v8::Local<v8::Value> MakeTypeError(v8::Isolate* isolate, const char* message);
v8::Local<v8::Value> MakeRangeError(v8::Isolate* isolate, const char* message);
void ThrowCoded(v8::Isolate* isolate, MakeError make, const char* code,
                const char* message);
void ThrowArgument(v8::Isolate* isolate, const char* message);
// RangeError: "Index out of range".
void ThrowIndex(v8::Isolate* isolate);
// Throws for a text that V8 could not make.
void ThrowTextTooLong(v8::Isolate* isolate);

enum class Index { kFine, kNegative, kThrown };
// A whole number ≥ 0, `otherwise` for undefined. Objects are asked for theirs,
// which runs JavaScript: read sizes afterwards.
Index ReadIndex(const BindingInfo& info, int index, size_t otherwise,
                size_t* number);
// The same; everything but a good number is 0. Asks no object.
size_t PlainIndex(v8::Local<v8::Value> value);

// The bytes of a view or an ArrayBuffer, to write to or to read while no
// JavaScript runs. None of a detached one and of any other value. Moves a small
// view off V8's heap.
struct BytesInPlace {
  explicit BytesInPlace(v8::Local<v8::Value> value);

  uint8_t* data = nullptr;
  size_t size = 0;
};

// A view of all of a buffer; other values as they are.
v8::Local<v8::Value> ViewOfAll(v8::Local<v8::Value> value);

// Members of an object that is being made. False when V8 gave up.
bool SetMember(v8::Local<v8::Context> context, v8::Local<v8::Object> object,
               const char* name, v8::Local<v8::Value> value);

bool AddFunctions(v8::Local<v8::Context> context, v8::Local<v8::Object> object,
                  std::span<const NativeFunctions> tables,
                  v8::Local<v8::Value> data = {});

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_BINDINGS_ARGUMENTS_H_

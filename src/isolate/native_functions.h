// Objects full of C++ functions for the runtime's own JavaScript.
#ifndef SLOPPY_WORKERS_ISOLATE_NATIVE_FUNCTIONS_H_
#define SLOPPY_WORKERS_ISOLATE_NATIVE_FUNCTIONS_H_

#include <v8.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace sloppy::workers {

struct NativeFunction {
  const char* name;
  v8::FunctionCallback callback;
};

using NativeFunctions = std::span<const NativeFunction>;

// Worker thread, `context` entered. An object without a prototype that has
// each function of the tables; `data`, or nothing, is their info.Data(). The
// object is made at once, because property by property a new isolate would make
// a map for each.
v8::MaybeLocal<v8::Object> MakeFunctions(
    v8::Isolate* isolate, v8::Local<v8::Context> context,
    v8::Local<v8::Value> data, std::initializer_list<NativeFunctions> tables);

// Worker thread. The native that is called returns such an object, with its own
// info.Data(); nothing when V8 gave up.
void GiveFunctions(const v8::FunctionCallbackInfo<v8::Value>& info,
                   NativeFunctions table);

// Worker thread. The native that is called returns a text; nothing when V8 gave
// up.
void GiveText(const v8::FunctionCallbackInfo<v8::Value>& info,
              std::u16string_view units);

// Worker thread. The argument as UTF-8; '' for a value without a text.
std::string TextAt(const v8::FunctionCallbackInfo<v8::Value>& info, int index);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_NATIVE_FUNCTIONS_H_

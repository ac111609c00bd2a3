#include "isolate/globals/host_natives.h"

#include "isolate/bindings/bindings.h"
#include "isolate/libraries/library_natives.h"

namespace sloppy::workers {

v8::MaybeLocal<v8::Object> MakeHostNatives(v8::Isolate* isolate,
                                           v8::Local<v8::Context> context) {
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Object> natives;
  if (!MakeFunctions(isolate, context, {},
                     {TextNatives(), SystemNatives(), CloneNatives(),
                      ContinuationNatives(), PackageNatives(), LibraryNatives(),
                      BindingNatives()})
           .ToLocal(&natives) ||
      !AddContinuation(isolate, context, natives)) {
    return {};
  }
  return scope.Escape(natives);
}

}  // namespace sloppy::workers

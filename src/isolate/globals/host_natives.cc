#include "isolate/globals/host_natives.h"

#include "isolate/bindings/bindings.h"
#include "isolate/libraries/library_natives.h"

namespace sloppy::workers {

v8::MaybeLocal<v8::Object> MakeHostNatives(v8::Isolate* isolate,
                                           v8::Local<v8::Context> context) {
  return MakeFunctions(isolate, context, {},
                       {TextNatives(), SystemNatives(), CloneNatives(),
                        PackageNatives(), LibraryNatives(), BindingNatives()});
}

}  // namespace sloppy::workers

#include "isolate/bindings/bindings.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

// Each of these is a question that V8 answers.
#define SW_KINDS(V)    \
  V(External)          \
  V(Date)              \
  V(ArgumentsObject)   \
  V(BigIntObject)      \
  V(BooleanObject)     \
  V(NumberObject)      \
  V(StringObject)      \
  V(SymbolObject)      \
  V(NativeError)       \
  V(RegExp)            \
  V(AsyncFunction)     \
  V(GeneratorFunction) \
  V(GeneratorObject)   \
  V(Promise)           \
  V(Map)               \
  V(Set)               \
  V(MapIterator)       \
  V(SetIterator)       \
  V(WeakMap)           \
  V(WeakSet)           \
  V(ArrayBuffer)       \
  V(DataView)          \
  V(SharedArrayBuffer) \
  V(Proxy)             \
  V(ModuleNamespaceObject)

#define SW_CHECK(kind)                              \
  void Is##kind(const Info& info) {                 \
    info.GetReturnValue().Set(info[0]->Is##kind()); \
  }
SW_KINDS(SW_CHECK)
#undef SW_CHECK

void IsAnyArrayBuffer(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsArrayBuffer() ||
                            info[0]->IsSharedArrayBuffer());
}

void IsBoxedPrimitive(const Info& info) {
  info.GetReturnValue().Set(
      info[0]->IsNumberObject() || info[0]->IsStringObject() ||
      info[0]->IsBooleanObject() || info[0]->IsBigIntObject() ||
      info[0]->IsSymbolObject());
}

constexpr NativeFunction kTypesNatives[] = {
#define SW_ROW(kind) {"is" #kind, Is##kind},
    SW_KINDS(SW_ROW)
#undef SW_ROW
        {"isAnyArrayBuffer", IsAnyArrayBuffer},
    {"isBoxedPrimitive", IsBoxedPrimitive},
};

}  // namespace

Binding TypesBinding() { return {"types", kTypesNatives}; }

}  // namespace sloppy::workers

#include "isolate/wasm_natives.h"

#include <cstring>

#include "isolate/new_buffer.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

void IsWasmMemory(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsWasmMemoryObject());
}

// wasmBytes(value) → ArrayBuffer: a copy of the bytes that a WebAssembly.Module
// was compiled of; undefined for any other value.
void WasmBytes(const Info& info) {
  if (!info[0]->IsWasmModuleObject()) return;
  v8::CompiledWasmModule code =
      info[0].As<v8::WasmModuleObject>()->GetCompiledModule();
  const v8::MemorySpan<const uint8_t> bytes = code.GetWireBytesRef();
  v8::Local<v8::ArrayBuffer> buffer;
  if (!NewBuffer(info.GetIsolate(), bytes.size()).ToLocal(&buffer)) return;
  if (bytes.size() != 0) {
    std::memcpy(buffer->Data(), bytes.data(), bytes.size());
  }
  info.GetReturnValue().Set(buffer);
}

constexpr NativeFunction kWasmFunctions[] = {
    {"isWasmMemory", IsWasmMemory},
    {"wasmBytes", WasmBytes},
};

}  // namespace

NativeFunctions WasmNatives() { return kWasmFunctions; }

}  // namespace sloppy::workers

// internalBinding('encoding_binding'): TextEncoder, and TextDecoder of UTF-8
// and Windows-1252.
#include <array>
#include <cstring>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"
#include "isolate/bindings/byte_texts.h"
#include "isolate/bindings/idna.h"
#include "isolate/bindings/utf8.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/libraries/output.h"
#include "isolate/native_functions.h"
#include "isolate/native_memory.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

// encodeUtf8String(text) → Uint8Array
void EncodeUtf8String(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsString()) {
    return ThrowArgument(isolate, "argument must be a string");
  }
  const auto text = info[0].As<v8::String>();
  const size_t size = LengthInUtf8(isolate, text);
  NativeMemory memory(isolate, size);
  if (memory.data() == nullptr) return ThrowNoMemory(isolate);
  TextToBytes(isolate, text, TextEncoding::kUtf8, memory.data(), size);
  v8::Local<v8::ArrayBuffer> buffer;
  if (memory.ToBuffer(isolate, size).ToLocal(&buffer)) {
    info.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, size));
  }
}

// encodeInto(text, view): units read and bytes written are in
// encodeIntoResults, which the function carries.
void EncodeInto(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsString() || !info[1]->IsArrayBufferView()) {
    return ThrowArgument(isolate, "argument must be a string");
  }
  const BytesInPlace to(info[1]);
  size_t read = 0;
  size_t written = 0;
  if (to.size > 0) {
    written =
        TextToUtf8(isolate, info[0].As<v8::String>(), to.data, to.size, &read);
  }
  const BytesInPlace results(info.Data());
  const std::array<uint32_t, 2> both = {static_cast<uint32_t>(read),
                                        static_cast<uint32_t>(written)};
  if (results.size >= sizeof(both)) {
    std::memcpy(results.data, both.data(), sizeof(both));
  }
}

void ThrowInvalidData(v8::Isolate* isolate, const char* message) {
  ThrowCoded(isolate, MakeTypeError, "ERR_ENCODING_INVALID_ENCODED_DATA",
             message);
}

bool IsInput(const Info& info) {
  if (info[0]->IsArrayBufferView() || info[0]->IsArrayBuffer() ||
      info[0]->IsSharedArrayBuffer()) {
    return true;
  }
  ThrowArgument(info.GetIsolate(),
                "The \"list\" argument must be an instance of "
                "SharedArrayBuffer, ArrayBuffer or ArrayBufferView.");
  return false;
}

void ReturnUtf8(const Info& info, const ViewBytes& bytes, bool keeps_mark) {
  v8::Isolate* isolate = info.GetIsolate();
  const uint8_t* data = bytes.data();
  size_t size = bytes.size();
  if (!keeps_mark && size >= 3 && data[0] == 0xEF && data[1] == 0xBB &&
      data[2] == 0xBF) {
    data += 3;
    size -= 3;
  }
  v8::Local<v8::String> text;
  if (BytesToText(isolate, data, size, TextEncoding::kUtf8).ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

// decodeUTF8(bytes, ignoreBOM, fatal) → text
void DecodeUtf8(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!IsInput(info)) return;
  const ViewBytes bytes(ViewOfAll(info[0]));
  if (!bytes.Check(isolate)) return;
  if (info[2]->IsTrue() && !IsUtf8(bytes.data(), bytes.size())) {
    return ThrowInvalidData(
        isolate, "The encoded data was not valid for encoding utf-8");
  }
  ReturnUtf8(info, bytes, info[1]->IsTrue());
}

// utf8Decode(view, fatal, ignoreBOM) → text, undefined when fatal and wrong
void Utf8Decode(const Info& info) {
  const ViewBytes bytes(info[0]);
  if (!bytes.Check(info.GetIsolate())) return;
  if (info[1]->IsTrue() && !IsUtf8(bytes.data(), bytes.size())) return;
  ReturnUtf8(info, bytes, info[2]->IsTrue());
}

// Windows-1252 from 0x80 to 0x9F, where it is not Latin 1.
constexpr std::array<uint16_t, 32> kWindows1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
    0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

// decodeWindows1252(bytes, ignoreBOM, fatal) → text
void DecodeWindows1252(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!IsInput(info)) return;
  const ViewBytes bytes(ViewOfAll(info[0]));
  if (!bytes.Check(isolate)) return;
  bool is_latin1 = true;
  for (size_t i = 0; i < bytes.size() && is_latin1; ++i) {
    is_latin1 = (bytes.data()[i] & 0xE0) != 0x80;
  }
  v8::Local<v8::String> text;
  if (is_latin1) {
    if (BytesToText(isolate, bytes.data(), bytes.size(), TextEncoding::kLatin1)
            .ToLocal(&text)) {
      info.GetReturnValue().Set(text);
    }
    return;
  }
  const NativeMemory units(isolate, 2 * bytes.size());
  if (units.data() == nullptr) return ThrowNoMemory(isolate);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const uint8_t byte = bytes.data()[i];
    const uint16_t unit =
        (byte & 0xE0) == 0x80 ? kWindows1252[byte & 0x1F] : byte;
    std::memcpy(units.data() + 2 * i, &unit, sizeof(unit));
  }
  if (BytesToText(isolate, units.data(), units.size(), TextEncoding::kUtf16)
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

constexpr NativeFunction kEncodingNatives[] = {
    {"encodeUtf8String", EncodeUtf8String},
    {"decodeUTF8", DecodeUtf8},
    {"decodeLatin1", DecodeWindows1252},
    {"decodeWindows1252", DecodeWindows1252},
};

constexpr NativeFunction kOfHost[] = {{"utf8Encode", EncodeUtf8String},
                                      {"utf8Decode", Utf8Decode}};

bool CompleteEncoding(v8::Isolate* isolate, v8::Local<v8::Context> context,
                      v8::Local<v8::Object> binding) {
  auto results = v8::Uint32Array::New(
      v8::ArrayBuffer::New(isolate, 2 * sizeof(uint32_t)), 0, 2);
  v8::Local<v8::Function> into;
  const NativeFunctions names[] = {IdnaNatives()};
  return AddFunctions(context, binding, names) &&
         v8::Function::New(context, EncodeInto, results, 0,
                           v8::ConstructorBehavior::kThrow)
             .ToLocal(&into) &&
         SetMember(context, binding, "encodeInto", into) &&
         SetMember(context, binding, "encodeIntoResults", results);
}

}  // namespace

NativeFunctions TextNatives() { return kOfHost; }

Binding EncodingBinding() {
  return {"encoding_binding", kEncodingNatives, CompleteEncoding};
}

}  // namespace sloppy::workers

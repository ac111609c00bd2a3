#include <cstdint>
#include <limits>

#include "isolate/globals/host_natives.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/new_buffer.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

struct Bytes {
  uint8_t* data;
  size_t size;
};

Bytes BytesOf(v8::Local<v8::Value> value) {
  if (!value->IsArrayBufferView()) return {nullptr, 0};
  auto view = value.As<v8::ArrayBufferView>();
  // Also moves a small array off V8's heap, which keeps the pointer valid.
  v8::Local<v8::ArrayBuffer> buffer = view->Buffer();
  return {static_cast<uint8_t*>(buffer->Data()) + view->ByteOffset(),
          view->ByteLength()};
}

// How many continuation bytes follow `lead`, and the bounds of the first of
// them (Unicode, table 3-7). -1 for a byte that starts no character.
struct Sequence {
  int rest;
  uint8_t low;
  uint8_t high;
};

Sequence SequenceOf(uint8_t lead) {
  if (lead < 0x80) return {0, 0, 0};
  if (lead < 0xC2) return {-1, 0, 0};
  if (lead < 0xE0) return {1, 0x80, 0xBF};
  if (lead == 0xE0) return {2, 0xA0, 0xBF};
  if (lead == 0xED) return {2, 0x80, 0x9F};
  if (lead < 0xF0) return {2, 0x80, 0xBF};
  if (lead == 0xF0) return {3, 0x90, 0xBF};
  if (lead < 0xF4) return {3, 0x80, 0xBF};
  if (lead == 0xF4) return {3, 0x80, 0x8F};
  return {-1, 0, 0};
}

bool IsUtf8(const uint8_t* data, size_t size) {
  for (size_t i = 0; i < size;) {
    const Sequence sequence = SequenceOf(data[i++]);
    if (sequence.rest < 0 || size - i < static_cast<size_t>(sequence.rest)) {
      return false;
    }
    for (int k = 0; k < sequence.rest; ++k, ++i) {
      const uint8_t low = k == 0 ? sequence.low : 0x80;
      const uint8_t high = k == 0 ? sequence.high : 0xBF;
      if (data[i] < low || data[i] > high) return false;
    }
  }
  return true;
}

// utf8Encode(text) → Uint8Array
void Utf8Encode(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::String> text = info[0].As<v8::String>();
  const size_t size = Utf8Length(isolate, text);
  v8::Local<v8::ArrayBuffer> buffer;
  if (!NewBuffer(isolate, size).ToLocal(&buffer)) return;
  size_t read = 0;
  if (size > 0) {
    WriteUtf8(isolate, text, static_cast<char*>(buffer->Data()), size, &read);
  }
  info.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, size));
}

// utf8EncodeInto(text, bytes) → [units read, bytes written]
void Utf8EncodeInto(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const Bytes bytes = BytesOf(info[1]);
  size_t read = 0;
  size_t written = 0;
  if (bytes.size > 0) {
    written = WriteUtf8(isolate, info[0].As<v8::String>(),
                        reinterpret_cast<char*>(bytes.data), bytes.size, &read);
  }
  v8::Local<v8::Value> row[] = {
      v8::Number::New(isolate, static_cast<double>(read)),
      v8::Number::New(isolate, static_cast<double>(written))};
  info.GetReturnValue().Set(v8::Array::New(isolate, row, 2));
}

// utf8Decode(bytes, fatal, ignoreBOM) → text, undefined when fatal and wrong
void Utf8Decode(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const ViewBytes given(info[0]);
  if (!given.Check(isolate)) return;
  const uint8_t* data = given.data();
  size_t size = given.size();
  if (info[1]->IsTrue() && !IsUtf8(data, size)) return;
  const bool mark =
      size >= 3 && data[0] == 0xEF && data[1] == 0xBB && data[2] == 0xBF;
  if (mark && !info[2]->IsTrue()) {
    data += 3;
    size -= 3;
  }
  v8::Local<v8::String> text;
  if (size == 0) {
    info.GetReturnValue().SetEmptyString();
  } else if (size <= std::numeric_limits<int>::max() &&
             v8::String::NewFromUtf8(
                 isolate, reinterpret_cast<const char*>(data),
                 v8::NewStringType::kNormal, static_cast<int>(size))
                 .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  } else {
    isolate->ThrowException(v8::Exception::RangeError(
        v8::String::NewFromUtf8Literal(isolate, "Invalid string length")));
  }
}

constexpr NativeFunction kNatives[] = {
    {"utf8Encode", Utf8Encode},
    {"utf8EncodeInto", Utf8EncodeInto},
    {"utf8Decode", Utf8Decode},
};

}  // namespace

NativeFunctions TextNatives() { return kNatives; }

}  // namespace sloppy::workers

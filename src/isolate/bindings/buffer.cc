// internalBinding('buffer'): what moves and sets bytes, and the whole.
#include "isolate/bindings/buffer.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>
#include <utility>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"
#include "isolate/bindings/byte_texts.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/libraries/output.h"
#include "isolate/native_memory.h"
#include "isolate/new_buffer.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

// Names that Fill() is given: JavaScript knows them already, of any case.
TextEncoding EncodingOf(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  struct Name {
    std::string_view name;
    TextEncoding encoding;
  };
  constexpr Name kNames[] = {
      {"utf16le", TextEncoding::kUtf16},
      {"utf-16le", TextEncoding::kUtf16},
      {"ucs2", TextEncoding::kUtf16},
      {"ucs-2", TextEncoding::kUtf16},
      {"latin1", TextEncoding::kLatin1},
      {"binary", TextEncoding::kLatin1},
      {"ascii", TextEncoding::kAscii},
      {"hex", TextEncoding::kHex},
      {"base64", TextEncoding::kBase64},
      {"base64url", TextEncoding::kBase64Url},
  };
  constexpr int kLongest = 9;
  if (!value->IsString()) return TextEncoding::kUtf8;
  const auto text = value.As<v8::String>();
  if (text->Length() > kLongest) return TextEncoding::kUtf8;
  uint8_t units[kLongest];
  char lower[kLongest];
  WriteOneByte(isolate, text, units);
  const auto length = static_cast<size_t>(text->Length());
  for (size_t i = 0; i < length; ++i) {
    lower[i] = static_cast<char>(std::tolower(units[i]));
  }
  for (const Name& each : kNames) {
    if (each.name == std::string_view(lower, length)) return each.encoding;
  }
  return TextEncoding::kUtf8;
}

// Copies what is at the beginning of `to` until `size` bytes are there.
void Repeat(uint8_t* to, size_t have, size_t size) {
  while (have < size) {
    const size_t more = std::min(have, size - have);
    std::memcpy(to + have, to, more);
    have += more;
  }
}

// The bytes of `value`, up to `room` of them, written to `to`. False when
// there was no memory for them.
bool FillPattern(v8::Isolate* isolate, v8::Local<v8::Value> value,
                 v8::Local<v8::Value> encoding, uint8_t* to, size_t room,
                 size_t* size) {
  if (value->IsArrayBufferView()) {
    const ViewBytes bytes(value);
    if (!bytes.Check(isolate)) return false;
    *size = bytes.size();
    std::memmove(to, bytes.data(), std::min(*size, room));
    return true;
  }
  const auto text = value.As<v8::String>();
  const TextEncoding is = EncodingOf(isolate, encoding);
  if (is != TextEncoding::kUtf8 && is != TextEncoding::kUtf16) {
    *size = TextToBytes(isolate, text, is, to, room);
    return true;
  }
  // Characters may be cut at the end of these two.
  *size = TextRoom(isolate, text, is);
  if (*size <= room) {
    TextToBytes(isolate, text, is, to, room);
    return true;
  }
  const NativeMemory all(isolate, *size);
  if (all.data() == nullptr) {
    ThrowNoMemory(isolate);
    return false;
  }
  TextToBytes(isolate, text, is, all.data(), *size);
  std::memcpy(to, all.data(), room);
  return true;
}

// fill(buffer, value, start, end, encoding) → undefined, -1 for a value
// without bytes, -2 outside of the buffer
void Fill(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsArrayBufferView()) {
    return ThrowArgument(isolate, "argument must be a buffer");
  }
  size_t start;
  size_t end;
  for (const auto& [index, number] : {std::pair{2, &start}, {3, &end}}) {
    const Index read = ReadIndex(info, index, 0, number);
    if (read == Index::kThrown) return;
    if (read == Index::kNegative) return info.GetReturnValue().Set(-2);
  }
  uint32_t byte = 0;
  const bool is_pattern = info[1]->IsString() || info[1]->IsArrayBufferView();
  if (!is_pattern &&
      !info[1]->Uint32Value(isolate->GetCurrentContext()).To(&byte)) {
    return;
  }
  const BytesInPlace bytes(info[0]);
  if (start > end || end > bytes.size) return info.GetReturnValue().Set(-2);
  const size_t room = end - start;
  if (room == 0) return;
  uint8_t* to = bytes.data + start;
  if (!is_pattern) {
    std::memset(to, static_cast<int>(byte & 0xFF), room);
    return;
  }
  size_t size;
  if (!FillPattern(isolate, info[1], info[4], to, room, &size)) return;
  if (size == 0) return info.GetReturnValue().Set(-1);
  Repeat(to, std::min(size, room), room);
}

// Moves up to `size` bytes as far as both have them.
size_t Move(v8::Local<v8::Value> from, size_t from_start,
            v8::Local<v8::Value> to, size_t to_start, size_t size) {
  const BytesInPlace source(from);
  const BytesInPlace target(to);
  if (from_start >= source.size || to_start >= target.size) return 0;
  size = std::min({size, source.size - from_start, target.size - to_start});
  std::memmove(target.data + to_start, source.data + from_start, size);
  return size;
}

// copy(source, target, targetStart, sourceStart, bytes) → bytes copied
void Copy(const Info& info) {
  info.GetReturnValue().Set(
      static_cast<double>(Move(info[0], PlainIndex(info[3]), info[1],
                               PlainIndex(info[2]), PlainIndex(info[4]))));
}

// copyArrayBuffer(target, targetStart, source, sourceStart, bytes)
void CopyArrayBuffer(const Info& info) {
  Move(info[2], PlainIndex(info[3]), info[0], PlainIndex(info[1]),
       PlainIndex(info[4]));
}

// swapX(buffer) → buffer
template <typename Word>
void Swap(const Info& info) {
  if (!info[0]->IsArrayBufferView()) {
    return ThrowArgument(info.GetIsolate(), "argument must be a buffer");
  }
  const BytesInPlace bytes(info[0]);
  for (size_t i = 0; i + sizeof(Word) <= bytes.size; i += sizeof(Word)) {
    std::reverse(bytes.data + i, bytes.data + i + sizeof(Word));
  }
  info.GetReturnValue().Set(info[0]);
}

// createUnsafeArrayBuffer(size) → ArrayBuffer. Its bytes are zeros all the
// same, because what was there before may be another job's.
void CreateArrayBuffer(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsNumber() || !(info[0].As<v8::Number>()->Value() >= 0) ||
      info[0].As<v8::Number>()->Value() > kMaxBufferLength) {
    return ThrowCoded(isolate, MakeRangeError, "ERR_OUT_OF_RANGE",
                      "Invalid array buffer length");
  }
  v8::Local<v8::ArrayBuffer> buffer;
  if (NewBuffer(isolate, PlainIndex(info[0])).ToLocal(&buffer)) {
    info.GetReturnValue().Set(buffer);
  }
}

// arrayBufferAlignedOffset(buffer, alignment) → bytes to the first address that
// is a multiple of it
void AlignedOffset(const Info& info) {
  const BytesInPlace bytes(info[0]);
  const size_t alignment = std::max<size_t>(PlainIndex(info[1]), 1);
  const size_t over = reinterpret_cast<uintptr_t>(bytes.data) % alignment;
  info.GetReturnValue().Set(
      static_cast<double>(over == 0 ? 0 : alignment - over));
}

// detachArrayBuffer(buffer)
void DetachArrayBuffer(const Info& info) {
  if (!info[0]->IsArrayBuffer()) return;
  auto buffer = info[0].As<v8::ArrayBuffer>();
  if (buffer->IsDetachable()) (void)buffer->Detach({}).IsNothing();
}

// setDetachKey(buffer, key)
void SetDetachKey(const Info& info) {
  if (info[0]->IsArrayBuffer()) {
    info[0].As<v8::ArrayBuffer>()->SetDetachKey(info[1]);
  }
}

// mask(source, mask, output, offset, length): of WebSocket frames
void Mask(const Info& info) {
  const BytesInPlace source(info[0]);
  const BytesInPlace mask(info[1]);
  const BytesInPlace output(info[2]);
  const size_t offset = PlainIndex(info[3]);
  if (mask.size < 4 || offset >= output.size) return;
  const size_t length =
      std::min({PlainIndex(info[4]), source.size, output.size - offset});
  for (size_t i = 0; i < length; ++i) {
    output.data[offset + i] =
        static_cast<uint8_t>(source.data[i] ^ mask.data[i & 3]);
  }
}

constexpr NativeFunction kBufferNatives[] = {
    {"fill", Fill},
    {"copy", Copy},
    {"copyArrayBuffer", CopyArrayBuffer},
    {"swap16", Swap<uint16_t>},
    {"swap32", Swap<uint32_t>},
    {"swap64", Swap<uint64_t>},
    {"createUnsafeArrayBuffer", CreateArrayBuffer},
    {"arrayBufferAlignedOffset", AlignedOffset},
    {"detachArrayBuffer", DetachArrayBuffer},
    {"setDetachKey", SetDetachKey},
    {"mask", Mask},
};

bool CompleteBuffer(v8::Isolate* isolate, v8::Local<v8::Context> context,
                    v8::Local<v8::Object> binding) {
  const NativeFunctions tables[] = {BufferTextNatives(), BufferSearchNatives()};
  return AddFunctions(context, binding, tables) &&
         SetMember(context, binding, "kMaxLength",
                   v8::Number::New(isolate, kMaxBufferLength)) &&
         SetMember(context, binding, "kStringMaxLength",
                   v8::Integer::New(isolate, v8::String::kMaxLength));
}

}  // namespace

Binding BufferBinding() { return {"buffer", kBufferNatives, CompleteBuffer}; }

}  // namespace sloppy::workers

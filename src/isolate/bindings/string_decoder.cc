// internalBinding('string_decoder'): the state of a decoder is a small buffer
// that JavaScript holds, with the fields below.
#include <algorithm>
#include <cstring>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"
#include "isolate/bindings/byte_texts.h"
#include "isolate/globals/view_bytes.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

constexpr size_t kCharacter = 4;
enum Field : size_t {
  kIncompleteStart = 0,
  kMissing = kCharacter,
  kBuffered,
  kEncoding,
  kFields,
};

// User code can reach the state, so that any number may be in it.
class Decoder {
 public:
  explicit Decoder(v8::Isolate* isolate, const BytesInPlace& state)
      : isolate_(isolate), state_(state.data) {
    encoding_ = static_cast<TextEncoding>(state_[kEncoding] & 7);
    if (encoding_ == TextEncoding::kBuffer) encoding_ = TextEncoding::kUtf8;
    if (state_[kMissing] + state_[kBuffered] > kCharacter) {
      state_[kMissing] = state_[kBuffered] = 0;
    }
  }

  v8::MaybeLocal<v8::String> Decode(const uint8_t* data, size_t size) {
    v8::Local<v8::String> before;
    if (!HasIncomplete()) return BytesToText(isolate_, data, size, encoding_);
    if (state_[kMissing] > 0) {
      const size_t used = Complete(data, size);
      data += used;
      size -= used;
      if (state_[kMissing] == 0 && !TakeComplete().ToLocal(&before)) return {};
    }
    if (size == 0)
      return before.IsEmpty() ? v8::String::Empty(isolate_) : before;
    size -= KeepIncomplete(data, size);
    v8::Local<v8::String> text;
    if (!BytesToText(isolate_, data, size, encoding_).ToLocal(&text)) return {};
    if (before.IsEmpty()) return text;
    if (static_cast<int64_t>(before->Length()) + text->Length() >
        v8::String::kMaxLength) {
      ThrowTextTooLong(isolate_);
      return {};
    }
    return v8::String::Concat(isolate_, before, text);
  }

  v8::MaybeLocal<v8::String> Flush() {
    if (encoding_ == TextEncoding::kUtf16 && state_[kBuffered] % 2 == 1) {
      --state_[kMissing];
      --state_[kBuffered];
    }
    const size_t size = state_[kBuffered];
    state_[kMissing] = state_[kBuffered] = 0;
    return BytesToText(isolate_, state_, size, encoding_);
  }

 private:
  bool HasIncomplete() const {
    return encoding_ == TextEncoding::kUtf8 ||
           encoding_ == TextEncoding::kUtf16 ||
           encoding_ == TextEncoding::kBase64 ||
           encoding_ == TextEncoding::kBase64Url;
  }

  // Adds bytes to the character that was cut. Gives how many.
  size_t Complete(const uint8_t* data, size_t size) {
    size_t found = std::min<size_t>(size, state_[kMissing]);
    if (encoding_ == TextEncoding::kUtf8) {
      for (size_t i = 0; i < found; ++i) {
        if ((data[i] & 0xC0) == 0x80) continue;
        // Another character begins: what is there is all of this one.
        found = i;
        state_[kMissing] = static_cast<uint8_t>(i);
        break;
      }
    }
    std::memcpy(state_ + state_[kBuffered], data, found);
    state_[kMissing] = static_cast<uint8_t>(state_[kMissing] - found);
    state_[kBuffered] = static_cast<uint8_t>(state_[kBuffered] + found);
    return found;
  }

  v8::MaybeLocal<v8::String> TakeComplete() {
    const size_t size = state_[kBuffered];
    state_[kBuffered] = 0;
    return BytesToText(isolate_, state_, size, encoding_);
  }

  // Sets the fields for a character that is cut at the end, and keeps its
  // bytes. Gives how many.
  size_t KeepIncomplete(const uint8_t* data, size_t size) {
    size_t kept = 0;
    size_t missing = 0;
    if (encoding_ == TextEncoding::kUtf8) {
      if ((data[size - 1] & 0x80) != 0) CutUtf8(data, size, &kept, &missing);
    } else if (encoding_ == TextEncoding::kUtf16) {
      if (size % 2 == 1) {
        kept = missing = 1;
      } else if ((data[size - 1] & 0xFC) == 0xD8) {
        kept = missing = 2;
      }
    } else {
      kept = size % 3;
      if (kept > 0) missing = 3 - kept;
    }
    std::memcpy(state_, data + size - kept, kept);
    state_[kBuffered] = static_cast<uint8_t>(kept);
    state_[kMissing] = static_cast<uint8_t>(missing);
    return kept;
  }

  static void CutUtf8(const uint8_t* data, size_t size, size_t* kept,
                      size_t* missing) {
    for (size_t i = size; i-- > 0;) {
      const uint8_t byte = data[i];
      const size_t have = size - i;
      if ((byte & 0xC0) == 0x80) {
        // More of them than a character has: V8's decoder replaces them.
        if (have >= kCharacter) return;
        continue;
      }
      const size_t length = (byte & 0xE0) == 0xC0   ? 2
                            : (byte & 0xF0) == 0xE0 ? 3
                            : (byte & 0xF8) == 0xF0 ? 4
                                                    : 0;
      if (have < length) {
        *kept = have;
        *missing = length - have;
      }
      return;
    }
  }

  v8::Isolate* const isolate_;
  uint8_t* const state_;
  TextEncoding encoding_;
};

bool CheckState(const Info& info, const BytesInPlace& state) {
  if (state.size >= kFields) return true;
  ThrowArgument(info.GetIsolate(), "argument must be a decoder");
  return false;
}

// decode(state, bytes) → text
void Decode(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[1]->IsArrayBufferView()) {
    return ThrowArgument(isolate,
                         "The \"buf\" argument must be an instance of Buffer, "
                         "TypedArray, or DataView.");
  }
  const ViewBytes bytes(info[1]);
  const BytesInPlace state(info[0]);
  if (!bytes.Check(isolate) || !CheckState(info, state)) return;
  v8::Local<v8::String> text;
  if (Decoder(isolate, state)
          .Decode(bytes.data(), bytes.size())
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

// flush(state) → text
void Flush(const Info& info) {
  const BytesInPlace state(info[0]);
  if (!CheckState(info, state)) return;
  v8::Local<v8::String> text;
  if (Decoder(info.GetIsolate(), state).Flush().ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

constexpr NativeFunction kStringDecoderNatives[] = {{"decode", Decode},
                                                    {"flush", Flush}};

bool CompleteStringDecoder(v8::Isolate* isolate, v8::Local<v8::Context> context,
                           v8::Local<v8::Object> binding) {
  struct Number {
    const char* name;
    size_t value;
  };
  constexpr Number kNumbers[] = {
      {"kIncompleteCharactersStart", kIncompleteStart},
      {"kIncompleteCharactersEnd", kCharacter},
      {"kMissingBytes", kMissing},
      {"kBufferedBytes", kBuffered},
      {"kEncodingField", kEncoding},
      {"kNumFields", kFields},
      {"kSize", kFields},
  };
  for (const Number& number : kNumbers) {
    if (!SetMember(context, binding, number.name,
                   v8::Integer::New(isolate, static_cast<int>(number.value)))) {
      return false;
    }
  }
  // The names by TextEncoding.
  constexpr const char* kNames[kTextEncodings] = {
      "ascii",  "utf8", "base64", "utf16le",
      "latin1", "hex",  "buffer", "base64url"};
  v8::Local<v8::Value> names[kTextEncodings];
  for (size_t i = 0; i < kTextEncodings; ++i) {
    names[i] = v8::String::NewFromUtf8(isolate, kNames[i],
                                       v8::NewStringType::kInternalized)
                   .FromMaybe(v8::String::Empty(isolate));
  }
  return SetMember(context, binding, "encodings",
                   v8::Array::New(isolate, names, kTextEncodings));
}

}  // namespace

Binding StringDecoderBinding() {
  return {"string_decoder", kStringDecoderNatives, CompleteStringDecoder};
}

}  // namespace sloppy::workers

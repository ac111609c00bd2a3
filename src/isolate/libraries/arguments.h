// Arguments and results of natives over a library.
#ifndef SLOPPY_WORKERS_ISOLATE_LIBRARIES_ARGUMENTS_H_
#define SLOPPY_WORKERS_ISOLATE_LIBRARIES_ARGUMENTS_H_

#include <v8.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "isolate/libraries/input.h"
#include "isolate/libraries/library_state.h"

namespace sloppy::workers {

// A whole number; -1 for what is none.
inline int64_t IntAt(const v8::FunctionCallbackInfo<v8::Value>& info,
                     int index) {
  if (info[index]->IsInt32()) return info[index].As<v8::Int32>()->Value();
  if (!info[index]->IsNumber()) return -1;
  const double number = info[index].As<v8::Number>()->Value();
  constexpr double kMost = 9007199254740991;
  return number >= -kMost && number <= kMost ? static_cast<int64_t>(number)
                                             : -1;
}

template <typename T>
void Return(const v8::FunctionCallbackInfo<v8::Value>& info,
            v8::MaybeLocal<T> made) {
  v8::Local<T> value;
  if (made.ToLocal(&value)) info.GetReturnValue().Set(value);
}

inline v8::MaybeLocal<v8::Array> NewTexts(
    v8::Isolate* isolate, const std::vector<std::string>& texts) {
  std::vector<v8::Local<v8::Value>> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) {
    v8::Local<v8::String> made;
    if (!v8::String::NewFromUtf8(isolate, text.data(),
                                 v8::NewStringType::kNormal,
                                 static_cast<int>(text.size()))
             .ToLocal(&made)) {
      return {};
    }
    values.push_back(made);
  }
  return v8::Array::New(isolate, values.data(), values.size());
}

inline void ReturnTexts(const v8::FunctionCallbackInfo<v8::Value>& info,
                        const std::vector<std::string>& texts) {
  Return(info, NewTexts(info.GetIsolate(), texts));
}

// Calls take(piece, size) for all of `data`, with a look at whether the worker
// is to end between two pieces. False when it is, or when `take` said so.
template <typename Take>
bool EachPiece(v8::Isolate* isolate, const Input& data, Take take) {
  constexpr size_t kPiece = size_t{1} << 20;
  size_t at = 0;
  do {
    const size_t size = std::min(kPiece, data.size() - at);
    if (!take(data.data() + at, size)) return false;
    at += size;
    if (at < data.size() && LibraryState::Of(isolate).IsInterrupted()) {
      return false;
    }
  } while (at < data.size());
  return true;
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_LIBRARIES_ARGUMENTS_H_

// Texts between V8 and C++.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_V8_TEXT_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_V8_TEXT_H_

#include <v8.h>

#include <string>
#include <string_view>

namespace sloppy::workers {

// Empty when the text is too long for V8.
inline v8::MaybeLocal<v8::String> ToV8(v8::Isolate* isolate,
                                       std::string_view text) {
  return v8::String::NewFromUtf8(isolate, text.data(),
                                 v8::NewStringType::kNormal,
                                 static_cast<int>(text.size()));
}

inline std::string ToUtf8(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  v8::String::Utf8Value text(isolate, value);
  return *text == nullptr
             ? std::string()
             : std::string(*text, static_cast<size_t>(text.length()));
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_V8_TEXT_H_

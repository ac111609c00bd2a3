#include "isolate/bindings/idna.h"

#include "isolate/libraries/input.h"
#include "isolate/libraries/libraries.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;
using Convert = ada_owned_string (*)(const char*, size_t);

std::string Converted(Convert convert, std::string_view text) {
  const ada_owned_string made = convert(text.data(), text.size());
  std::string copy(made.data, made.length);
  FindAda()->ada_free_owned_string(made);
  return copy;
}

template <Convert Ada::*kConvert>
void ConvertName(const Info& info) {
  if (!info[0]->IsString()) {
    return ThrowArgument(info.GetIsolate(), "argument must be a string");
  }
  const Input name(info.GetIsolate(), info[0]);
  if (!name.ok()) return;
  ReturnText(info, Converted(FindAda()->*kConvert,
                             std::string_view(name.text(), name.size())));
}

constexpr NativeFunction kIdnaNatives[] = {
    {"toASCII", ConvertName<&Ada::ada_idna_to_ascii>},
    {"toUnicode", ConvertName<&Ada::ada_idna_to_unicode>},
};

}  // namespace

std::string ToUnicode(std::string_view ascii) {
  return Converted(FindAda()->ada_idna_to_unicode, ascii);
}

void ReturnText(const BindingInfo& info, std::string_view text) {
  v8::Local<v8::String> made;
  if (v8::String::NewFromUtf8(info.GetIsolate(), text.data(),
                              v8::NewStringType::kNormal,
                              static_cast<int>(text.size()))
          .ToLocal(&made)) {
    info.GetReturnValue().Set(made);
  } else {
    ThrowTextTooLong(info.GetIsolate());
  }
}

NativeFunctions IdnaNatives() {
  return FindAda() == nullptr ? NativeFunctions()
                              : NativeFunctions(kIdnaNatives);
}

}  // namespace sloppy::workers

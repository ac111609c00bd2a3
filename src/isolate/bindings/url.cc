// internalBinding('url') over ada: a URL is its text and where its parts begin.
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"
#include "isolate/bindings/idna.h"
#include "isolate/bindings/utf8.h"
#include "isolate/libraries/input.h"
#include "isolate/libraries/libraries.h"
#include "isolate/libraries/output.h"
#include "isolate/native_memory.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

using Info = BindingInfo;

// urlComponents: ada's eight numbers and the kind of scheme.
constexpr size_t kComponents = 9;

// Texts up to this size are parsed without asking whether there is memory.
constexpr size_t kSmall = size_t{256} << 10;

// A text for ada, which takes memory without asking whether there is any.
class UrlText : public Input {
 public:
  UrlText(v8::Isolate* isolate, v8::Local<v8::Value> value)
      : Input(isolate, value), fits_(Input::ok() && Fits(isolate)) {}
  bool ok() const { return fits_; }
  std::string_view view() const { return {text(), size()}; }

 private:
  bool Fits(v8::Isolate* isolate) const {
    // Characters become three of its own each at the most, twice.
    if (size() < kSmall || HasRoomFor(isolate, 6 * size())) return true;
    ThrowNoMemory(isolate);
    return false;
  }

  const bool fits_;
};

class Url {
 public:
  explicit Url(const Input& input)
      : url_(FindAda()->ada_parse(input.text(), input.size())) {}
  Url(const Input& input, const Input& base)
      : url_(FindAda()->ada_parse_with_base(input.text(), input.size(),
                                            base.text(), base.size())) {}
  explicit Url(std::string_view text)
      : url_(FindAda()->ada_parse(text.data(), text.size())) {}
  // One that is not valid is freed too.
  ~Url() { FindAda()->ada_free(url_); }
  Url(const Url&) = delete;
  Url& operator=(const Url&) = delete;

  bool IsValid() const { return FindAda()->ada_is_valid(url_); }
  ada_url get() const { return url_; }
  std::string_view href() const {
    const ada_string text = FindAda()->ada_get_href(url_);
    return {text.data, text.length};
  }
  const ada_url_components& parts() const {
    return *FindAda()->ada_get_components(url_);
  }
  std::string_view Credentials() const {
    const ada_url_components& at = parts();
    if (!HasAuthority() || href().substr(at.host_start, 1) != "@") return {};
    return Between(at.protocol_end + 2, at.host_start + 1);
  }
  std::string_view Hostname() const {
    const ada_url_components& at = parts();
    const size_t start =
        at.host_start + (href().substr(at.host_start, 1) == "@" ? 1 : 0);
    return Between(start, at.host_end);
  }
  bool HasAuthority() const {
    return href().substr(parts().protocol_end, 2) == "//";
  }
  std::string_view Between(size_t start, size_t end) const {
    const std::string_view all = href();
    end = end < all.size() ? end : all.size();
    return start < end ? all.substr(start, end - start) : std::string_view();
  }

 private:
  const ada_url url_;
};

bool IsTexts(const Info& info, int count) {
  for (int i = 0; i < count; ++i) {
    if (info[i]->IsString()) continue;
    ThrowArgument(info.GetIsolate(), "argument must be a string");
    return false;
  }
  return true;
}

void ReturnAscii(const Info& info, std::string_view text) {
  v8::Local<v8::String> made;
  if (v8::String::NewFromOneByte(
          info.GetIsolate(), reinterpret_cast<const uint8_t*>(text.data()),
          v8::NewStringType::kNormal, static_cast<int>(text.size()))
          .ToLocal(&made)) {
    info.GetReturnValue().Set(made);
  } else {
    ThrowTextTooLong(info.GetIsolate());
  }
}

// The URL's text is returned, and its parts are in urlComponents, whose buffer
// the functions carry. `is_input`: the text is that which was parsed.
void ReturnUrl(const Info& info, const Url& url, bool is_input) {
  const ada_url_components& at = url.parts();
  const std::array<uint32_t, kComponents> numbers = {
      at.protocol_end,
      at.username_end,
      at.host_start,
      at.host_end,
      at.port,
      at.pathname_start,
      at.search_start,
      at.hash_start,
      FindAda()->ada_get_scheme_type(url.get())};
  const auto components = info.Data().As<v8::ArrayBuffer>();
  if (components->ByteLength() >= sizeof(numbers)) {
    std::memcpy(components->Data(), numbers.data(), sizeof(numbers));
  }
  if (is_input) return info.GetReturnValue().Set(info[0]);
  ReturnAscii(info, url.href());
}

// `input` and `base` are the error's own properties, if there are any.
void ThrowInvalid(v8::Isolate* isolate, const UrlText* input,
                  const UrlText* base) {
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Object> error =
      MakeTypeError(isolate, "Invalid URL").As<v8::Object>();
  SetMember(context, error, "code",
            v8::String::NewFromUtf8Literal(isolate, "ERR_INVALID_URL"));
  const auto set = [&](const char* name, const UrlText* text) {
    v8::Local<v8::String> made;
    if (text != nullptr &&
        v8::String::NewFromUtf8(isolate, text->text(),
                                v8::NewStringType::kNormal,
                                static_cast<int>(text->size()))
            .ToLocal(&made)) {
      SetMember(context, error, name, made);
    }
  };
  set("input", input);
  set("base", base);
  isolate->ThrowException(error);
}

// Gives `url`, and whether its text is normal already, as most are, if the text
// can be read where it lies: V8 after 12 allows that for ASCII.
void ParseInPlace(v8::Isolate* isolate, v8::Local<v8::String> text,
                  std::optional<Url>* url, bool* is_input) {
  const auto size = static_cast<size_t>(text->Length());
  if (size >= kSmall) return;
  const UnitsInPlace units(isolate, text);
  if (units.data() == nullptr || !IsAscii(units.data(), size)) return;
  const std::string_view input(reinterpret_cast<const char*>(units.data()),
                               size);
  url->emplace(input);
  *is_input = (*url)->IsValid() && (*url)->href() == input;
}

// parse(text, base, raise) → href, undefined for one that is not valid
void Parse(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!IsTexts(info, 1)) return;
  if (!info[1]->IsString()) {
    std::optional<Url> url;
    bool is_input = false;
    ParseInPlace(isolate, info[0].As<v8::String>(), &url, &is_input);
    if (url.has_value() && url->IsValid()) {
      return ReturnUrl(info, *url, is_input);
    }
  }
  const UrlText input(isolate, info[0]);
  if (!input.ok()) return;
  const auto give = [&](const Url& url, const UrlText* base) {
    if (url.IsValid()) {
      ReturnUrl(info, url, url.href() == input.view());
    } else if (info[2]->IsTrue()) {
      ThrowInvalid(isolate, &input, base);
    }
  };
  if (!info[1]->IsString()) return give(Url(input), nullptr);
  const UrlText base(isolate, info[1]);
  if (base.ok()) give(Url(input, base), &base);
}

// canParse(text, base) → boolean
void CanParse(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!IsTexts(info, 1)) return;
  const UrlText input(isolate, info[0]);
  if (!input.ok()) return;
  if (!info[1]->IsString()) {
    return info.GetReturnValue().Set(
        FindAda()->ada_can_parse(input.text(), input.size()));
  }
  const UrlText base(isolate, info[1]);
  if (!base.ok()) return;
  info.GetReturnValue().Set(FindAda()->ada_can_parse_with_base(
      input.text(), input.size(), base.text(), base.size()));
}

bool SetPart(ada_url url, int64_t part, const char* text, size_t size) {
  const Ada& ada = *FindAda();
  switch (part) {
    case 0:
      return ada.ada_set_protocol(url, text, size);
    case 1:
      return ada.ada_set_host(url, text, size);
    case 2:
      return ada.ada_set_hostname(url, text, size);
    case 3:
      return ada.ada_set_port(url, text, size);
    case 4:
      return ada.ada_set_username(url, text, size);
    case 5:
      return ada.ada_set_password(url, text, size);
    case 6:
      return ada.ada_set_pathname(url, text, size);
    case 7:
      ada.ada_set_search(url, text, size);
      return true;
    case 8:
      ada.ada_set_hash(url, text, size);
      return true;
    case 9:
      return ada.ada_set_href(url, text, size);
    default:
      return false;
  }
}

// update(href, part, text) → href, false where the part cannot be that
void Update(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsString() || !info[1]->IsInt32() || !info[2]->IsString()) {
    return ThrowArgument(isolate, "argument must be a string");
  }
  const UrlText href(isolate, info[0]);
  const UrlText text(isolate, info[2]);
  if (!href.ok() || !text.ok()) return;
  const Url url(href);
  if (!url.IsValid() || !SetPart(url.get(), info[1].As<v8::Int32>()->Value(),
                                 text.text(), text.size())) {
    return info.GetReturnValue().Set(false);
  }
  ReturnUrl(info, url, false);
}

// format(href, hash, unicode, search, auth) → text with these parts
void FormatUrl(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!IsTexts(info, 1)) return;
  const UrlText href(isolate, info[0]);
  if (!href.ok()) return;
  const Url url(href);
  if (!url.IsValid()) return info.GetReturnValue().Set(info[0]);
  const ada_url_components& at = url.parts();
  std::string text(url.Between(0, at.protocol_end));
  if (url.HasAuthority()) {
    text += "//";
    if (info[4]->IsTrue()) text += url.Credentials();
    text += info[2]->IsTrue() ? ToUnicode(url.Hostname())
                              : std::string(url.Hostname());
    text += url.Between(at.host_end, at.pathname_start);
  } else {
    text += url.Between(at.protocol_end, at.pathname_start);
  }
  const size_t all = url.href().size();
  const size_t hash = at.hash_start < all ? at.hash_start : all;
  const size_t search = at.search_start < hash ? at.search_start : hash;
  text += url.Between(at.pathname_start, search);
  if (info[3]->IsTrue()) text += url.Between(search, hash);
  if (info[1]->IsTrue()) text += url.Between(hash, all);
  ReturnText(info, text);
}

// A host as URLs have it, '' for one that is none.
std::string NormalHost(const UrlText& host) {
  if (host.size() == 0) return {};
  const Url url("ws://x");
  return FindAda()->ada_set_hostname(url.get(), host.text(), host.size())
             ? std::string(url.Hostname())
             : std::string();
}

void DomainToAscii(const Info& info) {
  if (!IsTexts(info, 1)) return;
  const UrlText host(info.GetIsolate(), info[0]);
  if (host.ok()) ReturnAscii(info, NormalHost(host));
}

void DomainToUnicode(const Info& info) {
  if (!IsTexts(info, 1)) return;
  const UrlText host(info.GetIsolate(), info[0]);
  if (host.ok()) ReturnText(info, ToUnicode(NormalHost(host)));
}

// getOrigin(text) → origin
void GetOrigin(const Info& info) {
  if (!IsTexts(info, 1)) return;
  const UrlText input(info.GetIsolate(), info[0]);
  if (!input.ok()) return;
  const Url url(input);
  if (!url.IsValid()) {
    return ThrowInvalid(info.GetIsolate(), nullptr, nullptr);
  }
  const Ada& ada = *FindAda();
  const ada_owned_string origin = ada.ada_get_origin(url.get());
  ReturnAscii(info, {origin.data, origin.length});
  ada.ada_free_owned_string(origin);
}

// Escapes the characters that a file's name may have and a URL's path has not.
std::string EscapePath(const UrlText& path, bool windows) {
  constexpr std::string_view kEscaped = "\t\n\r \"#%?[]^|~";
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string escaped;
  escaped.reserve(path.size() + 16);
  for (const char c : std::string_view(path.text(), path.size())) {
    if (kEscaped.find(c) != std::string_view::npos || c == '\0' ||
        (c == '\\' && !windows)) {
      const auto byte = static_cast<uint8_t>(c);
      escaped += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// pathToFileURL(path, windows, host) → href
void PathToFileUrl(const Info& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!IsTexts(info, 1)) return;
  const UrlText path(isolate, info[0]);
  if (!path.ok()) return;
  const bool windows = info[1]->IsTrue();
  const Url url("file://");
  std::string escaped = EscapePath(path, windows);
  // Takes off what a URL's text loses.
  while (!escaped.empty() && static_cast<uint8_t>(escaped.back()) <= ' ') {
    escaped.pop_back();
  }
  FindAda()->ada_set_pathname(url.get(), escaped.data(), escaped.size());
  if (windows && info[2]->IsString()) {
    const UrlText host(isolate, info[2]);
    if (!host.ok()) return;
    if (!FindAda()->ada_set_hostname(url.get(), host.text(), host.size())) {
      return ThrowInvalid(isolate, &path, nullptr);
    }
  }
  ReturnUrl(info, url, false);
}

constexpr NativeFunction kUrlNatives[] = {
    {"canParse", CanParse},           {"format", FormatUrl},
    {"domainToASCII", DomainToAscii}, {"domainToUnicode", DomainToUnicode},
    {"getOrigin", GetOrigin},
};

bool CompleteUrl(v8::Isolate* isolate, v8::Local<v8::Context> context,
                 v8::Local<v8::Object> binding) {
  constexpr NativeFunction kOfUrls[] = {
      {"parse", Parse}, {"update", Update}, {"pathToFileURL", PathToFileUrl}};
  auto components =
      v8::ArrayBuffer::New(isolate, kComponents * sizeof(uint32_t));
  const NativeFunctions tables[] = {kOfUrls};
  return AddFunctions(context, binding, tables, components) &&
         SetMember(context, binding, "urlComponents",
                   v8::Uint32Array::New(components, 0, kComponents));
}

}  // namespace

Binding UrlBinding() {
  if (FindAda() == nullptr) return {"", {}};
  return {"url", kUrlNatives, CompleteUrl};
}

}  // namespace sloppy::workers

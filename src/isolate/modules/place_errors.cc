#include "isolate/modules/place_errors.h"

#include <string_view>

#include "isolate/modules/file_path.h"
#include "isolate/modules/module_source.h"
#include "isolate/modules/v8_text.h"

namespace sloppy::workers {
namespace {

bool HasEncodedSeparator(std::string_view specifier) {
  std::string_view path = specifier.substr(0, specifier.find_first_of("?#"));
  for (size_t at = path.find('%'); at != std::string_view::npos;
       at = path.find('%', at + 1)) {
    const std::string_view code = path.substr(at + 1, 2);
    if (code == "2f" || code == "2F" || code == "5c" || code == "5C") {
      return true;
    }
  }
  return false;
}

#if defined(_WIN32)
bool HasUnknownHost(std::string_view) { return false; }
#else
bool HasUnknownHost(std::string_view specifier) {
  constexpr std::string_view kStart = "file://";
  if (!specifier.starts_with(kStart)) return false;
  const std::string_view rest = specifier.substr(kStart.size());
  return !rest.starts_with('/') && !rest.starts_with("localhost/");
}
#endif

// `specifier` as it had to be for a file that is there; empty if there is none.
std::string Correction(const std::string& specifier, const std::string& path) {
  for (const char* end : {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json",
                          "/index.js", "/index.mjs", "/index.ts"}) {
    if (KindOfFile(path + end) == FileKind::kFile) return specifier + end;
  }
  // TypeScript's compiler has the names of what it makes.
  const std::string source = UncompiledName(path);
  if (!source.empty() && KindOfFile(source) == FileKind::kFile) {
    return UncompiledName(specifier);
  }
  return {};
}

std::string NotFound(const std::string& specifier, const std::string& path,
                     const std::string& importer) {
  std::string text = "Cannot find module '" + path + "'";
  if (!importer.empty()) text += " imported from " + importer;
  const std::string meant = Correction(specifier, path);
  return meant.empty() ? text : text + "; did you mean '" + meant + "'?";
}

}  // namespace

std::string UncompiledName(const std::string& name) {
  for (const char* end : {".js", ".mjs", ".cjs"}) {
    if (!name.ends_with(end)) continue;
    std::string source = name;
    return source.replace(source.size() - 2, 1, "t");
  }
  return {};
}

bool RefuseName(v8::Isolate* isolate, const std::string& specifier,
                const std::string& path) {
  const auto refuse = [&](const char* code, const char* why) {
    ThrowCoded(isolate, code, "Invalid module '" + specifier + "': " + why,
               ErrorKind::kTypeError);
    return true;
  };
  if (HasUnknownHost(specifier)) {
    return refuse("ERR_INVALID_FILE_URL_HOST", "a file's URL has no host here");
  }
  if (HasEncodedSeparator(specifier)) {
    return refuse("ERR_INVALID_MODULE_SPECIFIER",
                  "a file's name cannot have an encoded / or \\ in it");
  }
  // The system would take what is before it.
  if (path.find('\0') != std::string::npos) {
    return refuse("ERR_INVALID_ARG_VALUE",
                  "a file's name cannot have a null character in it");
  }
  return false;
}

void ThrowMissing(v8::Isolate* isolate, const std::string& specifier,
                  const std::string& path, const std::string& importer) {
  const bool is_folder = KindOfFile(path) == FileKind::kFolder;
  v8::Local<v8::Object> error;
  v8::Local<v8::String> url;
  if (!CodedError(
           isolate,
           is_folder ? "ERR_UNSUPPORTED_DIR_IMPORT" : "ERR_MODULE_NOT_FOUND",
           NotFound(specifier, path, importer), ErrorKind::kError)
           .ToLocal(&error) ||
      !ToV8(isolate, FileUrl(path) + UrlSuffix(specifier)).ToLocal(&url)) {
    return;
  }
  // Fails only while execution is being terminated.
  (void)error->CreateDataProperty(
      isolate->GetCurrentContext(),
      v8::String::NewFromUtf8Literal(isolate, "url"), url);
  isolate->ThrowException(error);
}

}  // namespace sloppy::workers

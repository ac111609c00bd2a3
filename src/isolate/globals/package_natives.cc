#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isolate/globals/host_natives.h"
#include "isolate/modules/file_path.h"
#include "isolate/modules/module_source.h"
#include "isolate/new_buffer.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

std::string WithSlashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

// The folder that the packages around `importer` are installed in, with a slash
// at its end.
std::optional<std::string> InstallationOf(const std::string& importer) {
  constexpr std::string_view kModules = "/node_modules/";
  const size_t at = importer.find(kModules);
  if (at == std::string::npos) return std::nullopt;
  return importer.substr(0, at + kModules.size());
}

// The real path of the file or folder that a call is about: (importer, path).
// Nothing unless it is below the folder that holds the importer's packages;
// `ways` lets pass those that lead to it.
std::optional<std::string> OwnPath(const Info& info, bool ways = false) {
  const auto importer = ResolveFile(TextAt(info, 0), "");
  const auto path = ResolveFile(TextAt(info, 1), "");
  if (!importer || !path) return std::nullopt;
  const auto installation = InstallationOf(WithSlashes(*importer));
  if (!installation) return std::nullopt;
  auto real = RealPath(*path);
  if (!real) return std::nullopt;
  std::string folder = WithSlashes(*real);
  if (!folder.ends_with('/')) folder += '/';
  const bool inside = folder.starts_with(*installation);
  if (!inside && !(ways && installation->starts_with(folder))) {
    return std::nullopt;
  }
  return real;
}

v8::Local<v8::Value> PackageText(v8::Isolate* isolate,
                                 const std::string& text) {
  v8::Local<v8::String> string;
  return v8::String::NewFromUtf8(isolate, text.data(),
                                 v8::NewStringType::kNormal,
                                 static_cast<int>(text.size()))
                 .ToLocal(&string)
             ? string.As<v8::Value>()
             : v8::Undefined(isolate).As<v8::Value>();
}

// ownFile(importer, path) → ArrayBuffer, or undefined unless `path` is a file
// next to which the package of `importer` is installed.
void OwnFile(const Info& info) {
  const auto path = OwnPath(info);
  if (!path) return;
  v8::Isolate* isolate = info.GetIsolate();
  std::string content;
  v8::Local<v8::ArrayBuffer> buffer;
  switch (ReadFile(*path, kMaxFileBytes, &content)) {
    case ReadResult::kOk:
      break;
    case ReadResult::kMissing:
      return;
    case ReadResult::kTooLarge:
      ThrowCoded(isolate, "ERR_FS_FILE_TOO_LARGE",
                 "file is larger than 256 MiB, or than memory: " + *path);
      return;
  }
  if (!NewBuffer(isolate, content.size()).ToLocal(&buffer)) return;
  if (!content.empty()) {
    std::memcpy(buffer->Data(), content.data(), content.size());
  }
  info.GetReturnValue().Set(buffer);
}

// ownEntry(importer, path) → [FileKind, bytes, real path] or undefined
void OwnEntry(const Info& info) {
  const auto path = OwnPath(info, true);
  if (!path) return;
  const FileKind kind = KindOfFile(*path);
  if (kind == FileKind::kNone) return;
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Value> entry[] = {
      v8::Integer::New(isolate, static_cast<int>(kind)),
      v8::Number::New(isolate, static_cast<double>(SizeOfFile(*path))),
      PackageText(isolate, *path)};
  info.GetReturnValue().Set(v8::Array::New(isolate, entry, std::size(entry)));
}

// ownNames(importer, path) → [name, FileKind, …] of a folder, by name, or
// undefined
void OwnNames(const Info& info) {
  const auto path = OwnPath(info);
  if (!path) return;
  const auto entries = ListFolder(*path);
  if (!entries) return;
  v8::Isolate* isolate = info.GetIsolate();
  std::vector<v8::Local<v8::Value>> names;
  for (const auto& [name, kind] : *entries) {
    names.push_back(PackageText(isolate, name));
    names.push_back(v8::Integer::New(isolate, static_cast<int>(kind)));
  }
  info.GetReturnValue().Set(
      v8::Array::New(isolate, names.data(), names.size()));
}

constexpr NativeFunction kPackageNatives[] = {
    {"ownFile", OwnFile}, {"ownEntry", OwnEntry}, {"ownNames", OwnNames}};

}  // namespace

NativeFunctions PackageNatives() { return kPackageNatives; }

}  // namespace sloppy::workers

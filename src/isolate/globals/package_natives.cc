#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "isolate/globals/host_natives.h"
#include "isolate/modules/file_path.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

std::string WithSlashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

// The folder of the package that `path` is in, with a slash at its end.
std::optional<std::string> PackageOf(const std::string& path) {
  constexpr char kModules[] = "/node_modules/";
  const size_t at = path.rfind(kModules);
  if (at == std::string::npos) return std::nullopt;
  const size_t name = at + sizeof(kModules) - 1;
  size_t end = path.find('/', name);
  if (path[name] == '@' && end != std::string::npos) {
    end = path.find('/', end + 1);
  }
  if (end == std::string::npos) return std::nullopt;
  return path.substr(0, end + 1);
}

// ownFile(importer, path) → ArrayBuffer, or undefined unless `path` is a file
// of the package that `importer` is a file of.
void OwnFile(const Info& info) {
  const auto importer = ResolveFile(TextAt(info, 0), "");
  const auto file = ResolveFile(TextAt(info, 1), "");
  if (!importer || !file) return;
  const auto folder = PackageOf(WithSlashes(*importer));
  const auto real = RealPath(*file);
  std::string content;
  if (!folder || !real || !WithSlashes(*real).starts_with(*folder) ||
      ReadFile(*real, size_t{1} << 30, &content) != ReadResult::kOk) {
    return;
  }
  auto buffer = v8::ArrayBuffer::New(info.GetIsolate(), content.size());
  if (!content.empty()) {
    std::memcpy(buffer->Data(), content.data(), content.size());
  }
  info.GetReturnValue().Set(buffer);
}

constexpr NativeFunction kNatives[] = {{"ownFile", OwnFile}};

}  // namespace

NativeFunctions PackageNatives() { return kNatives; }

}  // namespace sloppy::workers

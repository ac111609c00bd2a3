// The loader in JavaScript asks the file system and V8 by these.
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "isolate/modules/file_path.h"
#include "isolate/modules/module_loader.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

std::string TextOf(const Info& info, int index) {
  v8::String::Utf8Value text(info.GetIsolate(), info[index]);
  return *text == nullptr
             ? std::string()
             : std::string(*text, static_cast<size_t>(text.length()));
}

ModuleLoader* LoaderOf(const Info& info) {
  return ModuleLoader::Of(info.GetIsolate()->GetCurrentContext());
}

template <typename T>
void Return(const Info& info, v8::MaybeLocal<T> value) {
  v8::Local<T> local;
  if (value.ToLocal(&local)) info.GetReturnValue().Set(local);
}

// stat(path) → 0 nothing, 1 a file, 2 a folder
void Stat(const Info& info) {
  info.GetReturnValue().Set(static_cast<int>(KindOfFile(TextOf(info, 0))));
}

// readText(path) → text or undefined
void ReadText(const Info& info) {
  std::string content;
  if (ReadFile(TextOf(info, 0), size_t{1} << 28, &content) != ReadResult::kOk) {
    return;
  }
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), content.data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(content.size())));
}

// readSource(path) → text; throws when it cannot be read or is too large
void ReadSource(const Info& info) {
  if (ModuleLoader* loader = LoaderOf(info)) {
    Return(info, loader->source().Read(TextOf(info, 0)));
  }
}

// realPath(path) → path or undefined
void RealPathOf(const Info& info) {
  const auto path = RealPath(TextOf(info, 0));
  if (!path) return;
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), path->data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(path->size())));
}

// fileUrl(path) → url
void FileUrlOf(const Info& info) {
  const std::string url = FileUrl(TextOf(info, 0));
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), url.data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(url.size())));
}

// filePath(url) → path or undefined
void FilePathOf(const Info& info) {
  const auto path = ResolveFile(TextOf(info, 0), "");
  if (!path) return;
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), path->data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(path->size())));
}

// formatOf(path, stripped | undefined) → Format
void FormatOf(const Info& info) {
  ModuleLoader* loader = LoaderOf(info);
  if (loader == nullptr) return;
  v8::Local<v8::Context> context = info.GetIsolate()->GetCurrentContext();
  const std::string path = TextOf(info, 0);
  const Format format = info[1]->IsString()
                            ? loader->source().FormatOfStripped(
                                  context, path, info[1].As<v8::String>())
                            : loader->source().FormatOf(context, path);
  info.GetReturnValue().Set(static_cast<int>(format));
}

// compileCommonJs(path, text) → function; undefined for a module's syntax
void CompileCommonJs(const Info& info) {
  if (ModuleLoader* loader = LoaderOf(info)) {
    Return(info, loader->source().CompileCommonJs(
                     info.GetIsolate()->GetCurrentContext(), TextOf(info, 0),
                     info[1].As<v8::String>()));
  }
}

// importNow(url) → namespace
void ImportNow(const Info& info) {
  if (ModuleLoader* loader = LoaderOf(info)) {
    Return(info, loader->ImportNow(info.GetIsolate()->GetCurrentContext(),
                                   TextOf(info, 0)));
  }
}

// storeCompiled(): see ModuleSource.
void StoreCompiled(const Info& info) {
  if (ModuleLoader* loader = LoaderOf(info)) loader->source().StoreCompiled();
}

// callTool(name, ...texts) → text
void CallTool(const Info& info) {
  ModuleLoader* loader = LoaderOf(info);
  if (loader == nullptr) return;
  std::vector<v8::Local<v8::Value>> texts;
  for (int i = 1; i < info.Length(); ++i) texts.push_back(info[i]);
  Return(info, loader->tools().Call(
                   info.GetIsolate()->GetCurrentContext(), TextOf(info, 0),
                   static_cast<int>(texts.size()), texts.data()));
}

struct Native {
  const char* name;
  v8::FunctionCallback callback;
};

constexpr Native kNatives[] = {
    {"stat", Stat},
    {"readText", ReadText},
    {"readSource", ReadSource},
    {"realPath", RealPathOf},
    {"fileUrl", FileUrlOf},
    {"filePath", FilePathOf},
    {"formatOf", FormatOf},
    {"compileCommonJs", CompileCommonJs},
    {"importNow", ImportNow},
    {"storeCompiled", StoreCompiled},
    {"callTool", CallTool},
};

}  // namespace

v8::MaybeLocal<v8::Object> MakeLoaderNatives(v8::Isolate* isolate,
                                             v8::Local<v8::Context> context) {
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Object> natives =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  for (const Native& item : kNatives) {
    v8::Local<v8::String> name;
    v8::Local<v8::Function> function;
    if (!v8::String::NewFromUtf8(isolate, item.name,
                                 v8::NewStringType::kInternalized)
             .ToLocal(&name) ||
        !v8::Function::New(context, item.callback, {}, 0,
                           v8::ConstructorBehavior::kThrow)
             .ToLocal(&function) ||
        !natives->Set(context, name, function).FromMaybe(false)) {
      return {};
    }
  }
  return scope.Escape(natives);
}

}  // namespace sloppy::workers

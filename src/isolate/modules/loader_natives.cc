// The loader in JavaScript asks the file system and V8 by these.
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/debug_flag.h"
#include "isolate/modules/file_path.h"
#include "isolate/modules/module_loader.h"
#include "isolate/modules/module_steps.h"
#include "isolate/modules/tool_answers.h"
#include "isolate/native_functions.h"

namespace sloppy::workers {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

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
  info.GetReturnValue().Set(static_cast<int>(KindOfFile(TextAt(info, 0))));
}

// readText(path, max bytes?) → text or undefined
void ReadText(const Info& info) {
  std::string content;
  const size_t max_bytes = info[1]->IsUint32()
                               ? size_t{info[1].As<v8::Uint32>()->Value()}
                               : kMaxFileBytes;
  if (ReadFile(TextAt(info, 0), max_bytes, &content) != ReadResult::kOk) {
    return;
  }
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), content.data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(content.size())));
}

// readSource(path) → text; throws when it cannot be read or is too large
void ReadSource(const Info& info) {
  if (ModuleLoader* loader = LoaderOf(info)) {
    Return(info, loader->source().Read(TextAt(info, 0)));
  }
}

// realPath(path) → path or undefined
void RealPathOf(const Info& info) {
  const auto path = RealPath(TextAt(info, 0));
  if (!path) return;
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), path->data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(path->size())));
}

// fileUrl(path) → url
void FileUrlOf(const Info& info) {
  const std::string url = FileUrl(TextAt(info, 0));
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), url.data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(url.size())));
}

// dataUrl(specifier) → url
void DataUrlOf(const Info& info) {
  const std::string url = DataUrl(TextAt(info, 0));
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), url.data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(url.size())));
}

// textOfData(body, is Base64) → text
void TextOfData(const Info& info) {
  const std::string bytes = BytesOfData(TextAt(info, 0), info[1]->IsTrue());
  std::string_view text = bytes;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), text.data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(text.size())));
}

// filePath(url, importer's path?) → path or undefined
void FilePathOf(const Info& info) {
  const auto path = ResolveFile(
      TextAt(info, 0), info[1]->IsString() ? TextAt(info, 1) : std::string());
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
  const std::string path = TextAt(info, 0);
  Format format;
  if (info[1]->IsString()
          ? loader->source().FormatOfStripped(context, path,
                                              info[1].As<v8::String>(), &format)
          : loader->source().FormatOf(context, path, &format)) {
    info.GetReturnValue().Set(static_cast<int>(format));
  }
}

// compileCommonJs(path, text) → function; undefined for a module's syntax
void CompileCommonJs(const Info& info) {
  if (ModuleLoader* loader = LoaderOf(info)) {
    Return(info, loader->source().CompileCommonJs(
                     info.GetIsolate()->GetCurrentContext(), TextAt(info, 0),
                     info[1].As<v8::String>()));
  }
}

// mainUrl() → url of the worker's own module, or undefined
void MainUrl(const Info& info) {
  ModuleLoader* loader = LoaderOf(info);
  if (loader == nullptr || loader->main_url().empty()) return;
  const std::string& url = loader->main_url();
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), url.data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(url.size())));
}

// sourceMapUrl(name of a script) → text, empty if it has none
void SourceMapUrlOf(const Info& info) {
  ModuleLoader* loader = LoaderOf(info);
  if (loader == nullptr) return;
  const std::string url = loader->source().SourceMapUrlOf(TextAt(info, 0));
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), url.data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(url.size())));
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
                   info.GetIsolate()->GetCurrentContext(), TextAt(info, 0),
                   static_cast<int>(texts.size()), texts.data()));
}

// The question that a tool was asked: its kind and two texts.
std::string QuestionOf(const Info& info) {
  return TextAt(info, 0) + '\n' + TextAt(info, 1) + '\n' + TextAt(info, 2);
}

// recall(kind, text, text) → text or undefined
void Recall(const Info& info) {
  const auto answer = ToolAnswers::Get().Recall(QuestionOf(info));
  if (!answer) return;
  Return(info, v8::String::NewFromUtf8(info.GetIsolate(), answer->data(),
                                       v8::NewStringType::kNormal,
                                       static_cast<int>(answer->size())));
}

// remember(kind, text, text, answer, touched): see ToolAnswers; paths
void Remember(const Info& info) {
  v8::Local<v8::Context> context = info.GetIsolate()->GetCurrentContext();
  auto list = info[4].As<v8::Array>();
  std::vector<std::string> touched;
  touched.reserve(list->Length());
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> path;
    if (!list->Get(context, i).ToLocal(&path)) return;
    v8::String::Utf8Value text(info.GetIsolate(), path);
    if (*text == nullptr) return;
    touched.emplace_back(*text, static_cast<size_t>(text.length()));
  }
  ToolAnswers::Get().Remember(QuestionOf(info), TextAt(info, 3), touched);
}

// isDebugged(): whether a debugger may attach.
void IsDebugged(const Info& info) {
  info.GetReturnValue().Set(DebugFlag::IsOpen());
}

constexpr NativeFunction kLoaderNatives[] = {
    {"stat", Stat},
    {"readText", ReadText},
    {"readSource", ReadSource},
    {"realPath", RealPathOf},
    {"fileUrl", FileUrlOf},
    {"dataUrl", DataUrlOf},
    {"textOfData", TextOfData},
    {"filePath", FilePathOf},
    {"formatOf", FormatOf},
    {"compileCommonJs", CompileCommonJs},
    {"mainUrl", MainUrl},
    {"sourceMapUrl", SourceMapUrlOf},
    {"storeCompiled", StoreCompiled},
    {"callTool", CallTool},
    {"recall", Recall},
    {"remember", Remember},
    {"isDebugged", IsDebugged},
};

}  // namespace

v8::MaybeLocal<v8::Object> MakeLoaderNatives(v8::Isolate* isolate,
                                             v8::Local<v8::Context> context) {
  return MakeFunctions(isolate, context, {},
                       {kLoaderNatives, ModuleStepFunctions()});
}

}  // namespace sloppy::workers

#include "isolate/modules/syntax_error.h"

#include <algorithm>
#include <string>

#include "isolate/embedded_code.h"

namespace sloppy::workers {
namespace {

std::string Utf8Of(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  v8::String::Utf8Value text(isolate, value);
  return *text == nullptr ? std::string() : std::string(*text);
}

// A minified line is of no help.
constexpr size_t kLongestLine = 240;

}  // namespace

void ShowPosition(v8::Isolate* isolate, v8::Local<v8::Context> context,
                  v8::TryCatch* caught) {
  if (caught->HasTerminated() || !caught->HasCaught()) return;
  v8::Local<v8::Value> thrown = caught->Exception();
  v8::Local<v8::Message> message = caught->Message();
  v8::Local<v8::Value> stack;
  const auto key = v8::String::NewFromUtf8Literal(isolate, "stack");
  if (!message.IsEmpty() && thrown->IsNativeError() &&
      thrown.As<v8::Object>()->Get(context, key).ToLocal(&stack)) {
    const std::string text = Utf8Of(isolate, stack);
    const std::string resource =
        Utf8Of(isolate, message->GetScriptResourceName());
    // Otherwise thrown by code that ran, shown already, or thrown by our
    // loader.
    if (text.find(resource + ":") == std::string::npos &&
        !resource.starts_with(kOwnScripts)) {
      std::string head =
          resource + ":" +
          std::to_string(message->GetLineNumber(context).FromMaybe(0));
      v8::Local<v8::String> line;
      if (message->GetSourceLine(context).ToLocal(&line) &&
          static_cast<size_t>(line->Length()) <= kLongestLine) {
        const int from = message->GetStartColumn(context).FromMaybe(0);
        const int to = message->GetEndColumn(context).FromMaybe(from + 1);
        head += "\n" + Utf8Of(isolate, line) + "\n" +
                std::string(static_cast<size_t>(from), ' ') +
                std::string(static_cast<size_t>(std::max(to - from, 1)), '^');
      }
      v8::Local<v8::String> shown;
      if (v8::String::NewFromUtf8(isolate, (head + "\n\n" + text).c_str())
              .ToLocal(&shown)) {
        // Fails only while execution is being terminated.
        (void)thrown.As<v8::Object>()->Set(context, key, shown);
      }
    }
  }
  caught->ReThrow();
}

}  // namespace sloppy::workers

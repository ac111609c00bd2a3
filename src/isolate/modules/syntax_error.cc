#include "isolate/modules/syntax_error.h"

#include <string>

#include "isolate/embedded_code.h"
#include "isolate/modules/v8_text.h"

namespace sloppy::workers {
namespace {

// A minified line is of no help.
constexpr size_t kLongestLine = 240;
// Beyond it nobody can see what is marked.
constexpr int kMostMarks = 1020;

}  // namespace

std::string ShownLine(v8::Isolate* isolate, v8::Local<v8::Context> context,
                      v8::Local<v8::Message> message, size_t longest) {
  const v8::ScriptOrigin origin = message->GetScriptOrigin();
  const int number = message->GetLineNumber(context).FromMaybe(0);
  std::string shown = ToUtf8(isolate, origin.ResourceName()) + ":" +
                      std::to_string(number) + "\n";
  v8::Local<v8::String> line;
  if (!message->GetSourceLine(context).ToLocal(&line) ||
      static_cast<size_t>(line->Length()) > longest) {
    return shown;
  }
  const std::string text = ToUtf8(isolate, line);
  shown += text + "\n";
  int from = message->GetStartColumn(context).FromMaybe(0);
  int to = message->GetEndColumn(context).FromMaybe(from + 1);
  // The columns of a script's first line begin at its offset.
  const int shift =
      number - origin.LineOffset() == 1 ? origin.ColumnOffset() : 0;
  if (from >= shift) {
    from -= shift;
    to -= shift;
  }
  if (from < 0 || from > to || static_cast<size_t>(to) > text.size() ||
      to > kMostMarks) {
    return shown;
  }
  for (int i = 0; i < from; ++i) {
    shown += text[static_cast<size_t>(i)] == '\t' ? '\t' : ' ';
  }
  return shown.append(static_cast<size_t>(to - from), '^') + "\n";
}

void ShowPosition(v8::Isolate* isolate, v8::Local<v8::Context> context,
                  v8::TryCatch* caught) {
  if (caught->HasTerminated() || !caught->HasCaught()) return;
  v8::Local<v8::Value> thrown = caught->Exception();
  v8::Local<v8::Message> message = caught->Message();
  v8::Local<v8::Value> stack;
  const auto key = v8::String::NewFromUtf8Literal(isolate, "stack");
  if (!message.IsEmpty() && thrown->IsNativeError() &&
      thrown.As<v8::Object>()->Get(context, key).ToLocal(&stack)) {
    const std::string text = ToUtf8(isolate, stack);
    const std::string resource =
        ToUtf8(isolate, message->GetScriptResourceName());
    // Otherwise thrown by code that ran, shown already, or thrown by our
    // loader.
    if (text.find(resource + ":") == std::string::npos &&
        !resource.starts_with(kOwnScripts)) {
      const std::string head =
          ShownLine(isolate, context, message, kLongestLine);
      v8::Local<v8::String> shown;
      if (v8::String::NewFromUtf8(isolate, (head + "\n" + text).c_str())
              .ToLocal(&shown)) {
        // Fails only while execution is being terminated.
        (void)thrown.As<v8::Object>()->Set(context, key, shown);
      }
    }
  }
  caught->ReThrow();
}

}  // namespace sloppy::workers

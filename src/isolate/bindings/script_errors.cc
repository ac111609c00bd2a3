#include "isolate/bindings/script_errors.h"

#include <string>

#include "isolate/modules/v8_text.h"

namespace sloppy::workers {
namespace {

// A minified text has lines that nobody can mark.
constexpr int kMostMarks = 1020;

std::string LineOf(v8::Isolate* isolate, v8::Local<v8::Context> context,
                   v8::Local<v8::Message> message) {
  v8::Local<v8::String> line;
  if (!message->GetSourceLine(context).ToLocal(&line)) return {};
  const v8::ScriptOrigin origin = message->GetScriptOrigin();
  const int number = message->GetLineNumber(context).FromMaybe(0);
  const std::string text = ToUtf8(isolate, line);
  std::string shown = ToUtf8(isolate, origin.ResourceName()) + ":" +
                      std::to_string(number) + "\n" + text + "\n";
  int from = message->GetStartColumn(context).FromMaybe(0);
  int to = message->GetEndColumn(context).FromMaybe(0);
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

}  // namespace

void ShowLine(v8::Isolate* isolate, const v8::TryCatch& caught) {
  if (!caught.HasCaught() || caught.HasTerminated()) return;
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Message> message = caught.Message();
  if (!caught.Exception()->IsObject() || message.IsEmpty()) return;
  auto error = caught.Exception().As<v8::Object>();
  const auto key = v8::String::NewFromUtf8Literal(isolate, "stack");
  const auto is_shown = v8::Private::ForApi(
      isolate,
      v8::String::NewFromUtf8Literal(isolate, "decorated_private_symbol"));
  v8::Local<v8::Value> stack;
  v8::Local<v8::String> shown;
  // Reading a stack may run code of the job's, and so may writing it.
  v8::TryCatch inner(isolate);
  if (!error->HasPrivate(context, is_shown).FromMaybe(true) &&
      error->Get(context, key).ToLocal(&stack) && stack->IsString()) {
    const std::string line = LineOf(isolate, context, message);
    if (ToV8(isolate, line + "\n" + ToUtf8(isolate, stack)).ToLocal(&shown) &&
        error->Set(context, key, shown).FromMaybe(false)) {
      (void)error->SetPrivate(context, is_shown, v8::True(isolate));
    }
  }
  if (inner.HasTerminated()) isolate->TerminateExecution();
}

}  // namespace sloppy::workers

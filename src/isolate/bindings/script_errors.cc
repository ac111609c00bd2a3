#include "isolate/bindings/script_errors.h"

#include <string>

#include "isolate/modules/syntax_error.h"
#include "isolate/modules/v8_text.h"

namespace sloppy::workers {
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
    const std::string line =
        ShownLine(isolate, context, message, std::string::npos);
    if (ToV8(isolate, line + "\n" + ToUtf8(isolate, stack)).ToLocal(&shown) &&
        error->Set(context, key, shown).FromMaybe(false)) {
      (void)error->SetPrivate(context, is_shown, v8::True(isolate));
    }
  }
  if (inner.HasTerminated()) isolate->TerminateExecution();
}

}  // namespace sloppy::workers

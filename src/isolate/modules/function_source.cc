#include "isolate/modules/function_source.h"

#include "isolate/payload_v8.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// The owner has already put the source into the form of an expression
// (lib/internal/function-source.js), in front of which stand
// `kPrefix.length()` characters that positions must not count.
v8::MaybeLocal<v8::Value> Evaluate(v8::Isolate* isolate,
                                   v8::Local<v8::Context> context,
                                   const Entry& entry) {
  v8::Local<v8::String> text;
  v8::Local<v8::String> name;
  if (!CopyText(isolate, entry.text).ToLocal(&text) ||
      !v8::String::NewFromUtf8(isolate, entry.name.data(),
                               v8::NewStringType::kNormal,
                               static_cast<int>(entry.name.size()))
           .ToLocal(&name)) {
    return {};
  }
  // One column for the parenthesis that makes an expression of it.
  v8::ScriptOrigin origin = MakeOrigin(isolate, name, 0, -1, false);
  v8::Local<v8::Script> script;
  if (!v8::Script::Compile(context, text, &origin).ToLocal(&script)) return {};
  return script->Run(context);
}

}  // namespace

v8::MaybeLocal<v8::Object> MakeEntry(v8::Isolate* isolate,
                                     v8::Local<v8::Context> context,
                                     const Entry& entry) {
  v8::EscapableHandleScope scope(isolate);
  v8::Local<v8::Value> call;
  if (entry.kind == Entry::Kind::kFunction) {
    if (!Evaluate(isolate, context, entry).ToLocal(&call)) return {};
  } else {
    v8::Local<v8::String> text;
    if (!CopyText(isolate, entry.text).ToLocal(&text)) return {};
    call = text;
  }
  v8::Local<v8::Name> names[] = {
      v8::String::NewFromUtf8Literal(isolate, "kind"),
      v8::String::NewFromUtf8Literal(isolate, "call")};
  v8::Local<v8::Value> values[] = {
      v8::Integer::New(isolate, static_cast<int>(entry.kind)), call};
  // A null prototype: user code may have changed Object.prototype.
  return scope.Escape(
      v8::Object::New(isolate, v8::Null(isolate), names, values, 2));
}

}  // namespace sloppy::workers

#include <string_view>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"

namespace sloppy::workers {
namespace {

// Texts of our own scripts are never shown.
bool IsOwn(v8::Isolate* isolate, v8::Local<v8::Value> script) {
  v8::String::Utf8Value name(isolate, script);
  if (*name == nullptr) return true;
  const std::string_view text(*name, static_cast<size_t>(name.length()));
  return text.empty() || text.starts_with("sloppy:src/");
}

// getErrorSourcePositions(error) → the line in which an error, or an object
// with the stack of one, was made, and the script's whole `source` with the
// `position` in it. The line is empty when no code of a user is known.
void GetErrorSourcePositions(const BindingInfo& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Object> place = v8::Object::New(isolate);
  info.GetReturnValue().Set(place);
  v8::Local<v8::Message> message =
      v8::Exception::CreateMessage(isolate, info[0]);
  v8::Local<v8::Value> name = message->GetScriptResourceName();
  v8::Local<v8::String> line;
  v8::Local<v8::String> source;
  if (IsOwn(isolate, name) || !message->GetSourceLine(context).ToLocal(&line) ||
      !message->GetSource(context).ToLocal(&source)) {
    SetMember(context, place, "sourceLine", v8::String::Empty(isolate));
    return;
  }
  const v8::ScriptOrigin origin = message->GetScriptOrigin();
  const int number = message->GetLineNumber(context).FromMaybe(0);
  const int column = message->GetStartColumn(context).FromMaybe(0);
  // V8's column is of the file, which has no parenthesis before a function.
  const int hidden =
      number == origin.LineOffset() + 1 ? origin.ColumnOffset() : 0;
  const auto set = [&](const char* key, v8::Local<v8::Value> value) {
    return SetMember(context, place, key, value);
  };
  const auto whole = [isolate](int value) {
    return v8::Integer::New(isolate, value);
  };
  static_cast<void>(set("sourceLine", line) && set("source", source) &&
                    set("scriptResourceName", name) &&
                    set("position", whole(message->GetStartPosition())) &&
                    set("lineNumber", whole(number)) &&
                    set("startColumn", whole(column - hidden)));
}

// noSideEffectsToString(value) → its text, for which no code of it runs.
void NoSideEffectsToString(const BindingInfo& info) {
  v8::Local<v8::String> text;
  if (info[0]
          ->ToDetailString(info.GetIsolate()->GetCurrentContext())
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

constexpr NativeFunction kErrorsNatives[] = {
    {"noSideEffectsToString", NoSideEffectsToString},
    {"getErrorSourcePositions", GetErrorSourcePositions},
};

}  // namespace

Binding ErrorsBinding() { return {"errors", kErrorsNatives}; }

}  // namespace sloppy::workers

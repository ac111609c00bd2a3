// Scripts and functions of node:vm. An isolate has one context, in which they
// all run.
#include <optional>
#include <vector>

#include "isolate/bindings/arguments.h"
#include "isolate/bindings/bindings.h"
#include "isolate/modules/vm_origin.h"

namespace sloppy::workers {
namespace {

// (text, name, line, column, may import)
std::optional<v8::ScriptOrigin> ReadOrigin(const BindingInfo& info) {
  v8::Isolate* isolate = info.GetIsolate();
  if (!info[0]->IsString() || !info[1]->IsString() || !info[2]->IsInt32() ||
      !info[3]->IsInt32()) {
    ThrowArgument(isolate, "a script needs its text, name, line and column");
    return {};
  }
  return VmOrigin(isolate, info[1], info[2].As<v8::Int32>()->Value(),
                  info[3].As<v8::Int32>()->Value(), info[4]->IsTrue());
}

v8::MaybeLocal<v8::Script> Compiled(const BindingInfo& info) {
  const auto origin = ReadOrigin(info);
  if (!origin) return {};
  v8::ScriptCompiler::Source source(info[0].As<v8::String>(), *origin);
  return v8::ScriptCompiler::Compile(info.GetIsolate()->GetCurrentContext(),
                                     &source);
}

// compileScript(…) throws what V8 says of the text.
void CompileScript(const BindingInfo& info) { (void)Compiled(info); }

// runScript(…) → its completion value. V8 still has the code of one that was
// compiled before.
void RunScript(const BindingInfo& info) {
  v8::Local<v8::Script> script;
  v8::Local<v8::Value> value;
  if (Compiled(info).ToLocal(&script) &&
      script->Run(info.GetIsolate()->GetCurrentContext()).ToLocal(&value)) {
    info.GetReturnValue().Set(value);
  }
}

// The members of an array of `Kind`s; false if one is none, or V8 gave up.
template <typename Kind>
bool ReadList(v8::Local<v8::Context> context, v8::Local<v8::Value> value,
              bool (*fits)(v8::Local<v8::Value>),
              std::vector<v8::Local<Kind>>* list) {
  if (!value->IsArray()) return false;
  auto array = value.As<v8::Array>();
  for (uint32_t i = 0; i < array->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!array->Get(context, i).ToLocal(&item) || !fits(item)) return false;
    list->push_back(item.As<Kind>());
  }
  return true;
}

// compileFunction(…, names of parameters, objects whose members are in scope)
void CompileFunction(const BindingInfo& info) {
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const auto origin = ReadOrigin(info);
  std::vector<v8::Local<v8::String>> names;
  std::vector<v8::Local<v8::Object>> scopes;
  if (!origin) return;
  if (!ReadList<v8::String>(
          context, info[5], [](auto item) { return item->IsString(); },
          &names) ||
      !ReadList<v8::Object>(
          context, info[6], [](auto item) { return item->IsObject(); },
          &scopes)) {
    return ThrowArgument(isolate, "a function needs names and scopes");
  }
  v8::ScriptCompiler::Source source(info[0].As<v8::String>(), *origin);
  v8::TryCatch caught(isolate);
  v8::Local<v8::Function> function;
  if (v8::ScriptCompiler::CompileFunction(context, &source, names.size(),
                                          names.data(), scopes.size(),
                                          scopes.data())
          .ToLocal(&function)) {
    info.GetReturnValue().Set(function);
  } else if (!caught.HasCaught()) {
    // V8 says nothing of a name that is none, at which Node itself ends.
    isolate->ThrowException(v8::Exception::SyntaxError(
        v8::String::NewFromUtf8Literal(isolate, "Invalid parameter name")));
  }
  caught.ReThrow();
}

constexpr NativeFunction kScriptNatives[] = {
    {"compileFunction", CompileFunction},
    {"compileScript", CompileScript},
    {"runScript", RunScript}};

}  // namespace

Binding ScriptBinding() { return {"contextify", kScriptNatives}; }

}  // namespace sloppy::workers

#include "worker/debugged_console.h"

#include <array>
#include <vector>

namespace sloppy::workers {
namespace {

// Whether one of these functions prints: those that it calls are told no more,
// because console.trace, .count and others print by console.log and .error.
thread_local bool t_printing = false;

class Printing {
 public:
  Printing() : is_nested_(t_printing) { t_printing = true; }
  ~Printing() { t_printing = is_nested_; }
  Printing(const Printing&) = delete;
  Printing& operator=(const Printing&) = delete;

  bool is_nested() const { return is_nested_; }

 private:
  const bool is_nested_;
};

// A function of a shared console. Its data are V8's function and ours.
void Call(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Object> both = info.Data().As<v8::Object>();
  v8::Local<v8::Value> told;
  v8::Local<v8::Value> printed;
  if (!both->Get(context, 0).ToLocal(&told) ||
      !both->Get(context, 1).ToLocal(&printed)) {
    return;
  }
  std::vector<v8::Local<v8::Value>> arguments;
  for (int i = 0; i < info.Length(); ++i) arguments.push_back(info[i]);
  const auto call = [&](v8::Local<v8::Value> function) {
    return function.As<v8::Function>()->Call(context, info.This(),
                                             info.Length(), arguments.data());
  };
  const Printing printing;
  if (!printing.is_nested()) {
    v8::TryCatch quiet(isolate);
    (void)call(told);
    if (quiet.HasTerminated()) {
      quiet.ReThrow();
      return;
    }
  }
  v8::Local<v8::Value> result;
  if (call(printed).ToLocal(&result)) info.GetReturnValue().Set(result);
}

}  // namespace

void DebuggedConsole::Begin(v8::Local<v8::Context> context) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::Local<v8::Value> console;
  if (context->Global()
          ->Get(context, v8::String::NewFromUtf8Literal(isolate, "console"))
          .ToLocal(&console) &&
      console->IsObject()) {
    console_.Reset(isolate, console.As<v8::Object>());
  }
}

void DebuggedConsole::Share(v8::Local<v8::Context> context,
                            v8::Local<v8::Object> own) {
  if (console_.IsEmpty()) return;
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  const v8::Local<v8::Object> console = console_.Get(isolate);
  v8::Local<v8::Array> names;
  if (!own->GetOwnPropertyNames(context).ToLocal(&names)) return;
  for (uint32_t i = 0; i < names->Length(); ++i) {
    v8::Local<v8::Value> name;
    std::array<v8::Local<v8::Value>, 2> both;
    if (!names->Get(context, i).ToLocal(&name) || !name->IsString() ||
        !console->Get(context, name).ToLocal(&both[0]) ||
        !own->Get(context, name).ToLocal(&both[1])) {
      return;
    }
    if (!both[0]->IsFunction() || !both[1]->IsFunction()) continue;
    v8::Local<v8::Function> shared;
    if (!v8::Function::New(context, Call,
                           v8::Array::New(isolate, both.data(), both.size()), 0,
                           v8::ConstructorBehavior::kThrow)
             .ToLocal(&shared)) {
      return;
    }
    shared->SetName(name.As<v8::String>());
    own->CreateDataProperty(context, name.As<v8::String>(), shared)
        .FromMaybe(false);
  }
}

}  // namespace sloppy::workers

#include "binding/env_calls.h"

#include <cstdlib>
#include <memory>

#include "base/clock.h"
#include "binding/arguments.h"
#include "binding/function_place.h"
#include "isolate/v8_compat.h"

namespace sloppy::workers {
namespace {

// clock() → MonotonicNow() in milliseconds
Napi::Value Clock(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(),
                           static_cast<double>(MonotonicNow()) / 1e6);
}

// defineEntry(kind, text, name, sees, reach) → id
Napi::Value DefineEntry(const Napi::CallbackInfo& info) {
  auto entry = std::make_shared<Entry>();
  entry->kind = static_cast<Entry::Kind>(NumberAt(info, 0));
  entry->sees = static_cast<Entry::Sees>(NumberAt(info, 3));
  entry->reach = static_cast<Entry::Reach>(NumberAt(info, 4));
  entry->name = info[2].As<Napi::String>().Utf8Value();
  if (!ReadText(v8::Isolate::GetCurrent(), ToV8(info[1]).As<v8::String>(),
                &entry->text)) {
    return Napi::Number::New(info.Env(), 0);
  }
  return Napi::Number::New(info.Env(),
                           StateOf(info)->core().entries.Define(entry));
}

// literalOf(fn) → a number of the place in a script where the function is
// written, the same for all functions of that place and for no other, from 1
// on; 0 if it has none, or there are too many.
void LiteralOf(const FastInfo& info) {
  EnvState* state = StateOf(info);
  if (!info[0]->IsFunction()) {
    info.GetReturnValue().Set(0);
    return;
  }
  const auto function = info[0].As<v8::Function>();
  info.GetReturnValue().Set(
      state->literals().IdOf(function->ScriptId(), PositionOf(function)));
}

// dropEntry(id): REQUIRES no job that names it is under way.
void DropEntry(const Napi::CallbackInfo& info) {
  StateOf(info)->core().entries.Drop(static_cast<uint32_t>(NumberAt(info, 0)));
}

// defineShape(text) → id or -1
Napi::Value DefineShape(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(),
                           StateOf(info)->core().shapes.Define(
                               info[0].As<Napi::String>().Utf16Value()));
}

// shapeText(id) → text
Napi::Value ShapeText(const Napi::CallbackInfo& info) {
  return Napi::String::New(info.Env(),
                           StateOf(info)->core().shapes.Lookup(
                               static_cast<int32_t>(NumberAt(info, 0))));
}

// listen(callback, spinMs) → whether the loop could be had.
Napi::Value Listen(const Napi::CallbackInfo& info) {
  EnvState* state = StateOf(info);
  return Napi::Boolean::New(
      info.Env(), state->loop().Open(info.Env(), info[0], &state->inbox(),
                                     &state->core().watchdog,
                                     Nanoseconds(NumberAt(info, 1))));
}

// activate(): kActive of OwnerLoop's words was changed outside a delivery.
void Activate(const Napi::CallbackInfo& info) {
  StateOf(info)->loop().Activate();
}

// shutdown() → whether a thread is left that could not be stopped.
Napi::Value Shutdown(const Napi::CallbackInfo& info) {
  StateOf(info)->Shutdown();
  return Napi::Boolean::New(info.Env(), StateOf(info)->any_left());
}

// exitWith(code): the exit code of the process, which is not torn down, if a
// thread that could not be stopped is left when its main environment ends.
void ExitWith(const Napi::CallbackInfo& info) {
  StateOf(info)->set_exit_code(static_cast<int>(NumberAt(info, 0)));
}

// adoptProcess(pid): a child that ends with this environment.
void AdoptProcess(const Napi::CallbackInfo& info) {
  StateOf(info)->processes().Adopt(static_cast<int>(NumberAt(info, 0)));
}

// releaseProcess(pid): it has ended, and Node knows.
void ReleaseProcess(const Napi::CallbackInfo& info) {
  StateOf(info)->processes().Release(static_cast<int>(NumberAt(info, 0)));
}

// exitNow(code): ends the process without tearing it down.
void ExitNow(const Napi::CallbackInfo& info) {
  std::_Exit(static_cast<int>(NumberAt(info, 0)));
}

}  // namespace

void ExportEnvCalls(Napi::Env env, Napi::Object exports, EnvState* state) {
  const auto add = [&](const char* name, auto callback) {
    exports[name] = Napi::Function::New(env, callback, name, state);
  };
  add("clock", Clock);
  add("defineEntry", DefineEntry);
  ExportFast(env, exports, "literalOf", LiteralOf, state);
  add("placeOf", PlaceOf);
  add("dropEntry", DropEntry);
  add("defineShape", DefineShape);
  add("shapeText", ShapeText);
  add("listen", Listen);
  add("activate", Activate);
  add("adoptProcess", AdoptProcess);
  add("releaseProcess", ReleaseProcess);
  add("exitNow", ExitNow);
  add("exitWith", ExitWith);
  add("shutdown", Shutdown);
}

}  // namespace sloppy::workers

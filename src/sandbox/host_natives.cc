// The natives of the realm's own JavaScript (src/runtime) in a sandbox: the
// names of worker/natives.cc and worker/rare_natives.cc, where the meaning of
// each is told. User code cannot get hold of them.
#include <iterator>
#include <string>
#include <string_view>

#include "base/diagnostics_gen.h"
#include "isolate/builtin_script.h"
#include "isolate/modules/function_source.h"
#include "isolate/native_functions.h"
#include "isolate/wasm_natives.h"
#include "sandbox/host.h"

namespace sloppy::workers::sandbox {
namespace {

using Info = v8::FunctionCallbackInfo<v8::Value>;

Host* HostOf(const Info& info) { return Host::Of(info.GetIsolate()); }

v8::Local<v8::Context> ContextOf(const Info& info) {
  return info.GetIsolate()->GetCurrentContext();
}

uint32_t WholeAt(const Info& info, int index) {
  return static_cast<uint32_t>(NumberAt(info, index));
}

void GiveNext(const Info& info) {
  v8::Local<v8::Value> text = v8::Null(info.GetIsolate());
  if (HostOf(info)->PresentNext(&text)) info.GetReturnValue().Set(text);
}

void Next(const Info& info) { GiveNext(info); }

void Finish(const Info& info) {
  if (info[0]->IsTrue()) HostOf(info)->RunWholeCheckpoint();
  HostOf(info)->FinishJob();
  GiveNext(info);
}

void Done(const Info& info) {
  HostOf(info)->Done(NumberAt(info, 0), WholeAt(info, 1), WholeAt(info, 2),
                     PartsAt(info, 3));
}

void Message(const Info& info) {
  const Sent sent = HostOf(info)->Message(NumberAt(info, 0), WholeAt(info, 1),
                                          PartsAt(info, 2));
  info.GetReturnValue().Set(static_cast<uint32_t>(sent));
}

void Checkpoint(const Info& info) {
  if (info[0]->IsTrue()) {
    HostOf(info)->RunWholeCheckpoint();
  } else {
    HostOf(info)->RunCheckpoint();
  }
}

void AfterCheckpoint(const Info& info) {
  const v8::Local<v8::Value> value = info[0];
  if (!value->IsPromise()) {
    HostOf(info)->RunWholeCheckpoint();
    info.GetReturnValue().Set(value);
    return;
  }
  const auto promise = value.As<v8::Promise>();
  if (promise->State() != v8::Promise::kRejected) {
    // The caller that asked handles it.
    promise->MarkAsHandled();
    HostOf(info)->RunCheckpoint();
    if (promise->State() != v8::Promise::kPending) HostOf(info)->RunHeld();
  }
  const bool fulfilled = promise->State() == v8::Promise::kFulfilled;
  info.GetReturnValue().Set(fulfilled ? promise->Result() : info[1]);
}

void IsPromise(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsPromise());
}

void IsError(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsNativeError());
}

void IsGenerator(const Info& info) {
  info.GetReturnValue().Set(info[0]->IsGeneratorObject());
}

void CompileEntry(const Info& info) {
  const auto entry = HostOf(info)->EntryOf(WholeAt(info, 0));
  v8::Local<v8::Object> result;
  if (entry != nullptr &&
      (entry->reach != Entry::Reach::kGlobals || info[1]->IsTrue()) &&
      MakeEntry(info.GetIsolate(), ContextOf(info), *entry, {})
          .ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

void CompileFunction(const Info& info) {
  v8::ScriptCompiler::Source source(info[1].As<v8::String>());
  v8::Local<v8::String> parameter = info[0].As<v8::String>();
  v8::Local<v8::Function> function;
  if (v8::ScriptCompiler::CompileFunction(ContextOf(info), &source, 1,
                                          &parameter)
          .ToLocal(&function)) {
    info.GetReturnValue().Set(function);
  }
}

void Now(const Info& info) { info.GetReturnValue().Set(Realm::NowMs()); }

void RealmEnded(const Info& info) { HostOf(info)->StopSelf(); }

// Shapes are known to one process only, so that none is defined here.
void DefineShape(const Info& info) { info.GetReturnValue().Set(-1); }
void ShapeText(const Info&) {}

void ImportModule(const Info& info) {
  v8::Local<v8::Value> result;
  if (HostOf(info)
          ->modules()
          ->ImportEntry(ContextOf(info), info[0].As<v8::String>(),
                        info[1]->IsTrue())
          .ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

void CancelledBy(const Info& info) {
  info.GetReturnValue().Set(
      static_cast<uint32_t>(HostOf(info)->CancelledBy(NumberAt(info, 0))));
}

void SetTimer(const Info& info) {
  HostOf(info)->timers().Start(NumberAt(info, 0), Realm::NowMs(),
                               NumberAt(info, 1));
}

void ClearTimer(const Info& info) {
  HostOf(info)->timers().Stop(NumberAt(info, 0));
}

void IsTurnDue(const Info& info) {
  const Timers& timers = HostOf(info)->timers();
  info.GetReturnValue().Set(timers.alive() &&
                            timers.NextIn(Realm::NowMs()) == 0);
}

void RefTimer(const Info& info) {
  HostOf(info)->timers().SetRef(NumberAt(info, 0), info[1]->IsTrue());
}

void Hold(const Info& info) {
  HostOf(info)->Hold(static_cast<int>(NumberAt(info, 0)));
}

void HearAgain(const Info& info) { HostOf(info)->HearAgain(info[0]->IsTrue()); }

void Listening(const Info& info) {
  HostOf(info)->SetListening(info[1]->IsTrue());
}

void StopSelf(const Info& info) { HostOf(info)->StopSelf(); }

void Write(const Info& info) {
  v8::String::Utf8Value text(info.GetIsolate(), info[1]);
  if (*text == nullptr) return;
  HostOf(info)->Write({*text, static_cast<size_t>(text.length())});
}

// Debuggers do not exist here.
void ShareConsole(const Info&) {}

void InitBegins(const Info& info) {
  HostOf(info)->BeginInit();
  info.GetReturnValue().Set(true);
}

void InitEnds(const Info& info) { HostOf(info)->EndInit(); }

void InitFailure(const Info& info) {
  info.GetReturnValue().Set(static_cast<uint32_t>(wire::Detail::kNone));
}

void WantsInit(const Info& info) { info.GetReturnValue().Set(true); }

void PresentInitData(const Info& info) {
  info.GetReturnValue().Set(HostOf(info)->PresentInitData());
}

void PresentReason(const Info& info) {
  info.GetReturnValue().Set(HostOf(info)->PresentReason(NumberAt(info, 0)));
}

void Failing(const Info& info) { HostOf(info)->SetFailing(info[0]->IsTrue()); }

void Spoil(const Info& info) { HostOf(info)->Spoil(); }

void EndBegins(const Info&) {}

void SharesOf(const Info& info) {
  info.GetReturnValue().Set(HostOf(info)->SharesOf(NumberAt(info, 0)));
}

void PresentShared(const Info& info) {
  const bool there =
      HostOf(info)->PresentShared(WholeAt(info, 0), info[1]->IsTrue());
  info.GetReturnValue().Set(static_cast<uint32_t>(
      there ? wire::SharedAnswer::kThere : wire::SharedAnswer::kGone));
}

void HasShared(const Info& info) {
  info.GetReturnValue().Set(HostOf(info)->HasShared(WholeAt(info, 0)));
}

// The owner tells of each by itself.
void SharesGone(const Info&) {}

void OwnerListens(const Info& info) {
  info.GetReturnValue().Set(HostOf(info)->OwnerListens());
}

void Grown(const Info& info) {
  if (!info[0]->IsObject()) return;
  MemoryLimit& memory = HostOf(info)->memory();
  if (!info[1]->IsTrue()) {
    memory.growable().Add(info.GetIsolate(), info[0].As<v8::Object>(), info[2]);
  }
  info.GetReturnValue().Set(memory.CheckGrowable());
}

void MemoryRefused(const Info& info) { HostOf(info)->memory().End(); }

void HidesMemory(const Info& info) {
  if (!info[0]->IsObject()) return;
  HostOf(info)->memory().growable().SetHidden(
      info.GetIsolate(), info[0].As<v8::Object>(), info[1]);
}

void Code(const Info& info) {
  const std::string_view code =
      DiagnosticCode(static_cast<Diagnostic>(NumberAt(info, 0)));
  v8::Local<v8::String> text;
  if (v8::String::NewFromUtf8(info.GetIsolate(), code.data(),
                              v8::NewStringType::kNormal,
                              static_cast<int>(code.size()))
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

void ProcessFacts(const Info& info) {
  GiveText(info, HostOf(info)->process_facts());
}

void SystemNumbers(const Info& info) {
  GiveText(info, HostOf(info)->system_numbers());
}

// Nobody loads built-ins ahead.
void Used(const Info&) {}

void ThreadId(const Info& info) { info.GetReturnValue().Set(1); }

// The id of the process as the job may know it: the first in its namespace.
void Identity(const Info& info) {
  const Host* host = HostOf(info);
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Value> all[] = {
      v8::Integer::NewFromUnsigned(isolate, host->worker_number()),
      v8::Integer::NewFromUnsigned(isolate, host->worker_place()),
      v8::Integer::New(isolate, 0), v8::Integer::New(isolate, 1)};
  info.GetReturnValue().Set(v8::Array::New(isolate, all, std::size(all)));
}

void OwnerHears(const Info& info) {
  info.GetReturnValue().Set(HostOf(info)->OwnerHears());
}

constexpr NativeFunction kRareFunctions[] = {
    {"isGenerator", IsGenerator},
    {"importModule", ImportModule},
    {"cancelledBy", CancelledBy},
    {"setTimer", SetTimer},
    {"clearTimer", ClearTimer},
    {"isTurnDue", IsTurnDue},
    {"refTimer", RefTimer},
    {"hold", Hold},
    {"listening", Listening},
    {"hearAgain", HearAgain},
    {"stopSelf", StopSelf},
    {"write", Write},
    {"shareConsole", ShareConsole},
    {"initBegins", InitBegins},
    {"initEnds", InitEnds},
    {"initFailure", InitFailure},
    {"wantsInit", WantsInit},
    {"presentInitData", PresentInitData},
    {"presentReason", PresentReason},
    {"failing", Failing},
    {"spoil", Spoil},
    {"endBegins", EndBegins},
    {"sharesOf", SharesOf},
    {"presentShared", PresentShared},
    {"hasShared", HasShared},
    {"sharesGone", SharesGone},
    {"ownerListens", OwnerListens},
    {"ownerHears", OwnerHears},
    {"identity", Identity},
    {"grown", Grown},
    {"memoryRefused", MemoryRefused},
    {"hidesMemory", HidesMemory},
    {"code", Code},
    {"processFacts", ProcessFacts},
    {"systemNumbers", SystemNumbers},
    {"used", Used},
    {"threadId", ThreadId},
    {"runBundle", RunBundle},
    {"hostNatives", HostNativesOf},
    {"loaderNatives", LoaderNativesOf},
};

constexpr NativeFunction kMoreFunctions[] = {
    {"message", Message},
    {"isError", IsError},
    {"compileFunction", CompileFunction},
    {"defineShape", DefineShape},
    {"shapeText", ShapeText},
};

void Rare(const Info& info) {
  v8::Local<v8::Object> natives;
  if (MakeFunctions(info.GetIsolate(), ContextOf(info), info.Data(),
                    {kRareFunctions, WasmNatives()})
          .ToLocal(&natives)) {
    info.GetReturnValue().Set(natives);
  }
}
void More(const Info& info) { GiveFunctions(info, kMoreFunctions); }

constexpr NativeFunction kFunctions[] = {
    {"rare", Rare},
    {"more", More},
    {"next", Next},
    {"finish", Finish},
    {"done", Done},
    {"checkpoint", Checkpoint},
    {"afterCheckpoint", AfterCheckpoint},
    {"isPromise", IsPromise},
    {"compileEntry", CompileEntry},
    {"now", Now},
    {"realmEnded", RealmEnded},
    {"defineLazy", DefineLazy},
};

}  // namespace

v8::MaybeLocal<v8::Object> Host::MakeNatives(v8::Local<v8::Context> context) {
  v8::EscapableHandleScope scope(isolate_);
  v8::Local<v8::Object> natives;
  v8::Local<v8::String> json;
  v8::Local<v8::Value> options;
  if (!MakeFunctions(isolate_, context, {}, {kFunctions}).ToLocal(&natives) ||
      !v8::String::NewFromTwoByte(
           isolate_, reinterpret_cast<const uint16_t*>(realm_options_.data()),
           v8::NewStringType::kNormal, static_cast<int>(realm_options_.size()))
           .ToLocal(&json) ||
      !v8::JSON::Parse(context, json).ToLocal(&options) ||
      !natives
           ->Set(context,
                 v8::String::NewFromUtf8Literal(
                     isolate_, "options", v8::NewStringType::kInternalized),
                 options)
           .FromMaybe(false)) {
    return {};
  }
  return scope.Escape(natives);
}

}  // namespace sloppy::workers::sandbox

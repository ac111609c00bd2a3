#include "worker/realm.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/clock.h"
#include "isolate/builtin_script.h"
#include "worker/natives.h"

namespace sloppy::workers {
namespace {

v8::Local<v8::String> Name(v8::Isolate* isolate, const char* text) {
  return v8::String::NewFromUtf8(isolate, text,
                                 v8::NewStringType::kInternalized)
      .ToLocalChecked();  // Short literals of our own.
}

bool Hook(v8::Isolate* isolate, v8::Local<v8::Context> context,
          v8::Local<v8::Object> hooks, const char* name,
          v8::Global<v8::Function>* to) {
  v8::Local<v8::Value> value;
  if (!hooks->Get(context, Name(isolate, name)).ToLocal(&value) ||
      !value->IsFunction()) {
    return false;
  }
  to->Reset(isolate, value.As<v8::Function>());
  return true;
}

}  // namespace

double Realm::NowMs() { return static_cast<double>(MonotonicNow()) / 1e6; }

std::unique_ptr<Realm> Realm::Create(SharedTexts* texts, int32_t id) {
  v8::Isolate* isolate = texts->isolate();
  v8::HandleScope scope(isolate);
  std::unique_ptr<Realm> realm(new Realm(texts, id));
  v8::Local<v8::Context> context = v8::Context::New(isolate);
  if (context.IsEmpty()) return nullptr;
  // Nothing that runs before the runtime may do that, see Start().
  context->AllowCodeGenerationFromStrings(false);
  realm->context_.Reset(isolate, context);
  return realm;
}

bool Realm::Start(const PoolConfig& config, BootstrapCode* code,
                  const std::shared_ptr<v8::BackingStore>& scratch_memory,
                  bool with_globals) {
  return Start(
      [this, &config](v8::Local<v8::Context> context) {
        return MakeNatives(isolate_, context, id_, config);
      },
      config.allow_eval, code, scratch_memory, with_globals);
}

bool Realm::Start(const NativesMaker& make_natives, bool allow_eval,
                  BootstrapCode* code,
                  const std::shared_ptr<v8::BackingStore>& scratch_memory,
                  bool with_globals) {
  if (scratch_memory == nullptr || has_runtime()) return false;
  v8::HandleScope scope(isolate_);
  v8::TryCatch trouble(isolate_);
  v8::Local<v8::Context> context = this->context();
  v8::Local<v8::Object> natives;
  if (!make_natives(context).ToLocal(&natives)) return false;
  auto header = v8::ArrayBuffer::New(isolate_, kHeaderSlots * sizeof(double));
  auto scratch = v8::ArrayBuffer::New(isolate_, scratch_memory);
  header_ = static_cast<double*>(header->Data());
  scratch_ = static_cast<double*>(scratch->Data());
  header_[wire::Header::kParts] = with_globals ? kGlobals : 0;
  v8::Local<v8::Value> empty[] = {v8::Undefined(isolate_),
                                  v8::Undefined(isolate_)};
  auto box = v8::Array::New(isolate_, empty, 2);
  box_.Reset(isolate_, box);
  const auto set = [&](const char* name, v8::Local<v8::Value> value) {
    return natives->Set(context, Name(isolate_, name), value).FromMaybe(false);
  };
  v8::Local<v8::Value> hooks;
  if (!set("H", v8::Float64Array::New(header, 0, kHeaderSlots)) ||
      !set("scratch", v8::Float64Array::New(scratch, 0, kScratchSlots)) ||
      !set("box", box) ||
      !RunBootstrap(isolate_, context, natives, code).ToLocal(&hooks) ||
      !hooks->IsObject()) {
    return false;
  }
  auto object = hooks.As<v8::Object>();
  // This comes after the runtime's own code, which compiles its helpers.
  // Without globals V8 asks (OnCodeFromString).
  context->AllowCodeGenerationFromStrings(allow_eval && has_globals());
  return Hook(isolate_, context, object, "onTimer", &on_timer_) &&
         Hook(isolate_, context, object, "onTicks", &on_ticks_) &&
         Hook(isolate_, context, object, "onCancel", &on_cancel_) &&
         Hook(isolate_, context, object, "onOver", &on_over_) &&
         Hook(isolate_, context, object, "onMail", &on_mail_) &&
         Hook(isolate_, context, object, "onIdle", &on_idle_) &&
         Hook(isolate_, context, object, "onLoadAhead", &on_load_ahead_) &&
         Hook(isolate_, context, object, "onCodeFromString",
              &on_code_from_string_) &&
         Hook(isolate_, context, object, "onEnd", &on_end_) &&
         Hook(isolate_, context, object, "onRejection", &on_rejection_) &&
         Hook(isolate_, context, object, "onOutcome", &on_outcome_) &&
         Hook(isolate_, context, object, "serve", &serve_);
}

bool Realm::Call(const v8::Global<v8::Function>& hook) {
  return CallWith(hook, 0, nullptr);
}

bool Realm::Call(const v8::Global<v8::Function>& hook, double argument) {
  v8::HandleScope scope(isolate_);
  v8::Local<v8::Value> argv[] = {v8::Number::New(isolate_, argument)};
  return CallWith(hook, 1, argv);
}

bool Realm::CallWith(const v8::Global<v8::Function>& hook, int argc,
                     v8::Local<v8::Value>* argv) {
  if (hook.IsEmpty()) return true;
  v8::HandleScope scope(isolate_);
  v8::Local<v8::Context> context = this->context();
  v8::Context::Scope entered(context);
  v8::TryCatch caught(isolate_);
  const bool returned =
      !hook.Get(isolate_)
           ->Call(context, v8::Undefined(isolate_), argc, argv)
           .IsEmpty();
  // The hooks catch what user code throws; anything else is a stack that
  // ended inside them, which is the job's doing as well.
  return returned;
}

void Realm::OnCodeFromString() {
  Call(on_code_from_string_);
  v8::HandleScope scope(isolate_);
  context()->AllowCodeGenerationFromStrings(true);
}

bool Realm::PresentJob(Job* job, double seq, double deadline_ms,
                       v8::Local<v8::Value>* text) {
  served_ |= kTookJob;
  header_[wire::Header::kEntry] = job->entry;
  header_[wire::Header::kSeq] = seq;
  header_[wire::Header::kDeadline] = deadline_ms;
  header_[wire::Header::kMode] =
      job->mode & ~(Job::kTimed | Job::kMetered | Job::kAnnounced);
  if (job->payload.kind >= PayloadKind::kString && job->payload.is_short()) {
    return PresentShort(&job->payload, text);
  }
  return PresentPayload(&job->payload);
}

bool Realm::PresentShort(Payload* payload, v8::Local<v8::Value>* text) {
  header_[wire::Header::kKind] = static_cast<double>(payload->kind);
  if (const uint32_t count = payload->slots.count(); count != 0) {
    std::memcpy(scratch_, payload->slots.data(), count * sizeof(double));
  }
  if (!payload->text.empty()) {
    v8::Local<v8::String> string;
    if (!CopyText(isolate_, payload->text).ToLocal(&string)) return false;
    *text = string;
  }
  if (!box_filled_[0] && !box_filled_[1]) return true;
  v8::HandleScope scope(isolate_);
  v8::Local<v8::Context> context = this->context();
  const v8::Local<v8::Value> none = v8::Undefined(isolate_);
  return PutInBox(context, 0, none) && PutInBox(context, 1, none);
}

uint32_t Realm::parts() const {
  return header_ == nullptr
             ? 0
             : static_cast<uint32_t>(header_[wire::Header::kParts]) | served_;
}

Realm::SmallResult Realm::ReadResult() const {
  const double* at = header_ + wire::Header::kResult;
  return {static_cast<PayloadKind>(at[0]), at[1], static_cast<uint32_t>(at[2]),
          header_ + wire::Header::kBody};
}

bool Realm::OnOutcome(double seq, v8::Local<v8::Value> outcome,
                      wire::CallResult how) {
  served_ |= kEndedJob;
  v8::HandleScope scope(isolate_);
  v8::Local<v8::Value> argv[] = {
      v8::Number::New(isolate_, seq), outcome,
      v8::Integer::New(isolate_, static_cast<int>(how))};
  return CallWith(on_outcome_, 3, argv);
}

v8::MaybeLocal<v8::Function> Realm::CompiledOf(uint32_t entry) const {
  if (entry != compiled_entry_ || compiled_.IsEmpty()) return {};
  return compiled_.Get(isolate_);
}

void Realm::KeepCompiled(uint32_t entry, v8::Local<v8::Function> function) {
  compiled_entry_ = entry;
  compiled_.Reset(isolate_, function);
}

bool Realm::OnMail(uint32_t channel, double seq) {
  v8::HandleScope scope(isolate_);
  v8::Local<v8::Value> argv[] = {
      v8::Number::New(isolate_, seq),
      v8::Integer::NewFromUnsigned(isolate_, channel)};
  return CallWith(on_mail_, 2, argv);
}

bool Realm::OnLoadAhead(const std::string& builtin) {
  v8::HandleScope scope(isolate_);
  v8::Local<v8::String> name;
  if (!v8::String::NewFromUtf8(isolate_, builtin.data(),
                               v8::NewStringType::kNormal,
                               static_cast<int>(builtin.size()))
           .ToLocal(&name)) {
    return true;
  }
  v8::Local<v8::Value> argv[] = {name};
  return CallWith(on_load_ahead_, 1, argv);
}

bool Realm::OnRejection(v8::Local<v8::Promise> promise,
                        v8::Local<v8::Value> value, wire::Rejection what) {
  v8::HandleScope scope(isolate_);
  v8::Local<v8::Value> argv[] = {
      promise, value, v8::Integer::New(isolate_, static_cast<int>(what))};
  return CallWith(on_rejection_, 3, argv);
}

bool Realm::PresentPayload(Payload* payload) {
  header_[wire::Header::kKind] = static_cast<double>(payload->kind);
  header_[wire::Header::kNumber] = payload->number;
  if (payload->kind < PayloadKind::kString) return true;
  v8::HandleScope scope(isolate_);
  v8::Local<v8::Context> context = this->context();
  DecodedParts parts;
  if (!GiveParts(texts_, context, payload, scratch_, kScratchSlots, &parts)) {
    return false;
  }
  return PutInBox(context, 0, parts.text) && PutInBox(context, 1, parts.more);
}

bool Realm::PutInBox(v8::Local<v8::Context> context, uint32_t index,
                     v8::Local<v8::Value> value) {
  // Most often there is nothing where there was nothing.
  const bool filled = !value->IsUndefined();
  if (!std::exchange(box_filled_[index], filled) && !filled) return true;
  return box_.Get(isolate_)->Set(context, index, value).FromMaybe(false);
}

}  // namespace sloppy::workers

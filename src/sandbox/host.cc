#include "sandbox/host.h"

#include <libplatform/libplatform.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/diagnostics_gen.h"
#include "isolate/v8_compat.h"
#include "isolate/vm_context.h"
#include "sandbox/exit_codes.h"
#include "sandbox/payload_bytes.h"

namespace sloppy::workers::sandbox {
namespace {

// V8's delayed tasks, whose time is not known: a timeout of Atomics.waitAsync.
constexpr int kTasksMs = 10;
constexpr size_t kMaxWritten = 4096;
// Of a text for the owner's event: what its smallest limit of messages allows.
constexpr size_t kMaxHeard = size_t{1} << 20;

uint32_t IdOf(Diagnostic diagnostic) {
  return static_cast<uint32_t>(diagnostic);
}

}  // namespace

Host::Host(v8::Platform* platform, size_t memory_bytes, size_t code_bytes)
    : platform_(platform), memory_(memory_bytes, false) {
  v8::Isolate::CreateParams params;
  memory_.Configure(&params);
  params.constraints.set_code_range_size_in_bytes(code_bytes);
  isolate_ = v8::Isolate::Allocate();
  isolate_->SetOOMErrorHandler(
      [](const char*, const v8::OOMDetails&) { _exit(kOutOfMemory); });
  v8::Isolate::Initialize(isolate_, params);
  isolate_->SetData(0, this);
  texts_ = std::make_unique<SharedTexts>(isolate_, false);
  memory_.Attach(isolate_, texts_.get());
  libraries_ = std::make_unique<LibraryState>(isolate_, &memory_, nullptr);
  bootstrap_ = std::make_unique<BootstrapCode>(isolate_);
  isolate_->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  isolate_->SetCaptureStackTraceForUncaughtExceptions(false);
  isolate_->SetPromiseRejectCallback(OnRejection);
  isolate_->SetModifyCodeGenerationFromStringsCallback(OnCodeFromString);
  ModuleLoader::Install(isolate_, [](v8::Isolate* isolate) {
    return Host::Of(isolate)->modules();
  });
  SetFileAccess(&files_);
}

void Host::Serve(std::string_view hello) {
  const v8::Isolate::Scope entered(isolate_);
  const v8::HandleScope scope(isolate_);
  wire_.Send(Kind::kHello, 0, hello);
  for (;;) {
    Frame frame;
    if (wire_.Receive(WaitMs(), &frame)) Take(std::move(frame));
    RunTimers();
    RunTasks();
    if (std::exchange(serve_again_, false)) ServeJobs();
    EndStalled();
  }
}

bool Host::PresentNext(v8::Local<v8::Value>* text) {
  // The start has failed, for which no job is there.
  if (std::exchange(failing_, false)) return true;
  if (!std::exchange(ready_, true)) wire_.Send(Kind::kReady, 0, {});
  if (!std::exchange(presented_, false)) return false;
  if (!realm_->PresentJob(&job_, seq_, deadline_ms_, text)) {
    _exit(kOutOfMemory);
  }
  return true;
}

void Host::Done(double seq, uint32_t status, uint32_t detail,
                const EncodedParts& parts) {
  const v8::HandleScope scope(isolate_);
  Payload payload;
  if (!ReadParts(texts_.get(), isolate_->GetCurrentContext(), parts,
                 &payload)) {
    if (isolate_->IsExecutionTerminating()) return;
    status = IdOf(Diagnostic::kResourceLimit);
    detail = static_cast<uint32_t>(wire::Detail::kMemoryLimit);
  }
  if (!ready_) {
    std::string head;
    Append(&head, status);
    Append(&head, detail);
    AppendPayload(payload, &head);
    wire_.Send(Kind::kFailed, 0, head);
  } else if (seq_ != 0 && seq == seq_) {
    SendDone(std::exchange(seq_, 0), status, detail, payload);
  }
}

void Host::FinishJob() {
  const Realm::SmallResult result = realm_->ReadResult();
  Payload payload;
  payload.kind = result.kind;
  payload.number = result.number;
  if (result.size != 0) payload.FillShort(result.size, result.body);
  SendDone(std::exchange(seq_, 0), 0, 0, payload);
}

void Host::SendDone(uint32_t seq, uint32_t status, uint32_t detail,
                    const Payload& payload) {
  std::string head;
  Append(&head, status);
  Append(&head, detail);
  Append(&head, static_cast<uint32_t>(spoilt_ ? 1 : 0));
  AppendPayload(payload, &head);
  wire_.Send(Kind::kDone, seq, head);
}

Sent Host::Message(double seq, uint32_t channel, const EncodedParts& parts) {
  if (seq != 0 && seq != seq_) return Sent::kGone;
  if (channel == wire::Channel::kHost) {
    if (calls_under_way_ >= wire::SandboxLimit::kCallsUnderWay ||
        calls_ >= wire::SandboxLimit::kCalls) {
      isolate_->ThrowException(
          v8::Exception::RangeError(v8::String::NewFromUtf8Literal(
              isolate_,
              "too many calls of host functions: a sandbox has at "
              "most 64 under way and 10000 in a job")));
      return Sent::kGone;
    }
    ++calls_under_way_;
    ++calls_;
  }
  const v8::HandleScope scope(isolate_);
  Payload payload;
  if (!ReadParts(texts_.get(), isolate_->GetCurrentContext(), parts,
                 &payload)) {
    return Sent::kNoMemory;
  }
  std::string head;
  Append(&head, channel);
  AppendPayload(payload, &head);
  if (channel == wire::Channel::kOutput && head.size() > kMaxHeard) {
    return Sent::kGone;
  }
  wire_.Send(Kind::kMessage, static_cast<uint32_t>(seq), head);
  return Sent::kSent;
}

std::shared_ptr<const Entry> Host::EntryOf(uint32_t id) const {
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : found->second;
}

// A loop that looks at its signal hears of what has come meanwhile.
End Host::CancelledBy(double seq) {
  if (seq_ == 0 || seq != seq_) return End::kCancelled;
  wire_.Look([this](const Frame& frame) { return NoteCancel(frame); });
  return cancelled_;
}

bool Host::PresentReason(double seq) {
  return seq_ != 0 && seq == reason_seq_ && Present(reason_);
}

bool Host::PresentShared(uint32_t number, bool counts) {
  const auto found = shared_.find(number);
  if (found == shared_.end()) return false;
  if (!Present(found->second)) _exit(kOutOfMemory);
  if (counts) wire_.Send(Kind::kTook, 0, {});
  return true;
}

bool Host::Present(const Payload& payload) {
  Payload copy;
  return CopyPayload(payload, &copy) && realm_->PresentPayload(&copy);
}

void Host::EndInit() {
  preparing_ = false;
  serve_again_ = true;
}

void Host::Write(std::string_view text) {
  const size_t room = kMaxWritten - std::min(written_, kMaxWritten);
  const std::string_view part = text.substr(0, room);
  written_ += part.size();
  if (!part.empty() && write(2, part.data(), part.size()) < 0) {
    written_ = kMaxWritten;
  }
}

void Host::StopSelf() { _exit(kDone); }

void Host::Note(bool returned) {
  if (memory_.hit()) _exit(kOutOfMemory);
  if (returned || seq_ == 0) return;
  SendDone(std::exchange(seq_, 0), IdOf(Diagnostic::kCrashed),
           static_cast<uint32_t>(wire::Detail::kNone), Payload());
  // The realm may hold anything now.
  _exit(kDone);
}

void Host::RunMicrotasks() {
  do {
    while (realm_->HasTicks()) Note(realm_->OnTicks());
    if (realm_->HoldsTicks()) return;
    PerformCheckpoint(isolate_);
    if (memory_.hit()) _exit(kOutOfMemory);
  } while (realm_->HasTicks());
}

// Rejections that a listener causes are reported as well, in another round. The
// last round is not for listeners, because that could go on for ever.
void Host::RunCheckpoint() {
  if (realm_ == nullptr || std::exchange(in_checkpoint_, true)) return;
  const v8::HandleScope scope(isolate_);
  // V8 11 keeps the frames of rejections in the context that is entered, and
  // timers are called outside of all.
  const v8::Context::Scope entered(realm_->context());
  RunMicrotasks();
  constexpr int kRounds = Rejections::kRounds;
  for (int round = 0;
       round < kRounds && !rejections_->empty() && !realm_->HoldsTicks();
       ++round) {
    Note(rejections_->ReportAll(
        isolate_, round == kRounds - 1,
        [this](v8::Local<v8::Promise> promise, v8::Local<v8::Value> value,
               wire::Rejection what) {
          return realm_->OnRejection(promise, value, what);
        }));
    RunMicrotasks();
  }
  if (!realm_->HoldsTicks()) rejections_->Clear();
  in_checkpoint_ = false;
}

void Host::RunWholeCheckpoint() {
  if (realm_ == nullptr || in_checkpoint_) return;
  realm_->ReleaseTicks();
  RunCheckpoint();
  RunHeld();
}

void Host::RunHeld() {
  while (realm_->HoldsTicks() && !in_checkpoint_) {
    realm_->ReleaseTicks();
    RunCheckpoint();
  }
}

void Host::RunTimers() {
  const uint64_t turn = timers_.turns();
  for (;;) {
    const double id = timers_.TakeDue(NowMs(), turn);
    if (id < 0) return;
    const v8::HandleScope scope(isolate_);
    Note(realm_->OnTimer(id));
    RunCheckpoint();
  }
}

void Host::RunTasks() {
  while (v8::platform::PumpMessageLoop(platform_, isolate_)) {
    if (memory_.hit()) _exit(kOutOfMemory);
    RunWholeCheckpoint();
  }
}

bool Host::IsAlive() const {
  return holds_ > 0 || timers_.alive() || awaits_cancel_ ||
         isolate_->HasPendingBackgroundTasks();
}

void Host::EndStalled() {
  if (realm_ == nullptr || serve_again_ || IsAlive()) return;
  if (seq_ != 0) {
    RunWholeCheckpoint();
    if (seq_ == 0 || serve_again_ || IsAlive()) return;
    SendDone(std::exchange(seq_, 0), IdOf(Diagnostic::kJobTimeout),
             static_cast<uint32_t>(wire::Detail::kNeverSettles), Payload());
  } else if (preparing_) {
    const v8::HandleScope scope(isolate_);
    Note(realm_->OnIdle());
    RunWholeCheckpoint();
  }
}

int Host::WaitMs() const {
  if (serve_again_) return 0;
  const double timer = timers_.NextIn(NowMs());
  const bool runs = seq_ != 0 || preparing_;
  const bool has_tasks = runs || isolate_->HasPendingBackgroundTasks();
  if (timer < 0) return has_tasks ? kTasksMs : -1;
  const double wait = std::min(std::ceil(timer), 1e9);
  return static_cast<int>(has_tasks ? std::min(wait, double{kTasksMs}) : wait);
}

void Host::OnRejection(v8::PromiseRejectMessage message) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  Host* host = Of(isolate);
  if (host->rejections_ == nullptr) return;
  host->rejections_->Note(
      isolate, message,
      [host](v8::Local<v8::Promise> promise, v8::Local<v8::Value> value,
             wire::Rejection what) {
        return host->realm_ == nullptr ||
               host->realm_->OnRejection(promise, value, what);
      });
}

v8::ModifyCodeGenerationFromStringsResult Host::OnCodeFromString(
    v8::Local<v8::Context> context, v8::Local<v8::Value>, bool) {
  Host* host = Of(v8::Isolate::GetCurrent());
  if (!host->allow_eval_ || host->realm_ == nullptr) return {false, {}};
  if (host->realm_->context() == context) host->realm_->OnCodeFromString();
  return {!IsVmContext(context), {}};
}

}  // namespace sloppy::workers::sandbox

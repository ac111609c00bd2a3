// The frames of its owner, and the answer of a sandbox's process to each.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/pages.h"
#include "isolate/embedded_code.h"
#include "sandbox/exit_codes.h"
#include "sandbox/host.h"
#include "sandbox/payload_bytes.h"

namespace sloppy::workers::sandbox {
namespace {

std::u16string Wide(v8::Isolate* isolate, std::string_view utf8) {
  v8::HandleScope scope(isolate);
  v8::Local<v8::String> text;
  if (!v8::String::NewFromUtf8(isolate, utf8.data(), v8::NewStringType::kNormal,
                               static_cast<int>(utf8.size()))
           .ToLocal(&text)) {
    return {};
  }
  v8::String::Value units(isolate, text);
  return {reinterpret_cast<const char16_t*>(*units),
          static_cast<size_t>(units.length())};
}

// The realm's scratch: given to V8 for good.
std::shared_ptr<v8::BackingStore> MakeScratch(MemoryLimit* memory) {
  static Pages pages(Realm::kScratchBytes);
  return memory->Lend(pages.data(), Realm::kScratchBytes);
}

}  // namespace

void Host::Take(Frame frame) {
  const v8::HandleScope scope(isolate_);
  switch (frame.kind) {
    case Kind::kStart:
      return TakeStart(frame);
    case Kind::kEntry:
      return TakeEntry(frame);
    case Kind::kForget:
      entries_.erase(frame.number);
      return;
    case Kind::kJob:
      return TakeJob(frame);
    case Kind::kMail:
      return TakeMail(frame);
    case Kind::kCancel:
      NoteCancel(frame);
      return TakeCancel(frame);
    case Kind::kReason:
      reason_seq_ = frame.number;
      if (!ReadPayload(frame.body, &reason_)) reason_seq_ = 0;
      return;
    case Kind::kLeave:
      leaving_ = true;
      if (realm_ == nullptr) _exit(kDone);
      Note(realm_->OnEnd());
      RunWholeCheckpoint();
      return;
    case Kind::kListens:
      listens_ = frame.number != 0;
      return;
    case Kind::kHears:
      hears_ = frame.number != 0;
      return;
    case Kind::kInitData:
      if (!ReadPayload(frame.body, &init_data_)) _exit(kOutOfMemory);
      return;
    case Kind::kGraph:
      return TakeGraph(frame);
    case Kind::kBegin:
      return ServeJobs();
    case Kind::kCode:
      return TakeCode(frame);
    case Kind::kAskCode:
      return TellCode();
    case Kind::kShare:
      if (!ReadPayload(frame.body, &shared_[frame.number])) {
        _exit(kOutOfMemory);
      }
      return;
    case Kind::kUnshare:
      return DropShared(frame.number);
    default:
      _exit(kProtocol);
  }
}

void Host::TakeStart(const Frame& frame) {
  if (realm_ != nullptr) _exit(kProtocol);
  BodyReader body(frame.body);
  const auto max_module_bytes = static_cast<size_t>(
      std::min(body.F64(), static_cast<double>(kMaxFileBytes)));
  allow_eval_ = body.U32() != 0;
  prepares_ = body.U32() != 0;
  worker_number_ = body.U32();
  worker_place_ = body.U32();
  realm_options_ = Wide(isolate_, body.Text());
  process_facts_ = Wide(isolate_, body.Text());
  system_numbers_ = Wide(isolate_, body.Text());
  rejections_ = std::make_unique<Rejections>();
  modules_ = std::make_unique<ModuleLoader>(isolate_, max_module_bytes,
                                            std::string(), &code_counts_);
  realm_ = Realm::Create(texts_.get(), 1);
  if (realm_ == nullptr) _exit(kOutOfMemory);
  const v8::HandleScope scope(isolate_);
  const v8::Context::Scope entered(realm_->context());
  if (!realm_->Start(
          [this](v8::Local<v8::Context> context) {
            return MakeNatives(context);
          },
          allow_eval_, bootstrap_.get(), MakeScratch(&memory_), prepares_)) {
    _exit(kOutOfMemory);
  }
  if (AddTestFunctions != nullptr)
    AddTestFunctions(isolate_, realm_->context());
}

void Host::TakeEntry(const Frame& frame) {
  auto entry = std::make_shared<Entry>();
  BodyReader body(frame.body);
  entry->kind = static_cast<Entry::Kind>(body.U32());
  entry->sees = static_cast<Entry::Sees>(body.U32());
  entry->reach = static_cast<Entry::Reach>(body.U32());
  entry->name = std::string(body.Text());
  Payload payload;
  if (!ReadPayload(body.Rest(), &payload)) _exit(kOutOfMemory);
  entry->text = std::move(payload.text);
  entries_[frame.number] = std::move(entry);
}

void Host::TakeJob(const Frame& frame) {
  if (realm_ == nullptr || seq_ != 0) _exit(kProtocol);
  BodyReader body(frame.body);
  job_.Renew();
  job_.entry = body.U32();
  job_.mode = static_cast<uint16_t>(body.U32());
  deadline_ms_ = NowMs() + body.F64();
  shares_ = body.U32();
  if (!ReadPayload(body.Rest(), &job_.payload)) _exit(kOutOfMemory);
  seq_ = frame.number;
  presented_ = true;
  cancelled_ = End::kNone;
  announced_ = 0;
  awaits_cancel_ = false;
  calls_ = calls_under_way_ = 0;
  ServeJobs();
}

void Host::ServeJobs() {
  if (realm_ == nullptr) return;
  Note(realm_->Serve());
  RunWholeCheckpoint();
}

void Host::TakeMail(const Frame& frame) {
  if (realm_ == nullptr) return;
  if (frame.number != 0 && frame.number != seq_) return;
  BodyReader body(frame.body);
  const uint32_t channel = body.U32();
  Payload payload;
  if (!ReadPayload(body.Rest(), &payload)) _exit(kOutOfMemory);
  if (channel == wire::Channel::kHost && calls_under_way_ > 0) {
    --calls_under_way_;
  }
  if (!realm_->PresentPayload(&payload)) _exit(kOutOfMemory);
  Note(realm_->OnMail(channel, frame.number));
  RunWholeCheckpoint();
}

bool Host::NoteCancel(const Frame& frame) {
  if (frame.kind != Kind::kCancel) return false;
  if (frame.number == seq_ && seq_ != 0) {
    BodyReader body(frame.body);
    cancelled_ = static_cast<End>(body.U32());
  }
  return false;
}

void Host::TakeCancel(const Frame& frame) {
  if (realm_ == nullptr || seq_ == 0 || frame.number != seq_) return;
  if (std::exchange(announced_, seq_) == seq_) return;
  Note(realm_->OnCancel(seq_));
  RunWholeCheckpoint();
}

// Loads what modules import, and runs nothing of it: what they need is known to
// the owner then, who gives nothing else from then on. What they name, but load
// later, is read the first time in a pool.
void Host::TakeGraph(const Frame& frame) {
  if (realm_ == nullptr) _exit(kProtocol);
  const v8::Context::Scope entered(realm_->context());
  BodyReader body(frame.body);
  bool ok = true;
  for (uint32_t left = body.U32(); left > 0; --left) {
    const v8::HandleScope scope(isolate_);
    v8::TryCatch caught(isolate_);
    v8::Local<v8::String> name;
    const std::string_view text = body.Text();
    ok = v8::String::NewFromUtf8(isolate_, text.data(),
                                 v8::NewStringType::kNormal,
                                 static_cast<int>(text.size()))
             .ToLocal(&name) &&
         modules_->LoadEntry(realm_->context(), name) &&
         (frame.number == 0 || modules_->Foresee(realm_->context(), name)) &&
         ok;
  }
  wire_.Send(Kind::kLoaded, ok ? 1 : 0, {});
}

// V8 refuses it where it was made with other flags, or of another source.
void Host::TakeCode(const Frame& frame) {
  if (realm_ != nullptr || frame.number >= kEmbeddedSourceCount) {
    _exit(kProtocol);
  }
  GiveCodeOf(*kEmbeddedSources[frame.number],
             std::make_shared<const std::vector<uint8_t>>(frame.body.begin(),
                                                          frame.body.end()));
}

// The owner takes it only now, because nothing else has run here.
void Host::TellCode() {
  if (realm_ == nullptr || ready_) _exit(kProtocol);
  bootstrap_->Remember(0);
  for (uint32_t i = 0; i < kEmbeddedSourceCount; ++i) {
    const CodeCache::Data code = CachedCodeOf(*kEmbeddedSources[i]);
    if (code == nullptr || code->empty()) continue;
    wire_.Send(Kind::kCodeMade, i,
               {reinterpret_cast<const char*>(code->data()), code->size()});
  }
  wire_.Send(Kind::kCodeMade, kEmbeddedSourceCount, {});
}

}  // namespace sloppy::workers::sandbox

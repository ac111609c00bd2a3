// Hands the answers of the workers to the owner's JavaScript, in batches.
//
// The numbers of a batch travel through memory that both sides see, so that
// a tiny result costs no handle and no call of its own:
//   header   HEADER_ROW numbers per job: slot, status, detail, kind, number,
//            offset of its slots in `scratch`, offset and length of its text in
//            the text that the batch has in common, -1 if it is not in there;
//            after the last row the words of OwnerLoop
//   scratch  the slots of structured results
//   submit   the numbers of a job that is on its way in (wire::SubmitArgs)
//   times    TIMES_ROW numbers per job that is timed: milliseconds queued, run
//            and computed (-1 if unknown), bytes of the result
//   texts, mores   per row the arguments of the codec's decode(), if any;
//            behind the last text the common one, made of short texts, so that
//            they cost a handle and an element together and not each
#include "binding/delivery.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/protocol_gen.h"
#include "base/tsan.h"
#include "binding/arguments.h"
#include "isolate/payload_v8.h"

namespace sloppy::workers {
namespace {

constexpr uint32_t kBatch = wire::Delivery::kRows;
constexpr size_t kRow = wire::Delivery::kRowSlots;
constexpr size_t kTimesRow = wire::Delivery::kTimesSlots;
constexpr uint32_t kScratch = 16384;

double Milliseconds(int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e6;
}

// Called before the payload is given away.
void TellTimes(const Job& job, double* row) {
  const Job::Times& times = job.times;
  // The owner's clock and ours agree to a fraction of a microsecond.
  row[wire::Times::kQueued] =
      std::max(0.0, Milliseconds(times.started - times.queued));
  row[wire::Times::kRun] = Milliseconds(times.ended - times.started);
  row[wire::Times::kCpu] = times.cpu < 0 ? -1 : Milliseconds(times.cpu);
  row[wire::Times::kHeapPeak] = static_cast<double>(times.heap_peak);
  row[wire::Times::kWorker] = static_cast<double>(times.worker);
  // The codec counts them so.
  const bool small = job.payload.kind < PayloadKind::kString;
  row[wire::Times::kResultBytes] =
      small ? 8 : static_cast<double>(job.payload.ByteSize());
}

// memory() → { header, scratch, times, submit, texts, mores }, kept alive by
// the state.
Napi::Value Memory(const Napi::CallbackInfo& info) {
  auto* state = static_cast<EnvState*>(info.Data());
  Napi::Env env = info.Env();
  auto header = Napi::Float64Array::New(env, kBatch * kRow + OwnerLoop::kWords);
  auto scratch = Napi::Float64Array::New(env, kScratch);
  auto times = Napi::Float64Array::New(env, kBatch * kTimesRow);
  auto submit =
      Napi::Float64Array::New(env, sizeof(wire::SubmitArgs) / sizeof(double));
  auto memory = Napi::Object::New(env);
  memory["header"] = header;
  memory["scratch"] = scratch;
  memory["times"] = times;
  memory["submit"] = submit;
  memory["texts"] = Napi::Array::New(env, kBatch + 1);
  memory["mores"] = Napi::Array::New(env, kBatch);
  state->header = header.Data();
  state->scratch = scratch.Data();
  state->loop().ShareWords(state->header + kBatch * kRow);
  state->times = times.Data();
  state->submit = submit.Data();
  state->js_memory = Napi::Reference<Napi::Value>::New(memory, 1);
  return memory;
}

// The state that the rows of a batch share.
struct Batch {
  uint32_t scratch_used = 0;
  uint32_t text_used = 0;
  uint8_t text[size_t{kBatch} * Text::kInlineBytes];
};

// True for a string or structure of nothing but slots and a short text, which
// is now in the batch.
bool GiveShort(const Payload& payload, double* scratch, double* row,
               Batch* batch) {
  const Text& text = payload.text;
  const uint32_t count = payload.slots.count();
  if (!text.is_inline() || text.two_byte() || !payload.more_text.empty() ||
      !payload.buffers.empty() || batch->scratch_used + count > kScratch) {
    return false;
  }
  if (count != 0) {
    std::memcpy(scratch + batch->scratch_used, payload.slots.data(),
                count * sizeof(double));
    batch->scratch_used += count;
  }
  row[wire::Row::kTextAt] = batch->text_used;
  row[wire::Row::kTextLength] = text.length();
  if (text.length() != 0) {
    std::memcpy(batch->text + batch->text_used, text.data(), text.length());
    batch->text_used += text.length();
  }
  return true;
}

// Fills row `at` with the outcome of a job that is more than a number.
// REQUIRES: its slots have room behind the used part of the scratch, or nothing
// is used.
void GiveJob(EnvState* state, const FastInfo& info,
             v8::Local<v8::Context> context, Job* job, uint32_t at,
             Batch* batch) {
  const bool small = job->payload.kind < PayloadKind::kString;
  const uint32_t count = small ? 0 : job->payload.slots.count();
  const uint32_t used = batch->scratch_used;
  double* row = state->header + at * kRow;
  row[wire::Row::kSlot] = job->slot;
  row[wire::Row::kStatus] = static_cast<double>(job->status);
  row[wire::Row::kDetail] = static_cast<double>(job->detail);
  row[wire::Row::kKind] = static_cast<double>(job->payload.kind);
  row[wire::Row::kNumber] = job->payload.number;
  row[wire::Row::kSlotsAt] = used;
  if ((job->mode & Job::kTimed) != 0) {
    TellTimes(*job, state->times + at * kTimesRow);
  }
  if (!small && !GiveShort(job->payload, state->scratch, row, batch)) {
    row[wire::Row::kTextLength] = -1;
    DecodedParts parts;
    if (!GiveParts(state->texts(), context, &job->payload,
                   state->scratch + used, kScratch - used, &parts)) {
      // Only a termination of this very environment gets here.
      row[wire::Row::kStatus] =
          static_cast<double>(Diagnostic::kSerializationFailed);
      row[wire::Row::kKind] = 0;
    } else {
      auto texts = info[0].As<v8::Array>();
      auto mores = info[1].As<v8::Array>();
      (void)texts->Set(context, at, parts.text).FromMaybe(false);
      (void)mores->Set(context, at, parts.more).FromMaybe(false);
      if (parts.more->IsUndefined() || count <= kScratch - used) {
        batch->scratch_used += count;
      }
    }
  }
  job->payload.Clear();
}

// take(texts, mores) → rows filled, or -1 if takeEvent() is next. A function of
// V8's, because it is called for every turn.
void Take(const FastInfo& info) {
  EnvState* state = StateOf(info);
  const BeforeScriptGoesOn before(&state->core().jobs);
  Inbox& inbox = state->inbox();
  if (inbox.EventIsNext()) {
    info.GetReturnValue().Set(-1);
    return;
  }
  v8::Isolate* isolate = info.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  Batch batch;
  uint32_t rows = 0;
  while (rows < kBatch && inbox.HasAnswer()) {
    const Answer answer = inbox.Next();
    double* row = state->header + rows * kRow;
    if (answer.job == nullptr) {
      row[wire::Row::kSlot] = answer.slot;
      row[wire::Row::kStatus] = static_cast<double>(Diagnostic::kNone);
      row[wire::Row::kDetail] = static_cast<double>(Detail::kNone);
      row[wire::Row::kKind] = static_cast<double>(answer.kind);
      row[wire::Row::kNumber] = answer.number;
      ++rows;
      continue;
    }
    const uint32_t used = batch.scratch_used;
    if (used + answer.job->payload.slots.count() > kScratch && used != 0) {
      inbox.PutBack(answer);
      break;
    }
    GiveJob(state, info, context, answer.job, rows, &batch);
    ++rows;
  }
  inbox.GiveBack();
  v8::Local<v8::String> text;
  if (batch.text_used != 0 &&
      v8::String::NewFromOneByte(isolate, batch.text,
                                 v8::NewStringType::kNormal,
                                 static_cast<int>(batch.text_used))
          .ToLocal(&text)) {
    (void)info[0].As<v8::Array>()->Set(context, kBatch, text).FromMaybe(false);
  }
  info.GetReturnValue().Set(rows);
}

// takeEvent() → [kind, pool, target, channel, payloadKind, number, text, more];
// its slots are at the start of `scratch`. REQUIRES: take() has returned -1.
void TakeEvent(const FastInfo& info) {
  EnvState* state = StateOf(info);
  const auto event = state->inbox().NextEvent();
  if (event->kind == WorkerEvent::Kind::kExited) {
    state->WorkerExited(state->FindPool(event->pool), event->worker);
  }
  v8::Isolate* isolate = info.GetIsolate();
  DecodedParts parts;
  const bool given =
      GiveParts(state->texts(), isolate->GetCurrentContext(), &event->payload,
                state->scratch, kScratch, &parts);
  const auto number = [&](auto value) -> v8::Local<v8::Value> {
    return v8::Number::New(isolate, static_cast<double>(value));
  };
  const v8::Local<v8::Value> none = v8::Undefined(isolate);
  // Made whole: setters on Object.prototype must not take its elements.
  v8::Local<v8::Value> row[] = {
      number(event->kind),         number(event->pool),
      number(event->target),       number(event->channel),
      number(event->payload.kind), number(event->payload.number),
      given ? parts.text : none,   given ? parts.more : none};
  info.GetReturnValue().Set(v8::Array::New(isolate, row, std::size(row)));
}

}  // namespace

void ExportDelivery(Napi::Env env, Napi::Object exports, EnvState* state) {
  exports["memory"] = Napi::Function::New(env, Memory, "memory", state);
  ExportFast(env, exports, "take", Take, state);
  ExportFast(env, exports, "takeEvent", TakeEvent, state);
}

}  // namespace sloppy::workers

// Answers of a worker to a developer: heap figures, snapshots, profiles.
#include <utility>

#include "worker/worker_thread.h"

namespace sloppy::workers {

void WorkerThread::Inspect(Inspection::Request request) {
  inspection_.Ask(std::move(request));
  WakeForDebugger();
}

void WorkerThread::WakeForDebugger() {
  session_.Use([this](v8::Isolate* isolate, MemoryLimit&) {
    isolate->RequestInterrupt(OnInspect, this);
  });
  Wake();
}

void WorkerThread::EndExpression() {
  session_.Use([](v8::Isolate* isolate, MemoryLimit&) {
    isolate->TerminateExecution();
  });
}

void WorkerThread::OnInspect(v8::Isolate*, void* self) {
  auto* worker = static_cast<WorkerThread*>(self);
  worker->AnswerRequests();
  worker->debugging_.RunInside();
}

// The sign says whether it went well.
void WorkerThread::AnswerInspection(double id, bool ok) {
  auto event = std::make_unique<WorkerEvent>();
  event->kind = WorkerEvent::Kind::kMessage;
  event->pool = pool_->config.id;
  event->channel = kInspected;
  event->target = -static_cast<double>(number_);
  event->payload.kind = PayloadKind::kNumber;
  event->payload.number = ok ? id : -id;
  pool_->env->completions.PostEvent(std::move(event));
}

void WorkerThread::BeginHeapPeak() {
  heap_peak_.Begin(session_.isolate(), &session_.memory());
}

int64_t WorkerThread::EndHeapPeak() { return heap_peak_.End(); }

void WorkerThread::AnswerRequests() {
  session_.bootstrap()->FinishReading();
  inspection_.Run(session_.isolate(), session_.memory().external_bytes());
}

void WorkerThread::RunInspection() {
  AnswerRequests();
  debugging_.Run();
}

}  // namespace sloppy::workers

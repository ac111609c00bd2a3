#include "worker/job_runner.h"

#include <utility>

namespace sloppy::workers {

Job* JobRunner::Next() {
  if (leave_ || current_ != nullptr) return nullptr;
  if (MustRenew()) return nullptr;
  if (taken_ == nullptr) {
    int64_t next_check = kNever;
    const JobQueue::Taken taken = pool_->queue.Take(self_, &next_check);
    Accept(taken, next_check);
  }
  current_ = std::exchange(taken_, nullptr);
  if (current_ != nullptr) {
    ++seq_;
    realm_used_ = true;
    ++isolate_jobs_;
    if ((current_->mode & Job::kTimed) != 0) NoteStart();
  }
  last_end_ = 0;
  return current_;
}

void JobRunner::Accept(const JobQueue::Taken& taken, int64_t next_check) {
  taken_ = taken.job;
  leave_ = leave_ || taken.leave;
  if (next_check != kNever) pool_->env->watchdog.Arm(next_check);
}

void JobRunner::Done(v8::Isolate* isolate, v8::Local<v8::Context> context,
                     double seq, Diagnostic status, Detail detail,
                     const EncodedParts& parts) {
  if (current_ == nullptr || seq != seq_) return;
  if (current_->cancelled.load(std::memory_order_acquire) !=
      Job::kNotCancelled) {
    // It was told to end and did: too late all the same.
    EndTerminated(false);
    return;
  }
  current_->status = status;
  current_->detail = detail;
  if (!ReadParts(isolate, context, parts, &current_->payload)) {
    // Ended by whoever terminated it.
    if (isolate->IsExecutionTerminating()) return;
    current_->Fail(Diagnostic::kResourceLimit, Detail::kMemoryLimit);
  }
  Job* job = std::exchange(current_, nullptr);
  if (!MustRenew()) {
    // One lock for the end of this job and the start of the next.
    int64_t next_check = kNever;
    const JobQueue::Taken taken =
        pool_->queue.FinishAndTake(self_, &next_check);
    Accept(taken, next_check);
  } else {
    pool_->queue.Finish(self_);
  }
  Return(job);
}

void JobRunner::Fail(Diagnostic status, Detail detail) {
  if (current_ == nullptr) return;
  Job* job = std::exchange(current_, nullptr);
  pool_->queue.Finish(self_);
  job->Fail(status, detail);
  Return(job);
}

void JobRunner::EndTerminated(bool memory_hit) {
  if (current_ == nullptr && pool_->queue.IsTerminated(self_)) {
    current_ = std::exchange(taken_, nullptr);
  }
  const bool ended_itself = std::exchange(end_requested_, false);
  if (current_ == nullptr) return;
  if (ended_itself) {
    Fail(Diagnostic::kCrashed, Detail::kWorkerLost);
    return;
  }
  if (memory_hit) {
    Fail(Diagnostic::kResourceLimit, Detail::kMemoryLimit);
    return;
  }
  switch (current_->cancelled.load(std::memory_order_acquire)) {
    case Job::kCancelled:
      Fail(Diagnostic::kJobCancelled, Detail::kNone);
      break;
    case Job::kTimedOut:
      Fail(Diagnostic::kJobTimeout, Detail::kNone);
      break;
    case Job::kShutdown:
      Fail(Diagnostic::kShutdownCancelled, Detail::kNone);
      break;
    case Job::kCpuLimit:
      Fail(Diagnostic::kResourceLimit, Detail::kCpuLimit);
      break;
    default:
      Fail(Diagnostic::kJobTimeout, Detail::kMicrotaskBound);
  }
}

void JobRunner::Return(Job* job) {
  if ((job->mode & Job::kTimed) != 0) NoteEnd(job);
  pool_->env->completions.Post(job);
}

void JobRunner::NoteStart() {
  Job::Times& times = current_->times;
  // One job's end is the next one's start when they were one step.
  times.started = last_end_ != 0 ? last_end_ : MonotonicNow();
  cpu_started_ = -1;
  if (times.started >= next_cpu_look_) {
    cpu_started_ = self_->CpuTime();
    next_cpu_look_ = times.started + kCpuLookEvery;
  }
  if ((current_->mode & Job::kAnnounced) == 0) return;
  auto event = std::make_unique<WorkerEvent>();
  event->kind = WorkerEvent::Kind::kJobStarted;
  event->pool = pool_->config.id;
  event->target = current_->slot;
  event->payload.kind = PayloadKind::kNumber;
  event->payload.number =
      static_cast<double>(times.started - times.queued) / 1e6;
  pool_->env->completions.PostEvent(std::move(event));
}

void JobRunner::NoteEnd(Job* job) {
  Job::Times& times = job->times;
  times.ended = MonotonicNow();
  times.cpu = -1;
  // Terminated together with the end of the job before it, unstarted.
  if (times.started == 0) {
    times.started = times.ended;
    return;
  }
  if (cpu_started_ >= 0) times.cpu = self_->CpuTime() - cpu_started_;
  if (taken_ != nullptr) last_end_ = times.ended;
}

bool JobRunner::Message(v8::Isolate* isolate, v8::Local<v8::Context> context,
                        double seq, uint32_t channel, uint32_t worker,
                        const EncodedParts& parts) {
  if (seq != 0 && (current_ == nullptr || seq != seq_)) return false;
  auto event = std::make_unique<WorkerEvent>();
  event->kind = WorkerEvent::Kind::kMessage;
  event->pool = pool_->config.id;
  event->channel = channel;
  event->target = seq == 0 ? -static_cast<double>(worker)
                           : static_cast<double>(current_->slot);
  if (!ReadParts(isolate, context, parts, &event->payload)) return false;
  pool_->env->completions.PostEvent(std::move(event));
  return true;
}

uint8_t JobRunner::CancelledBy(double seq) const {
  if (current_ == nullptr || seq != seq_) return Job::kCancelled;
  return current_->cancelled.load();
}

}  // namespace sloppy::workers

// What the owner sends to a worker, or to a job of it.
#include <memory>
#include <utility>
#include <vector>

#include "worker/worker_thread.h"

namespace sloppy::workers {

void WorkerThread::PostMail(std::unique_ptr<Mail> mail) {
  {
    MutexLock lock(mail_mutex_);
    if (mail->channel == Mail::kReason) {
      if (reasons_.size() == kMaxReasons) reasons_.erase(reasons_.begin());
      reasons_.push_back(std::move(mail));
      return;
    }
    mail_.push_back(std::move(mail));
    has_mail_.store(true, std::memory_order_release);
  }
  Wake();
}

// Mail for a job that is over is dropped: its sender learns by the job's end.
void WorkerThread::ReadMail() {
  if (Terminated() || !has_mail_.load(std::memory_order_acquire)) return;
  std::vector<std::unique_ptr<Mail>> batch;
  {
    MutexLock lock(mail_mutex_);
    batch.swap(mail_);
    has_mail_.store(false, std::memory_order_relaxed);
  }
  for (auto& mail : batch) {
    const bool to_worker = mail->job_slot == Mail::kWorker;
    const double seq =
        to_worker ? 0 : jobs_.SeqOf(mail->job_slot, mail->job_serial);
    if ((!to_worker && seq == 0) || !realm_->has_runtime()) continue;
    MakeRoomFor(mail->payload);
    if (!realm_->PresentPayload(&mail->payload)) {
      // Its sender believes that it came.
      jobs_.RequestEnd(seq, Diagnostic::kResourceLimit, Detail::kMemoryLimit);
      Note(false);
      return;
    }
    Note(realm_->OnMail(mail->channel, seq));
    if (Terminated()) return;
    RunCheckpoint();
    if (Terminated()) return;
  }
}

bool WorkerThread::PresentReason(double seq) {
  std::unique_ptr<Mail> found;
  {
    MutexLock lock(mail_mutex_);
    for (auto it = reasons_.begin(); it != reasons_.end(); ++it) {
      if (jobs_.SeqOf((*it)->job_slot, (*it)->job_serial) != seq) continue;
      found = std::move(*it);
      reasons_.erase(it);
      break;
    }
  }
  return found != nullptr && realm_ != nullptr &&
         realm_->PresentPayload(&found->payload);
}

}  // namespace sloppy::workers

// Mail of the owner to a worker, or to a job of it.
#include <memory>
#include <utility>

#include "worker/worker_thread.h"

namespace sloppy::workers {

void WorkerThread::PostMail(std::unique_ptr<Mail> mail) {
  if (mailbox_.Put(std::move(mail))) Wake();
}

// Mail for a job that is over is dropped, because its sender learns of that by
// the job's end.
void WorkerThread::ReadMail() {
  if (Terminated()) return;
  for (auto& mail : mailbox_.TakeAll()) {
    const bool to_worker = mail->job_slot == Mail::kWorker;
    const double seq =
        to_worker ? 0 : jobs_.SeqOf(mail->job_slot, mail->job_serial);
    if ((!to_worker && seq == 0) || !realm()->has_runtime()) continue;
    if (!realm()->PresentPayload(&mail->payload)) {
      // Its sender believes that it came.
      jobs_.RequestEnd(seq, End::kMemoryLimit);
      Note(false);
      return;
    }
    Note(realm()->OnMail(mail->channel, seq));
    if (Terminated()) return;
    RunWholeCheckpoint();
    if (Terminated()) return;
  }
}

bool WorkerThread::PresentReason(double seq) {
  const auto found = mailbox_.TakeReason([this, seq](const Mail& mail) {
    return jobs_.SeqOf(mail.job_slot, mail.job_serial) == seq;
  });
  return found != nullptr && realm() != nullptr &&
         realm()->PresentPayload(&found->payload);
}

}  // namespace sloppy::workers

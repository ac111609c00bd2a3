// A value on its way from the owner to a worker that is already running:
// to the job it runs, or to the worker as a whole.
#ifndef SLOPPY_WORKERS_JOB_MAIL_H_
#define SLOPPY_WORKERS_JOB_MAIL_H_

#include <cstdint>

#include "base/protocol_gen.h"
#include "payload/payload.h"

namespace sloppy::workers {

// The outcome of sending a value, in either direction
// (lib/executors/channels.js).
using wire::Sent;

struct Mail {
  static constexpr int64_t kWorker = -1;
  // Why the job was cancelled: read when its code asks, also in a loop that
  // never yields.
  static constexpr uint32_t kReason = wire::Channel::kReason;

  int64_t job_slot = kWorker;
  uint32_t job_serial = 0;
  uint32_t channel = 0;  // JavaScript gives all of them but kReason a meaning.
  Payload payload;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_MAIL_H_

// Ends of jobs that have no outcome of their own: one enumeration for whoever
// cancels a job, terminates it or finds that it cannot go on, because each of
// them once said it in codes of its own.
//
// Invariants
// (1) VerdictOf() alone decides what an end says to the caller of the job.
//
// Held by: (1) test/unit/job/end_test.cc.
#ifndef SLOPPY_WORKERS_JOB_END_H_
#define SLOPPY_WORKERS_JOB_END_H_

#include "base/diagnostics_gen.h"
#include "base/protocol_gen.h"

namespace sloppy::workers {

using wire::Detail;
using wire::End;

// The caller's error.
struct Verdict {
  Diagnostic status;
  Detail detail;
};

constexpr Verdict VerdictOf(End end) {
  switch (end) {
    case End::kNone:  // Nobody knows why, and there is no value to read.
    case End::kCancelled:
      break;
    case End::kTimedOut:
      return {Diagnostic::kJobTimeout, Detail::kNone};
    case End::kShutdown:
      return {Diagnostic::kShutdownCancelled, Detail::kNone};
    case End::kCpuLimit:
      return {Diagnostic::kResourceLimit, Detail::kCpuLimit};
    case End::kRunTimedOut:
      return {Diagnostic::kJobTimeout, Detail::kRunTimedOut};
    case End::kMemoryLimit:
      return {Diagnostic::kResourceLimit, Detail::kMemoryLimit};
    case End::kMicrotaskBound:
      return {Diagnostic::kJobTimeout, Detail::kMicrotaskBound};
    case End::kNeverSettles:
      return {Diagnostic::kJobTimeout, Detail::kNeverSettles};
    case End::kWorkerLost:
      return {Diagnostic::kCrashed, Detail::kWorkerLost};
    case End::kNoRealm:
      return {Diagnostic::kStartupFailed, Detail::kMemoryLimit};
  }
  return {Diagnostic::kJobCancelled, Detail::kNone};
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_END_H_

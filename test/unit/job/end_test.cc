#include "job/end.h"

#include <gtest/gtest.h>

#include "job/job.h"

namespace sloppy::workers {
namespace {

struct Row {
  End end;
  Diagnostic status;
  Detail detail;
};

constexpr Row kRows[] = {
    {End::kNone, Diagnostic::kJobCancelled, Detail::kNone},
    {End::kCancelled, Diagnostic::kJobCancelled, Detail::kNone},
    {End::kTimedOut, Diagnostic::kJobTimeout, Detail::kNone},
    {End::kShutdown, Diagnostic::kShutdownCancelled, Detail::kNone},
    {End::kCpuLimit, Diagnostic::kResourceLimit, Detail::kCpuLimit},
    {End::kRunTimedOut, Diagnostic::kJobTimeout, Detail::kRunTimedOut},
    {End::kMemoryLimit, Diagnostic::kResourceLimit, Detail::kMemoryLimit},
    {End::kMicrotaskBound, Diagnostic::kJobTimeout, Detail::kMicrotaskBound},
    {End::kNeverSettles, Diagnostic::kJobTimeout, Detail::kNeverSettles},
    {End::kWorkerLost, Diagnostic::kCrashed, Detail::kWorkerLost},
    {End::kNoRealm, Diagnostic::kStartupFailed, Detail::kMemoryLimit},
};

TEST(EndTest, SaysToTheCallerWhyTheJobEnded) {
  for (const Row& row : kRows) {
    const Verdict verdict = VerdictOf(row.end);
    EXPECT_EQ(verdict.status, row.status) << static_cast<int>(row.end);
    EXPECT_EQ(verdict.detail, row.detail) << static_cast<int>(row.end);
  }
}

TEST(EndTest, OfAJobLeavesNoValueThatItsCallerCouldRead) {
  for (const Row& row : kRows) {
    Job job;
    job.payload.kind = PayloadKind::kNumber;
    job.Fail(row.end);
    EXPECT_EQ(job.payload.kind, PayloadKind::kUndefined);
    EXPECT_NE(job.status, Diagnostic::kNone) << static_cast<int>(row.end);
  }
}

}  // namespace
}  // namespace sloppy::workers

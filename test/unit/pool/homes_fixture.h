// Three workers, of which one has had the last job of a home.
#ifndef SLOPPY_WORKERS_TEST_UNIT_POOL_HOMES_FIXTURE_H_
#define SLOPPY_WORKERS_TEST_UNIT_POOL_HOMES_FIXTURE_H_

#include <gtest/gtest.h>

#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {

class HomesTest : public testing::Test {
 protected:
  explicit HomesTest(const JobQueue::Options& options = {.capacity = 64,
                                                         .max_workers = 3})
      : queue(options) {
    queue.Join(&one);
    queue.Join(&two);
    queue.Join(&three);
    first.home = second.home = third.home = 7;
  }

  // `who` has had a job of home 7, and all workers sleep: `who` longest.
  void HadLast(FakeWorker* who) {
    Job job;
    job.home = 7;
    (void)queue.Submit(&job);
    ASSERT_EQ(Take(who), &job);
    ASSERT_FALSE(queue.Finish(who));
    for (FakeWorker* each : {who, &one, &two, &three}) {
      if (each != who) {
        ASSERT_EQ(Take(each), nullptr);
      }
      ASSERT_TRUE(queue.BeginIdle(each));
    }
    one.wakes = two.wakes = three.wakes = 0;
  }
  Job* Take(FakeWorker* who) { return queue.Take(who, &next_check).job; }
  // Looks for a job, and finds none.
  void Look(FakeWorker* who) {
    queue.EndIdle(who);
    ASSERT_EQ(Take(who), nullptr);
  }

  JobQueue queue;
  FakeWorker one, two, three;
  int64_t next_check = kNever;
  Job first, second, third, plain;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_TEST_UNIT_POOL_HOMES_FIXTURE_H_

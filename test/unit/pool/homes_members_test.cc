// Which worker a home has, while workers come, go and have pinned jobs.
#include <gtest/gtest.h>

#include "test/unit/pool/homes_fixture.h"

namespace sloppy::workers {
namespace {

class HomesMembersTest : public HomesTest {};

TEST_F(HomesMembersTest, AWorkerThatHasLeftHasNoHomes) {
  HadLast(&one);
  queue.Leave(&one);
  EXPECT_TRUE(queue.Submit(&first).woke);
  EXPECT_EQ(one.wakes, 0);
  EXPECT_EQ(two.wakes + three.wakes, 1);
}

TEST_F(HomesMembersTest, NorHasANewWorkerInItsMemory) {
  HadLast(&one);
  queue.Leave(&one);
  queue.Join(&one);
  ASSERT_EQ(Take(&one), nullptr);
  ASSERT_TRUE(queue.BeginIdle(&one));
  queue.EndIdle(&two);
  ASSERT_EQ(Take(&two), nullptr);
  // The one that looks takes it, and nobody is woken.
  EXPECT_FALSE(queue.Submit(&first).woke);
  EXPECT_EQ(one.wakes, 0);
}

TEST_F(HomesMembersTest, AWorkerWhosePinnedJobsWereDroppedHasTimeAgain) {
  HadLast(&one);
  ASSERT_TRUE(queue.SubmitTo(&second, &one, 1));
  JobList dropped;
  queue.DropQueued(&dropped);
  ASSERT_EQ(dropped.PopFront(), &second);
  Look(&one);
  ASSERT_TRUE(queue.BeginIdle(&one));
  Look(&two);
  ASSERT_TRUE(queue.BeginIdle(&two));
  one.wakes = 0;
  EXPECT_TRUE(queue.Submit(&first).woke);
  EXPECT_EQ(one.wakes, 1);
}

TEST_F(HomesMembersTest, NoOfferWhereOneJobMoreWaitsThanWorkersAreFree) {
  HadLast(&one);
  Job long_one, long_two;
  for (FakeWorker* each : {&two, &three}) Look(each);
  (void)queue.Submit(&long_one);
  (void)queue.Submit(&long_two);
  ASSERT_EQ(Take(&two), &long_one);
  ASSERT_EQ(Take(&three), &long_two);
  EXPECT_TRUE(queue.Submit(&plain).woke);
  (void)queue.Submit(&first);
  // Whoever is free first takes each of them.
  EXPECT_EQ(queue.FinishAndTake(&two, &next_check).job, &plain);
  EXPECT_EQ(queue.FinishAndTake(&three, &next_check).job, &first);
}

}  // namespace
}  // namespace sloppy::workers

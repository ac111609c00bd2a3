#include "pool/submit_ring.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <memory>
#include <set>
#include <string_view>
#include <thread>
#include <vector>

#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"
#include "test/unit/pool/ring_writer.h"

namespace sloppy::workers {
namespace {

// The largest that a row can name.
constexpr uint32_t kLastSlot = (1 << 22) - 1;

class SubmitRingTest : public testing::Test {
 protected:
  SubmitRingTest() {
    for (uint32_t slot = 0; slot < SubmitRing::kRows; ++slot) jobs.At(slot);
    queue.Join(&worker);
  }
  Job* TakeJob() { return queue.Take(&worker, &next_check).job; }

  JobTable jobs;
  RingWriter writer;
  JobQueue queue{{.capacity = 1000, .max_workers = 1},
                 &jobs,
                 std::make_unique<SubmitRing>(nullptr, writer.block(), 11, 22)};
  FakeWorker worker;
  int64_t next_check = kNever;
};

TEST(JobTable, JobsKeepTheirPlaceAndAreFoundByTheirSlot) {
  JobTable table;
  EXPECT_EQ(table.Find(3), nullptr);
  Job* third = table.At(3);
  for (const uint32_t slot : {0u, 15u, 16u, 47u, 48u, 100'000u}) {
    EXPECT_EQ(table.At(slot)->slot, slot);
    EXPECT_EQ(table.Find(slot), table.At(slot));
  }
  EXPECT_EQ(table.At(3), third);
}

TEST(JobTable, EverySlotHasAPlaceOfItsOwn) {
  JobTable table;
  std::set<Job*> places;
  for (uint32_t slot = 0; slot < 40'000; ++slot) {
    ASSERT_EQ(table.Find(slot) == nullptr,
              slot >= JobTable::kFixed
                  ? (slot - JobTable::kFixed) % JobTable::kBlock == 0
                  : std::has_single_bit(slot + JobTable::kFirst));
    ASSERT_EQ(table.At(slot)->slot, slot);
    places.insert(table.Find(slot));
  }
  EXPECT_EQ(places.size(), 40'000u);
}

TEST(JobTable, ABlockThatWasDroppedComesBackWithOtherSerials) {
  JobTable table;
  constexpr uint32_t kSlot = JobTable::kFixed + 5 * JobTable::kBlock;
  table.At(kSlot)->serial = 7;
  Job* other = table.At(kSlot + JobTable::kBlock);
  table.DropBlock(kSlot + 3);
  EXPECT_EQ(table.Find(kSlot), nullptr);
  EXPECT_EQ(table.Find(kSlot + JobTable::kBlock), other);
  EXPECT_EQ(table.At(kSlot)->slot, kSlot);
  EXPECT_GE(table.At(kSlot)->serial, 7u);
  // One that was never made.
  table.DropBlock(kSlot + 100 * JobTable::kBlock);
}

TEST_F(SubmitRingTest, AJobComesOutAsItWentIn) {
  writer.Write({.slot = 5,
                .kind = PayloadKind::kStructured,
                .priority = 6,
                .slots = {2, 3}});
  Job* job = TakeJob();
  ASSERT_EQ(job, jobs.Find(5));
  EXPECT_EQ(job->entry, 7u);
  EXPECT_EQ(job->payload.kind, PayloadKind::kStructured);
  ASSERT_EQ(job->payload.slots.count(), 2u);
  EXPECT_EQ(job->payload.slots.data()[1], 3);
  EXPECT_EQ(job->priority, 6);
  EXPECT_EQ(job->grace, 11);
  EXPECT_EQ(job->cpu_limit, 22);
  EXPECT_EQ(job->deadline, kNever);
  EXPECT_EQ(job->mode, 0);
}

TEST_F(SubmitRingTest, EveryPartOfARowHasItsOwnBits) {
  constexpr uint32_t kEntry = (1 << 24) - 1;
  jobs.At(kLastSlot);
  writer.Write({.slot = kLastSlot,
                .entry = kEntry,
                .kind = PayloadKind::kTrue,
                .priority = SubmitRing::kMostUrgent});
  writer.Write({.slot = 0,
                .entry = 0,
                .number = -1.5,
                .priority = 7,
                .signalled = true});
  const Job* job = TakeJob();
  EXPECT_EQ(job, jobs.Find(kLastSlot));
  EXPECT_EQ(job->entry, kEntry);
  EXPECT_EQ(job->payload.kind, PayloadKind::kTrue);
  EXPECT_EQ(job->priority, SubmitRing::kMostUrgent);
  EXPECT_EQ(job->mode, 0);
  queue.Finish(&worker);
  job = TakeJob();
  EXPECT_EQ(job, jobs.Find(0));
  EXPECT_EQ(job->entry, 0u);
  EXPECT_EQ(job->payload.kind, PayloadKind::kNumber);
  EXPECT_EQ(job->payload.number, -1.5);
  EXPECT_EQ(job->priority, 7);
  EXPECT_EQ(job->mode, SubmitRing::kSignalledMode);
}

TEST_F(SubmitRingTest, ABodyHasSlotsAndThenText) {
  writer.Write({.slot = 5,
                .kind = PayloadKind::kStructured,
                .slots = std::vector<double>(SubmitRing::kMaxSlots, 2.5),
                .text = "four bytes and more than that "});
  const Job* job = TakeJob();
  EXPECT_EQ(job->payload.slots.count(), SubmitRing::kMaxSlots);
  EXPECT_EQ(job->payload.slots.data()[SubmitRing::kMaxSlots - 1], 2.5);
  const Text& text = job->payload.text;
  EXPECT_FALSE(text.two_byte());
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(text.data()),
                             text.bytes()),
            "four bytes and more than that ");
}

TEST_F(SubmitRingTest, ADeadlineHolds) {
  const double far_ms = 1e11 + 2.5;
  writer.Write({.slot = 5, .deadline_ms = far_ms});
  Job* job = TakeJob();
  EXPECT_EQ(job->deadline, int64_t{100'000'000} * 1'000'000'000 + 2'500'000);
  queue.Finish(&worker);
  writer.Write({.slot = 5});
  EXPECT_EQ(TakeJob()->deadline, kNever);
}

TEST_F(SubmitRingTest, AJobIsTimedWhenItSaysSinceWhen) {
  writer.Write({.slot = 5, .queued_ms = 2.5});
  Job* job = TakeJob();
  EXPECT_EQ(job->mode, Job::kTimed);
  EXPECT_EQ(job->times.queued, 2'500'000);
  EXPECT_EQ(job->times.started, 0);
  queue.Finish(&worker);
  writer.Write({.slot = 5});
  EXPECT_EQ(TakeJob()->mode, 0);
}

TEST_F(SubmitRingTest, RingAndCallsKeepTheirOrder) {
  jobs.At(1)->priority = 4;
  writer.Write({.slot = 0});
  EXPECT_EQ(queue.Submit(jobs.At(1)).admission, JobQueue::Admission::kQueued);
  writer.Write({.slot = 2});
  EXPECT_EQ(queue.GetCounts().queued, 3u);
  for (const uint32_t slot : {0u, 1u, 2u}) {
    EXPECT_EQ(TakeJob(), jobs.At(slot));
    queue.Finish(&worker);
  }
}

TEST_F(SubmitRingTest, NoJobOvertakesOneThatIsMoreUrgentOrOlder) {
  for (const uint32_t slot : {1u, 3u}) jobs.At(slot)->priority = 6;
  jobs.At(4)->priority = 0;
  queue.Submit(jobs.At(1));
  writer.Write({.slot = 0});
  EXPECT_EQ(TakeJob(), jobs.At(0));
  writer.Write({.slot = 2});
  queue.Submit(jobs.At(3));
  queue.Submit(jobs.At(4));
  for (const uint32_t slot : {4u, 2u, 1u, 3u}) {
    queue.Finish(&worker);
    EXPECT_EQ(TakeJob(), jobs.At(slot));
  }
}

TEST_F(SubmitRingTest, APausedQueueHasNoWork) {
  queue.SetPaused(true);
  jobs.At(0)->priority = 4;
  queue.Submit(jobs.At(0));
  writer.Write({.slot = 1});
  EXPECT_EQ(TakeJob(), nullptr);
  EXPECT_FALSE(queue.HasWork());
  queue.SetPaused(false);
  EXPECT_EQ(TakeJob(), jobs.At(0));
}

TEST_F(SubmitRingTest, NorHasOneWhoseWorkersInReserveRunAllTheyMay) {
  RingWriter rows;
  JobQueue reserve{
      {.capacity = 9, .max_workers = 1, .reserve = 1},
      &jobs,
      std::make_unique<SubmitRing>(nullptr, rows.block(), 0, kNever)};
  FakeWorker one, other;
  reserve.Join(&one);
  reserve.Join(&other);
  jobs.At(0)->priority = jobs.At(1)->priority = 4;
  reserve.Submit(jobs.At(0));
  ASSERT_EQ(reserve.Take(&one, &next_check).job, jobs.At(0));
  reserve.Submit(jobs.At(1));
  rows.Write({.slot = 2});
  EXPECT_EQ(reserve.Take(&other, &next_check).job, nullptr);
  EXPECT_FALSE(reserve.HasWork());
}

TEST_F(SubmitRingTest, AJobInTheRingIsQueued) {
  writer.Write({.slot = 0});
  writer.Write({.slot = 1});
  EXPECT_TRUE(queue.HasWork());
  EXPECT_EQ(queue.Cancel(jobs.At(0), End::kCancelled, 0, &next_check),
            JobQueue::Removal::kRemoved);
  JobList dropped;
  queue.DropQueued(&dropped);
  EXPECT_EQ(dropped.PopFront(), jobs.At(1));
  EXPECT_FALSE(queue.HasWork());
}

TEST_F(SubmitRingTest, AttentionIsAskedForOnlyWhenSomebodyMustBeWokenOrMade) {
  EXPECT_FALSE(writer.attend()) << "the only worker has not looked yet";
  EXPECT_EQ(TakeJob(), nullptr);
  EXPECT_FALSE(writer.attend()) << "it looks";
  EXPECT_TRUE(queue.BeginIdle(&worker));
  EXPECT_TRUE(writer.attend()) << "it sleeps";
  writer.Write({.slot = 0});
  EXPECT_FALSE(queue.Kick().wants_worker);
  EXPECT_EQ(worker.wakes, 1);
  EXPECT_FALSE(writer.attend());
  queue.SetMaxWorkers(2);
  EXPECT_TRUE(writer.attend()) << "there may be another";
  EXPECT_FALSE(queue.Kick().wants_worker) << "one without a job is there";
  writer.Write({.slot = 1});
  EXPECT_TRUE(queue.Kick().wants_worker);
  queue.Close();
  EXPECT_EQ(queue.Kick().admission, JobQueue::Admission::kClosed);
  EXPECT_TRUE(writer.attend());
}

TEST_F(SubmitRingTest, AttentionIsAskedForOnceAWorkerIsAboutToLeave) {
  EXPECT_TRUE(queue.BeginIdle(&worker));
  queue.Trim(0);
  EXPECT_FALSE(writer.attend()) << "it was woken";
  EXPECT_TRUE(queue.Take(&worker, &next_check).leave);
  EXPECT_TRUE(writer.attend()) << "it clears up, which may take long";
}

TEST_F(SubmitRingTest, AWorkerDoesNotSleepOnAWrittenJob) {
  EXPECT_EQ(TakeJob(), nullptr);
  writer.Write({.slot = 0});
  EXPECT_FALSE(queue.BeginIdle(&worker));
  EXPECT_EQ(TakeJob(), jobs.At(0));
}

// Rows have 8 bits of the laps' numbers.
TEST_F(SubmitRingTest, ARowOfTheLastLapIsNotOneOfThis) {
  for (uint32_t lap = 0; lap < 520; ++lap) {
    for (uint32_t slot = 0; slot < SubmitRing::kRows; ++slot) {
      ASSERT_TRUE(writer.HasRoom());
      writer.Write({.slot = slot, .number = static_cast<double>(lap)});
    }
    EXPECT_FALSE(writer.HasRoom());
    for (uint32_t slot = 0; slot < SubmitRing::kRows; ++slot) {
      Job* job = TakeJob();
      ASSERT_EQ(job, jobs.At(slot));
      EXPECT_EQ(job->payload.number, lap);
      queue.Finish(&worker);
    }
    EXPECT_FALSE(queue.HasWork());
    EXPECT_EQ(TakeJob(), nullptr);
  }
}

// A lost wake-up would hang here.
TEST_F(SubmitRingTest, EveryJobIsRunWhileWorkersComeAndGoToSleep) {
  constexpr uint32_t kJobs = 20'000;
  FakeWorker other;
  queue.SetMaxWorkers(2);
  queue.Join(&other);
  std::atomic<uint32_t> done{0};
  std::atomic<double> sum{0};
  const auto run = [&](FakeWorker* self) {
    int64_t check = kNever;
    JobQueue::Taken taken = queue.Take(self, &check);
    while (!taken.leave) {
      if (taken.job == nullptr) {
        if (!self->gate.Spin(500, [&] { return queue.HasWork(); }) &&
            queue.BeginIdle(self)) {
          self->gate.Sleep();
        }
        taken = queue.Take(self, &check);
        continue;
      }
      double before = sum.load();
      while (!sum.compare_exchange_weak(before,
                                        before + taken.job->payload.number)) {
      }
      taken = queue.FinishAndTake(self, &check);
      ++done;
    }
  };
  std::thread one(run, &worker), two(run, &other);
  for (uint32_t i = 0; i < kJobs; ++i) {
    while (!writer.HasRoom()) std::this_thread::yield();
    jobs.At(i);
    writer.Write({.slot = i, .number = static_cast<double>(i)});
    if (writer.attend()) queue.Kick();
  }
  while (done < kJobs) std::this_thread::yield();
  queue.Close();
  one.join();
  two.join();
  EXPECT_EQ(sum, double{kJobs} * (kJobs - 1) / 2);
}

}  // namespace
}  // namespace sloppy::workers

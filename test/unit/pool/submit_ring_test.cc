#include "pool/submit_ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "pool/job_queue.h"
#include "test/unit/pool/fake_worker.h"

namespace sloppy::workers {
namespace {

// What lib/internal/submit-ring.js does.
class Writer {
 public:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  explicit Writer(std::vector<double>* memory) : rows_(memory->data()) {}

  void Write(uint32_t slot, double number, std::vector<double> slots = {},
             uint8_t priority = 4, double queued_ms = 0,
             double deadline_ms = kInfinity, const std::string& text = "") {
    const size_t at = tail_ % SubmitRing::kRows;
    double* head = rows_ + at * SubmitRing::kHead;
    double* body =
        rows_ + SubmitRing::kRows * SubmitRing::kHead + at * SubmitRing::kBody;
    head[0] = slot;
    head[1] = 7;
    head[2] = static_cast<double>(slots.empty() ? PayloadKind::kNumber
                                                : PayloadKind::kStructured);
    head[3] = number;
    head[4] = priority;
    head[5] = static_cast<double>(slots.size() + 16 * text.size());
    head[6] = queued_ms;
    head[7] = deadline_ms;
    std::copy(slots.begin(), slots.end(), body);
    std::memcpy(body + slots.size(), text.data(), text.size());
    Word(0)->store(++tail_);
  }
  bool HasRoom() const { return tail_ - Word(1)->load() < SubmitRing::kRows; }
  bool attend() const { return Word(2)->load() != 0; }

 private:
  std::atomic<uint32_t>* Word(size_t line) const {
    return reinterpret_cast<std::atomic<uint32_t>*>(
        reinterpret_cast<char*>(rows_) + SubmitRing::kRowBytes +
        line * kCacheLine);
  }
  double* const rows_;
  uint32_t tail_ = 0;
};

class SubmitRingTest : public testing::Test {
 protected:
  SubmitRingTest() {
    for (uint32_t slot = 0; slot < SubmitRing::kRows; ++slot) jobs.At(slot);
    queue.Join(&worker);
  }
  Job* TakeJob() { return queue.Take(&worker, &next_check).job; }

  JobTable jobs;
  std::vector<double> memory =
      std::vector<double>(SubmitRing::kBytes / sizeof(double));
  JobQueue queue{{.capacity = 1000, .max_workers = 1},
                 &jobs,
                 std::make_unique<SubmitRing>(nullptr, memory.data(), 11, 22)};
  Writer writer{&memory};
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

TEST_F(SubmitRingTest, AJobComesOutAsItWentIn) {
  writer.Write(5, 1.5, {2, 3}, 6);
  Job* job = TakeJob();
  ASSERT_EQ(job, jobs.Find(5));
  EXPECT_EQ(job->entry, 7u);
  EXPECT_EQ(job->payload.kind, PayloadKind::kStructured);
  EXPECT_EQ(job->payload.number, 1.5);
  ASSERT_EQ(job->payload.slots.count(), 2u);
  EXPECT_EQ(job->payload.slots.data()[1], 3);
  EXPECT_EQ(job->priority, 6);
  EXPECT_EQ(job->grace, 11);
  EXPECT_EQ(job->cpu_limit, 22);
  EXPECT_EQ(job->deadline, kNever);
}

TEST_F(SubmitRingTest, ABodyHasSlotsAndThenText) {
  writer.Write(5, 0, std::vector<double>(SubmitRing::kMaxSlots, 2.5), 4, 0,
               Writer::kInfinity, "four bytes and more than that ");
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
  writer.Write(5, 0, {}, 4, 0, 2.5);
  Job* job = TakeJob();
  EXPECT_EQ(job->deadline, 2'500'000);
  // It was over when the job was taken.
  EXPECT_EQ(job->cancelled.load(), Job::kTimedOut);
  queue.Finish(&worker);
  writer.Write(5, 0);
  EXPECT_EQ(TakeJob()->deadline, kNever);
}

TEST_F(SubmitRingTest, AJobIsTimedWhenItSaysSinceWhen) {
  writer.Write(5, 0, {}, 4, 2.5);
  Job* job = TakeJob();
  EXPECT_EQ(job->mode, Job::kTimed);
  EXPECT_EQ(job->times.queued, 2'500'000);
  EXPECT_EQ(job->times.started, 0);
  queue.Finish(&worker);
  writer.Write(5, 0);
  EXPECT_EQ(TakeJob()->mode, 0);
}

TEST_F(SubmitRingTest, RingAndCallsKeepTheirOrder) {
  jobs.At(1)->priority = 4;
  writer.Write(0, 0);
  EXPECT_EQ(queue.Submit(jobs.At(1)).admission, JobQueue::Admission::kQueued);
  writer.Write(2, 0);
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
  writer.Write(0, 0);
  EXPECT_EQ(TakeJob(), jobs.At(0));
  writer.Write(2, 0);
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
  writer.Write(1, 0);
  EXPECT_EQ(TakeJob(), nullptr);
  EXPECT_FALSE(queue.HasWork());
  queue.SetPaused(false);
  EXPECT_EQ(TakeJob(), jobs.At(0));
}

TEST_F(SubmitRingTest, AJobInTheRingIsQueued) {
  writer.Write(0, 0);
  writer.Write(1, 0);
  EXPECT_TRUE(queue.HasWork());
  EXPECT_EQ(queue.Cancel(jobs.At(0), Job::kCancelled, 0, &next_check),
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
  writer.Write(0, 0);
  EXPECT_FALSE(queue.Kick().wants_worker);
  EXPECT_EQ(worker.wakes, 1);
  EXPECT_FALSE(writer.attend());
  queue.SetMaxWorkers(2);
  EXPECT_TRUE(writer.attend()) << "there may be another";
  EXPECT_FALSE(queue.Kick().wants_worker) << "one without a job is there";
  writer.Write(1, 0);
  EXPECT_TRUE(queue.Kick().wants_worker);
  queue.Close();
  EXPECT_EQ(queue.Kick().admission, JobQueue::Admission::kClosed);
  EXPECT_TRUE(writer.attend());
}

TEST_F(SubmitRingTest, AWorkerDoesNotSleepOnAWrittenJob) {
  EXPECT_EQ(TakeJob(), nullptr);
  writer.Write(0, 0);
  EXPECT_FALSE(queue.BeginIdle(&worker));
  EXPECT_EQ(TakeJob(), jobs.At(0));
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
    writer.Write(i, i);
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

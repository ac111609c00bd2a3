// Events wait for room, so that a worker that never stops sending cannot fill
// the process.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "job/completion_queue.h"
#include "test/unit/job/read_all.h"

namespace sloppy::workers {
namespace {

class RoomWaker : public OwnerWaker {
 public:
  void WakeOwner() override {}
};

class RoomTest : public testing::Test {
 protected:
  void PostEvent(size_t bytes = 0) {
    auto event = std::make_unique<WorkerEvent>();
    if (bytes != 0) {
      event->payload.kind = PayloadKind::kString;
      event->payload.buffers.push_back({nullptr, bytes});
    }
    queue.PostEvent(std::move(event));
  }
  // Nobody waits for it.
  bool HasRoom() {
    const Atomic<bool> interrupted{true};
    return queue.WaitForRoom(interrupted);
  }
  void FillUp() {
    for (size_t i = 0; i < CompletionQueue::kMaxEvents; ++i) PostEvent();
  }

  CompletionQueue queue{std::make_shared<RoomWaker>()};
};

TEST_F(RoomTest, IsForSoManyEvents) {
  for (int turn = 0; turn < 2; ++turn) {
    for (size_t i = 0; i < CompletionQueue::kMaxEvents; ++i) {
      ASSERT_TRUE(HasRoom());
      PostEvent();
    }
    EXPECT_FALSE(HasRoom());
    EXPECT_EQ(ReadOnce(&queue).events.size(), CompletionQueue::kMaxEvents);
  }
}

TEST_F(RoomTest, IsForSoManyBytes) {
  for (int turn = 0; turn < 2; ++turn) {
    PostEvent(CompletionQueue::kMaxEventBytes - 1);
    EXPECT_TRUE(HasRoom());
    PostEvent(1);
    EXPECT_FALSE(HasRoom());
    EXPECT_EQ(ReadOnce(&queue).events.size(), 2u);
  }
}

// Whether a worker that waits for room goes on when `then` has run.
class WaitTest : public RoomTest {
 protected:
  bool GoesOnAfter(const std::function<void()>& then, bool* has_room) {
    FillUp();
    std::atomic<bool> is_over{false};
    std::thread worker([&] {
      *has_room = queue.WaitForRoom(interrupted);
      is_over = true;
    });
    // It waits by then, or has not begun to, which is as good.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    then();
    const int64_t until = MonotonicNow() + int64_t{30} * 1'000'000'000;
    while (!is_over && MonotonicNow() < until) std::this_thread::yield();
    const bool went_on = is_over;
    // Ends the thread of a test that has failed.
    while (!is_over) {
      PostEvent();
      ReadOnce(&queue);
      interrupted.store(true);
      queue.Interrupt();
    }
    worker.join();
    return went_on;
  }

  Atomic<bool> interrupted{false};
};

TEST_F(WaitTest, EndsWhenTheOwnerHasRead) {
  bool has_room = false;
  EXPECT_TRUE(GoesOnAfter([&] { ReadOnce(&queue); }, &has_room));
  EXPECT_TRUE(has_room);
}

TEST_F(WaitTest, EndsWhenItIsInterrupted) {
  bool has_room = true;
  const auto interrupt = [&] {
    interrupted.store(true);
    queue.Interrupt();
  };
  EXPECT_TRUE(GoesOnAfter(interrupt, &has_room));
  EXPECT_FALSE(has_room);
}

TEST_F(RoomTest, AnEventAloneIsPending) {
  EXPECT_FALSE(queue.MaybePending());
  PostEvent();
  EXPECT_TRUE(queue.MaybePending());
  EXPECT_FALSE(queue.JobsPending());
  EXPECT_EQ(ReadOnce(&queue).events.size(), 1u);
  EXPECT_FALSE(queue.MaybePending());
}

TEST_F(RoomTest, SoIsAJobForWhichNoRowWasLeft) {
  std::vector<Job> jobs(AnswerRing::kRows + 1);
  for (Job& job : jobs) queue.Post(&job);
  size_t read = 0;
  while (read < AnswerRing::kRows) read += ReadOnce(&queue).answers.size();
  ASSERT_EQ(read, AnswerRing::kRows);
  EXPECT_TRUE(queue.JobsPending());
  EXPECT_TRUE(queue.MaybePending());
  EXPECT_EQ(ReadOnce(&queue).answers.size(), 1u);
  EXPECT_FALSE(queue.JobsPending());
}

// Rows that the owner has read and not given back are none that come before
// the list.
TEST_F(RoomTest, RowsAreReadOnceThoughTheyAreNotGivenBack) {
  constexpr uint32_t kJobs = AnswerRing::kRows + 3;
  std::vector<Job> jobs(kJobs);
  for (uint32_t i = 0; i < kJobs; ++i) {
    jobs[i].slot = i;
    queue.Post(&jobs[i]);
  }
  uint32_t read = 0;
  std::vector<std::unique_ptr<WorkerEvent>> events;
  while (const size_t count = queue.Look(&events)) {
    ASSERT_LE(read + count, kJobs);
    for (size_t i = 0; i < count; ++i) {
      const Answer answer = queue.Read();
      EXPECT_EQ(answer.job == nullptr ? answer.slot : answer.job->slot, read++);
    }
  }
  EXPECT_EQ(read, kJobs);
  queue.GiveBack();
  EXPECT_FALSE(queue.JobsPending());
}

}  // namespace
}  // namespace sloppy::workers

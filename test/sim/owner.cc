#include "test/sim/owner.h"

#include <algorithm>
#include <memory>
#include <string>

#include "test/sim/sim_worker.h"
#include "test/unit/job/read_all.h"

namespace sloppy::workers::sim {
namespace {

constexpr int64_t kLimit = 10'000'000;
constexpr int64_t kGrace = 1'000'000;

}  // namespace

uint32_t Owner::FreeSlot() {
  for (uint32_t slot = 0; slot < Journal::kSlots; ++slot) {
    if (pool_->journal_.IsFree(slot)) return slot;
  }
  return Journal::kSlots;
}

void Owner::Read() {
  while (pool_->done_->MaybePending()) {
    const Arrivals arrivals = ReadOnce(pool_->done_.get());
    for (const auto& event : arrivals.events) {
      pool_->journal_.Heard(static_cast<uint32_t>(event->target));
    }
    for (const Answer& answer : arrivals.answers) {
      const uint32_t slot =
          answer.job == nullptr ? answer.slot : answer.job->slot;
      pool_->journal_.Settled(slot, false);
      Forget(slot);
    }
  }
  TakeBackPinned();
}

void Owner::Forget(uint32_t slot) {
  std::erase(order_, slot);
  std::erase_if(pinned_, [&](const auto& row) { return row.first == slot; });
}

// Those of a worker that has left without them, as the pool does.
void Owner::TakeBackPinned() {
  for (const auto& [slot, number] : std::vector(pinned_)) {
    if (pool_->workers_[number]->gone()) CancelOne(slot);
  }
}

void Owner::Submit(uint32_t behaviour, char letter) {
  Read();
  const uint32_t slot = FreeSlot();
  if (slot == Journal::kSlots) return;
  Job* job = pool_->jobs_->At(slot);
  job->Renew();
  job->entry = behaviour;
  job->priority = letter == 'u' ? 0 : 4;
  job->grace = behaviour == kPolite || letter == 'a' ? kGrace : 0;
  const int64_t now = pool_->world_.now();
  const int64_t slack = pool_->Slack();
  if (letter == 'e' || letter == 'p') job->deadline = now + kLimit;
  if (letter == 'u') job->run_limit = kLimit;
  if (letter == 'h') job->home = 1 + homes_++ % 3;
  PoolWorker* to = nullptr;
  size_t number = 0;
  if (letter == 'k') {
    for (size_t i = 0; i < pool_->workers_.size(); ++i) {
      if (pool_->workers_[i]->gone()) continue;
      to = pool_->workers_[i].get();
      number = i;
    }
    if (to == nullptr) return;
  }
  pool_->journal_.Submitted(slot, to == nullptr);
  if (job->deadline != kNever) {
    pool_->journal_.SetBound(slot, job->deadline + job->grace + slack);
  }
  if (to != nullptr) {
    job->pinned = true;
    if (pool_->queue_->SubmitTo(job, to, slot)) {
      order_.push_back(slot);
      pinned_.emplace_back(slot, number);
    } else {
      pool_->journal_.Settled(slot, true);
    }
    return;
  }
  order_.push_back(slot);
  const JobQueue::Submitted submitted = pool_->queue_->Submit(job);
  if (submitted.admission != JobQueue::Admission::kQueued) {
    pool_->world_.Fail("a job was refused");
  }
  if (!submitted.wants_worker) return;
  if (pool_->paused_) pool_->world_.Fail("a paused pool wants a worker");
  pool_->StartWorker();
}

void Owner::WriteToRing(uint32_t behaviour) {
  Read();
  const uint32_t slot = FreeSlot();
  if (slot == Journal::kSlots || !pool_->ring_.HasRoom()) return;
  pool_->journal_.Submitted(slot, true);
  order_.push_back(slot);
  pool_->ring_.Write(
      {.slot = slot, .entry = behaviour, .kind = PayloadKind::kNull});
  if (!pool_->ring_.attend()) return;
  if (pool_->queue_->Kick().wants_worker) pool_->StartWorker();
}

void Owner::Burst() {
  for (uint32_t sent = 0; sent <= 2 * TrustPolicy::kRow; sent += 8) {
    for (int i = 0; i < 8; ++i) WriteToRing(kQuick);
    AwaitAll();
  }
}

void Owner::Cancel(bool oldest) {
  Read();
  if (order_.empty()) return;
  CancelOne(oldest ? order_.front() : order_.back());
}

void Owner::CancelOne(uint32_t slot) {
  Job* job = pool_->jobs_->At(slot);
  int64_t next_check = kNever;
  const int64_t now = pool_->world_.now();
  const int64_t slack = pool_->Slack();
  switch (pool_->queue_->Cancel(job, End::kCancelled, now, &next_check)) {
    case JobQueue::Removal::kRemoved:
      pool_->journal_.Settled(slot, true);
      Forget(slot);
      break;
    case JobQueue::Removal::kRunning:
      // Its end may be on its way already.
      pool_->journal_.SetBound(slot,
                               std::min(pool_->journal_.bound(slot),
                                        pool_->world_.now() + kGrace + slack));
      break;
    default:
      break;
  }
  if (next_check != kNever) pool_->watchdog_->Arm(next_check);
}

void Owner::StartMissing() {
  // The pool does this for a worker that has left.
  if (pool_->journal_.queued() != 0 && !pool_->paused_ &&
      pool_->live_ < pool_->max_workers_ + pool_->plan_.reserve) {
    pool_->StartWorker();
  }
}

void Owner::SetWorkers(size_t count) {
  pool_->dismisses_ = pool_->dismisses_ || count < pool_->max_workers_;
  pool_->max_workers_ = count;
  pool_->queue_->SetMaxWorkers(count);
  StartMissing();
}

void Owner::DropQueued() {
  JobList dropped;
  pool_->queue_->DropQueued(&dropped);
  while (Job* job = dropped.PopFront()) {
    pool_->journal_.Settled(job->slot, true);
    Forget(job->slot);
  }
}

// Those that nothing else ends.
void Owner::CancelEndless() {
  for (const uint32_t slot : std::vector(order_)) {
    const Job* job = pool_->jobs_->At(slot);
    const bool ends = job->entry != kEndless || job->deadline != kNever ||
                      job->run_limit != kNever;
    if (!ends) CancelOne(slot);
  }
}

void Owner::AwaitAll() {
  CancelEndless();
  if (pool_->paused_) Step('y');
  if (pool_->max_workers_ == 0) SetWorkers(pool_->plan_.workers);
  for (;;) {
    Read();
    if (pool_->journal_.out() == 0) return;
    StartMissing();
    pool_->watchdog_->OwnerSleeps(pool_->world_.now());
    pool_->waker_->gate.Sleep();
  }
}

void Owner::Step(char letter) {
  JobQueue* queue = pool_->queue_.get();
  pool_->world_.Note(std::string("owner: ") + letter);
  switch (letter) {
    case 'q':
    case 'h':
    case 'k':
      return Submit(kQuick, letter);
    case 'l':
      return Submit(kLong, letter);
    case 'a':
    case 'e':
    case 'u':
      return Submit(kEndless, letter);
    case 'p':
      return Submit(kPolite, letter);
    case 's':
      return Submit(kSpoils, letter);
    case 'r':
      return WriteToRing(kQuick);
    case 'm':
      return WriteToRing(kLong);
    case 'b':
      return Burst();
    case 'c':
    case 'g':
      return Cancel(letter == 'c');
    case 'z':
    case 'y':
      pool_->paused_ = letter == 'z';
      queue->SetPaused(letter == 'z');
      return StartMissing();
    case 't':
      pool_->dismisses_ = true;
      queue->Trim(0);
      return StartMissing();
    case 'd':
      return DropQueued();
    case 'x':
      queue->TerminateAll(End::kShutdown);
      return;
    case 'v':
      if (!order_.empty()) {
        queue->Deliver(pool_->jobs_->At(order_.front()),
                       std::make_unique<Mail>());
      }
      return;
    case 'n':
      for (const auto& worker : pool_->workers_) worker->Wake();
      return;
    case 'o':
      pool_->watchdog_->OwnerSleeps(pool_->world_.now());
      return pool_->world_.SleepUntil(pool_->world_.now() + 20'000'000);
    case 'w':
      return AwaitAll();
    default:
      return SetWorkers(static_cast<size_t>(letter - '0'));
  }
}

void Owner::Run() {
  pool_->watchdog_->Add(pool_->queue_.get());
  for (const char letter : pool_->plan_.script) Step(letter);
  AwaitAll();
  Finish();
}

void Owner::Finish() {
  World* world = &pool_->world_;
  pool_->queue_->Close();
  while (pool_->live_ != 0) pool_->waker_->gate.Sleep();
  const JobQueue::Counts counts = pool_->queue_->GetCounts();
  if (counts.queued + counts.running + counts.workers + counts.idle != 0) {
    world->Fail("counts are not 0 at the end");
  }
  if (pool_->done_->MaybePending()) world->Fail("an end was not read");
  if (pool_->journal_.settled() != pool_->journal_.submitted()) {
    world->Fail("not every job has settled");
  }
  pool_->watchdog_->Remove(pool_->queue_.get());
  // The watchdog's thread ends here.
  pool_->watchdog_.reset();
}

}  // namespace sloppy::workers::sim

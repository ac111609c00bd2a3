#include "test/sim/pool_world.h"

#include <algorithm>
#include <utility>

#include "job/answer_ring.h"
#include "test/sim/owner.h"
#include "test/sim/sim_worker.h"

namespace sloppy::workers::sim {
namespace {

// How long one worker may be trusted with a job that was thought to be tiny.
constexpr int64_t kMaxTrust = 2 * JobQueue::kLookEvery;

class FibreThread : public Watchdog::Thread {
 public:
  explicit FibreThread(World* world) : world_(world) {}
  bool Start(void (*run)(void*), void* argument) override {
    world_->Spawn("watchdog", [this, run, argument] {
      run(argument);
      ended_ = true;
      world_->NotifyAll(this);
    });
    return true;
  }
  void Join() override {
    while (!ended_) world_->WaitOn(this);
  }

 private:
  World* const world_;
  bool ended_ = false;
};

}  // namespace

void Journal::Submitted(uint32_t slot, bool counts) {
  Row& row = of_[slot];
  if (row.state != State::kFree) world_->Fail("a slot was used twice");
  row = {.state = State::kQueued, .counts = counts, .number = submitted_};
  world_->Note("job " + std::to_string(slot) + " is submitted");
  ++out_;
  ++submitted_;
  if (counts) ++queued_;
}

void Journal::Started(uint32_t slot) {
  Row& row = of_[slot];
  if (row.state != State::kQueued) world_->Fail("a job started twice");
  row.state = State::kRunning;
  world_->Note("job " + std::to_string(slot) + " starts");
  if (row.counts) --queued_;
  // One whose limit was over before it began is ended at once.
  if (row.bound != kNever) {
    row.bound = std::max(row.bound, world_->now() + JobQueue::kLookEvery);
  }
  ++running_;
}

void Journal::Ended(uint32_t slot, uint32_t worker, bool terminated) {
  Row& row = of_[slot];
  if (row.state != State::kRunning) world_->Fail("a job ended twice");
  if (row.bound != kNever && world_->now() > row.bound) {
    world_->Fail("a job ended " + std::to_string(world_->now() - row.bound) +
                 " ns after its bound" + (terminated ? ", terminated" : ""));
  }
  row.state = State::kEnded;
  row.worker = worker;
  row.end = ++ended_;
  world_->Note("job " + std::to_string(slot) + " ends");
  --running_;
}

void Journal::Settled(uint32_t slot, bool removed) {
  Row& row = of_[slot];
  if (row.state != (removed ? State::kQueued : State::kEnded)) {
    world_->Fail(removed ? "a job was removed that is not queued"
                         : "a job settled that has not ended");
  }
  if (removed && row.counts) --queued_;
  if (!removed) {
    if (row.unheard) world_->Fail("an end overtakes its job's message");
    size_t& read = read_[row.worker];
    if (row.end < read) world_->Fail("an end overtakes one of its worker");
    read = row.end;
  }
  row.state = State::kFree;
  --out_;
  ++settled_;
}

PoolWorld::PoolWorld(const Plan& plan, Chooser* chooser)
    : plan_(plan), world_(chooser), max_workers_(plan.workers) {
  done_ = std::make_unique<CompletionQueue>(waker_);
  jobs_ = std::make_unique<JobTable>();
  for (uint32_t i = 0; i < Journal::kSlots; ++i) jobs_->At(i);
  watchdog_ =
      std::make_unique<Watchdog>(std::make_unique<FibreThread>(&world_));
  queue_ = std::make_unique<JobQueue>(
      JobQueue::Options{.capacity = Journal::kSlots,
                        .max_workers = plan.workers,
                        .reserve = plan.reserve,
                        .shared = plan.shared,
                        .order = {.aging = plan.aging,
                                  .deadline_first = plan.deadline_first}},
      jobs_.get(),
      std::make_unique<SubmitRing>(nullptr, ring_.block(), 0, kNever));
}

PoolWorld::~PoolWorld() = default;

void PoolWorld::StartWorker() {
  const auto number = static_cast<uint32_t>(workers_.size() + 1);
  workers_.push_back(std::make_unique<SimWorker>(this, number));
  ++live_;
  world_.Spawn("worker " + std::to_string(number),
               [worker = workers_.back().get()] { worker->Run(); });
}

// Nobody can run. A job that a sleeping worker could take would stay there.
void PoolWorld::CheckQuiet() {
  bool sleeps = false;
  for (const auto& worker : workers_) sleeps = sleeps || worker->asleep();
  const bool starves = sleeps && !paused_ && journal_.queued() != 0 &&
                       journal_.running() < max_workers_;
  if (!starves) {
    starved_since_ = kNever;
    return;
  }
  if (!queue_->IsOneEnough()) {
    world_.Report("a job is queued while a worker sleeps");
    return;
  }
  if (starved_since_ == kNever) starved_since_ = world_.now();
  if (world_.now() - starved_since_ > kMaxTrust) {
    world_.Report("one worker was trusted for too long");
  }
}

// Jobs that were there before it, and are no less urgent, have been taken as
// well. One of a home may have been left to another worker.
void PoolWorld::CheckOrder(const Job* taken) {
  if (taken->pinned) return;
  for (uint32_t slot = 0; slot < Journal::kSlots; ++slot) {
    const Job* job = jobs_->At(slot);
    if (job->state != Job::State::kQueued || job->home != 0) continue;
    if (!journal_.IsOlder(slot, taken->slot)) continue;
    if (job->priority > taken->priority) continue;
    if (plan_.deadline_first && job->deadline > taken->deadline) continue;
    world_.Fail("job " + std::to_string(taken->slot) + " overtakes job " +
                std::to_string(slot));
  }
}

std::string PoolWorld::Run() {
  world_.WhenQuiet([this] { CheckQuiet(); });
  Owner owner(this);
  world_.Spawn("owner", [&owner] { owner.Run(); });
  world_.Run();
  if (!world_.failure().empty()) {
    // Fibres that never ended still refer to all of it.
    (void)watchdog_.release();
    (void)queue_.release();
    (void)done_.release();
  }
  return world_.failure();
}

}  // namespace sloppy::workers::sim

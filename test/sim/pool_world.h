// A pool in a simulated world: an owner that follows a script, workers, and the
// watchdog, over the real JobQueue, rings, CompletionQueue and Watchdog.
#ifndef SLOPPY_WORKERS_TEST_SIM_POOL_WORLD_H_
#define SLOPPY_WORKERS_TEST_SIM_POOL_WORLD_H_

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/wake_gate.h"
#include "job/completion_queue.h"
#include "job/job_table.h"
#include "pool/job_queue.h"
#include "pool/watchdog.h"
#include "test/sim/world.h"
#include "test/unit/pool/ring_writer.h"

namespace sloppy::workers::sim {

// One letter a step of the owner, see Owner::Step.
struct Plan {
  std::string script;
  size_t workers = 2;
  size_t reserve = 0;
  bool shared = false;
  bool deadline_first = false;
  int64_t aging = kNever;
  uint32_t departures = 2;  // The most in a small world's schedules.
};

// The record that the invariants are checked against, kept by the actors
// themselves.
class Journal {
 public:
  static constexpr uint32_t kSlots = 24;
  enum class State : uint8_t { kFree, kQueued, kRunning, kEnded };

  explicit Journal(World* world) : world_(world) {}

  void Submitted(uint32_t slot, bool counts);
  void Started(uint32_t slot);
  void Ended(uint32_t slot, uint32_t worker, bool terminated);
  // Its worker sends a message of the job; it has reached the owner.
  void Sent(uint32_t slot) { of_[slot].unheard = true; }
  void Heard(uint32_t slot) { of_[slot].unheard = false; }
  // Its end has reached the owner, or the owner took it back.
  void Settled(uint32_t slot, bool removed);

  bool IsFree(uint32_t slot) const { return of_[slot].state == State::kFree; }
  size_t out() const { return out_; }
  size_t queued() const { return queued_; }
  size_t running() const { return running_; }
  size_t settled() const { return settled_; }
  size_t submitted() const { return submitted_; }
  // The time at which a job must have ended, whatever its code does.
  void SetBound(uint32_t slot, int64_t bound) { of_[slot].bound = bound; }
  // Two jobs are out.
  bool IsOlder(uint32_t slot, uint32_t than) const {
    return of_[slot].number < of_[than].number;
  }
  int64_t bound(uint32_t slot) const { return of_[slot].bound; }

 private:
  struct Row {
    State state = State::kFree;
    bool counts = false;  // Any worker may take it.
    int64_t bound = kNever;
    size_t number = 0;  // Its submission's.
    bool unheard = false;
    uint32_t worker = 0;  // The one that has ended it.
    size_t end = 0;       // The number of its end.
  };
  World* const world_;
  Row of_[kSlots];
  size_t out_ = 0;
  size_t queued_ = 0;
  size_t running_ = 0;
  size_t settled_ = 0;
  size_t submitted_ = 0;
  size_t ended_ = 0;
  // The end that was read last, by worker.
  std::unordered_map<uint32_t, size_t> read_;
};

class SimWorker;

class PoolWorld {
 public:
  PoolWorld(const Plan& plan, Chooser* chooser);
  ~PoolWorld();
  PoolWorld(const PoolWorld&) = delete;
  PoolWorld& operator=(const PoolWorld&) = delete;

  // Empty if all went well.
  std::string Run();
  World* world() { return &world_; }

 private:
  friend class Owner;
  friend class SimWorker;

  class Waker : public OwnerWaker {
   public:
    void WakeOwner() override { gate.Wake(); }
    WakeGate gate;
  };

  void StartWorker();
  void CheckQuiet();
  // A worker has taken the job.
  void CheckOrder(const Job* taken);
  // How late a job may end: by a look of the watchdog, and for a worker with
  // several jobs, patience with code that does not yield.
  int64_t Slack() const {
    const int64_t patience = JobQueue::kLongPatience + 2 * JobQueue::kPatience;
    return JobQueue::kLookEvery + (plan_.shared ? patience : 0);
  }

  const Plan plan_;
  World world_;
  Journal journal_{&world_};
  std::shared_ptr<Waker> waker_ = std::make_shared<Waker>();
  std::unique_ptr<CompletionQueue> done_;
  std::unique_ptr<JobTable> jobs_;
  RingWriter ring_;
  std::unique_ptr<Watchdog> watchdog_;
  std::unique_ptr<JobQueue> queue_;
  std::vector<std::unique_ptr<SimWorker>> workers_;
  size_t live_ = 0;  // Workers that have not left.
  size_t max_workers_ = 0;
  size_t renewing_ = 0;
  bool paused_ = false;
  bool dismisses_ = false;  // Some worker may have to leave.
  int64_t starved_since_ = kNever;
};

}  // namespace sloppy::workers::sim

#endif  // SLOPPY_WORKERS_TEST_SIM_POOL_WORLD_H_

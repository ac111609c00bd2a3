// The part of worker/ towards a pool, without V8: takes jobs, runs them in
// virtual time, ends them, sleeps.
#ifndef SLOPPY_WORKERS_TEST_SIM_SIM_WORKER_H_
#define SLOPPY_WORKERS_TEST_SIM_SIM_WORKER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "base/wake_gate.h"
#include "pool/pool_worker.h"
#include "test/sim/pool_world.h"

namespace sloppy::workers::sim {

// How a job behaves: its entry.
enum Behaviour : uint32_t {
  kQuick = 7,  // Takes no time.
  kLong,       // Computes for kLongNs.
  kEndless,    // Runs until it is terminated.
  kPolite,     // Runs until it sees that it is cancelled.
  kSpoils,     // Its worker renews itself afterwards.
};
inline constexpr int64_t kLongNs = 5'000'000;

class SimWorker : public PoolWorker {
 public:
  SimWorker(PoolWorld* pool, uint32_t number) : pool_(pool), number_(number) {}

  void Run();
  // It could take a job: one that must leave stays until what it has parked
  // has ended.
  bool asleep() const {
    return asleep_ && (parked_.empty() || !pool_->dismisses_);
  }
  bool gone() const { return gone_; }

  void Wake() override;
  void Terminate() override;
  void PostMail(std::unique_ptr<Mail>) override {
    MustBeThere();
    Wake();
  }
  int64_t CpuTime() const override;
  uint32_t number() const override { return number_; }

 private:
  bool Accept(JobQueue::Taken taken, int64_t next_check);
  void Execute(Job* job);
  void Finish(Job* job, bool terminated);
  void Renew();
  // A message of the job.
  void Send(uint32_t slot);
  void EndLate(Job* next);
  bool EndParked();
  // Called with the queue's lock held: its owner frees a worker that has left.
  void MustBeThere() const;
  void Sleep();
  void ComputeUntil(int64_t when, const Job* job);

  PoolWorld* const pool_;
  const uint32_t number_;
  WakeGate gate_;
  bool terminated_ = false;
  bool asleep_ = false;
  bool gone_ = false;
  int64_t cpu_ = 0;
  int64_t busy_since_ = -1;
  uint32_t seen_ = 0;
  std::vector<Job*> parked_;
};

}  // namespace sloppy::workers::sim

#endif  // SLOPPY_WORKERS_TEST_SIM_SIM_WORKER_H_

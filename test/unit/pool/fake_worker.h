#ifndef SLOPPY_WORKERS_TEST_UNIT_POOL_FAKE_WORKER_H_
#define SLOPPY_WORKERS_TEST_UNIT_POOL_FAKE_WORKER_H_

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "base/wake_gate.h"
#include "pool/pool_worker.h"

namespace sloppy::workers {

// A worker without a thread: counts what the pool asks of it.
class FakeWorker : public PoolWorker {
 public:
  void Wake() override {
    ++wakes;
    gate.Wake();
  }
  void Terminate() override { ++terminations; }
  void Look() override { ++looks; }
  void ReportStuck(bool prepares) override {
    ++(prepares ? stuck_in_init : stuck_at_end);
  }
  bool CanReleaseMemory() override { return wants_rest; }
  void ReleaseMemory() override { ++rests; }
  void PostMail(std::unique_ptr<Mail> letter) override {
    mail.push_back(std::move(letter));
  }
  int64_t CpuTime() const override { return cpu_time; }
  bool HasStrays() const override { return has_strays; }
  uint64_t Turns() const override { return turns; }

  WakeGate gate;
  std::vector<std::unique_ptr<Mail>> mail;
  std::atomic<int> wakes{0};
  std::atomic<int> terminations{0};
  std::atomic<int> looks{0};
  int stuck_in_init = 0;
  int stuck_at_end = 0;
  std::atomic<bool> wants_rest{false};
  std::atomic<int> rests{0};
  std::atomic<int64_t> cpu_time{0};
  std::atomic<bool> has_strays{false};
  std::atomic<uint64_t> turns{0};
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_TEST_UNIT_POOL_FAKE_WORKER_H_

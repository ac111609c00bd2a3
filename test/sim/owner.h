// The thread that submits, cancels, resizes and stops, as its script says.
#ifndef SLOPPY_WORKERS_TEST_SIM_OWNER_H_
#define SLOPPY_WORKERS_TEST_SIM_OWNER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "test/sim/pool_world.h"

namespace sloppy::workers::sim {

class Owner {
 public:
  explicit Owner(PoolWorld* pool) : pool_(pool) {}

  void Run();

  // The letters of a script:
  //   q l e p s   submit a job: quick, long, endless or polite with a limit,
  //   one
  //               after which its worker renews itself
  //   a           an endless one without a limit, which has a grace
  //   r m         through the ring: quick, long
  //   b           so many quick ones that jobs are thought to be tiny
  //   h           a quick one with a home; k: pinned to a worker
  //   u           an urgent one with a limit of its run
  //   c g         cancel the oldest, the newest that is out
  //   0 1 2 3     as many workers
  //   z y         pause, go on
  //   t d x       trim, drop what is queued, terminate all
  //   v           a message to the oldest job that is out
  //   n o         wake the workers for nothing; sleep, as the owner's loop does
  //   w           wait until all that is out has settled
  static constexpr char kLetters[] = "qlepsarmbhkucg0123zytdxvnow";

 private:
  void Step(char letter);
  void Submit(uint32_t behaviour, char letter);
  void WriteToRing(uint32_t behaviour);
  void Burst();
  void Cancel(bool oldest);
  void CancelOne(uint32_t slot);
  void Forget(uint32_t slot);
  void SetWorkers(size_t count);
  void DropQueued();
  void Read();
  void AwaitAll();
  void Finish();
  void StartMissing();
  void TakeBackPinned();
  void CancelEndless();
  uint32_t FreeSlot();

  PoolWorld* const pool_;
  std::vector<uint32_t> order_;  // Slots by their submission.
  // Pinned jobs that are out, and the numbers of their workers.
  std::vector<std::pair<uint32_t, size_t>> pinned_;
  uint32_t homes_ = 0;
};

}  // namespace sloppy::workers::sim

#endif  // SLOPPY_WORKERS_TEST_SIM_OWNER_H_

// The plans of worlds: small ones, of which every schedule is tried, and random
// large ones.
#ifndef SLOPPY_WORKERS_TEST_SIM_SMALL_WORLDS_H_
#define SLOPPY_WORKERS_TEST_SIM_SMALL_WORLDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "test/sim/owner.h"
#include "test/sim/pool_world.h"
#include "test/unit/model/choices.h"

namespace sloppy::workers::sim {

// Two workers and about three jobs, with a cancellation, a limit, a resize or a
// stop among them. The letters are Owner's.
inline const std::vector<Plan>& SmallWorlds() {
  static const std::vector<Plan> worlds = {
      {.script = "qqq"},
      {.script = "qwq"},
      {.script = "rwr"},
      {.script = "rwrr"},
      {.script = "qwrq"},
      {.script = "lqc"},
      {.script = "eqw"},
      {.script = "pqg"},
      {.script = "aqw"},
      {.script = "uq1"},
      {.script = "qq1wq2q"},
      {.script = "zqqyw"},
      {.script = "qwtq"},
      {.script = "lqdq"},
      {.script = "lrxr"},
      {.script = "qwhh"},
      {.script = "qwkq"},
      {.script = "qwnq"},
      {.script = "sqs"},
      {.script = "qqq", .workers = 1, .reserve = 1},
      {.script = "qlq", .shared = true},
      {.script = "eqg", .shared = true},
      {.script = "baqooooooooow", .departures = 1},
  };
  return worlds;
}

inline Plan RandomPlan(uint64_t seed) {
  model::Choices random(seed ^ 0x5eed);
  Plan plan;
  plan.workers = 1 + random.Next(3);
  plan.reserve = random.Next(6) == 0 ? 1 : 0;
  plan.shared = random.Next(4) == 0;
  plan.deadline_first = random.Next(5) == 0;
  if (random.Next(5) == 0) plan.aging = 1000;
  // Some letters are rarer in this world than in others.
  const size_t letters = sizeof(Owner::kLetters) - 1;
  std::string likely;
  for (int i = 0; i < 6; ++i) likely += Owner::kLetters[random.Next(letters)];
  const uint32_t steps = 5 + random.Next(30);
  for (uint32_t i = 0; i < steps; ++i) {
    plan.script += random.Next(3) == 0 ? Owner::kLetters[random.Next(letters)]
                                       : likely[random.Next(likely.size())];
  }
  if (random.Next(4) == 0) plan.script = "b" + plan.script;
  return plan;
}

}  // namespace sloppy::workers::sim

#endif  // SLOPPY_WORKERS_TEST_SIM_SMALL_WORLDS_H_

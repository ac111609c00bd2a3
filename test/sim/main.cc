// The pool in simulated worlds:
//
//   sw_sim                      small worlds, then random ones
//   sw_sim --bounded            small worlds: all schedules with at most
//                               --departures (2) from the first, --most each
//   sw_sim --random N --seed S  N random worlds from seed S on
//   sw_sim --replay S           that random world again, with its schedule
//   sw_sim --small K --choices 0,2,1   a small world with given choices
//
// A failing world prints how to have it again, and its schedule.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "test/sim/choosers.h"
#include "test/sim/pool_world.h"
#include "test/sim/small_worlds.h"

namespace sloppy::workers::sim {
namespace {

void PrintTrace(World* world) {
  for (const std::string& line : world->trace()) {
    std::printf("    %s\n", line.c_str());
  }
}

std::string DescribePlan(const Plan& plan) {
  return "script " + plan.script + ", workers " + std::to_string(plan.workers) +
         ", reserve " + std::to_string(plan.reserve) +
         (plan.shared ? ", shared" : "");
}

bool PlayRandom(uint64_t seed, bool trace) {
  const Plan plan = RandomPlan(seed);
  RandomChooser chooser(seed);
  PoolWorld pool(plan, &chooser);
  if (trace) pool.world()->TraceSwitches();
  const std::string failure = pool.Run();
  if (trace) PrintTrace(pool.world());
  if (failure.empty()) return true;
  std::printf("FAIL seed %llu: %s\n  %s\n  replay: sw_sim --replay %llu\n",
              static_cast<unsigned long long>(seed), failure.c_str(),
              DescribePlan(plan).c_str(),
              static_cast<unsigned long long>(seed));
  return false;
}

// All schedules with at most that many departures, or the first `most`.
bool PlayBounded(size_t at, uint32_t departures, uint64_t most,
                 uint64_t* played) {
  const Plan plan = SmallWorlds()[at];
  BoundedChooser chooser(std::min(departures, plan.departures));
  uint64_t count = 0;
  do {
    chooser.Begin();
    std::string failure;
    {
      PoolWorld pool(plan, &chooser);
      failure = pool.Run();
    }
    ++count;
    if (!failure.empty()) {
      std::printf("FAIL small world %zu: %s\n  %s\n", at, failure.c_str(),
                  DescribePlan(plan).c_str());
      std::printf("  replay: sw_sim --small %zu --choices %s\n", at,
                  chooser.Describe().c_str());
      return false;
    }
  } while (count < most && chooser.Next());
  *played += count;
  std::printf("  small world %zu (%s): %llu schedules%s\n", at,
              plan.script.c_str(), static_cast<unsigned long long>(count),
              count == most ? ", cut" : "");
  return true;
}

bool ReplaySmall(size_t at, const char* choices) {
  GivenChooser chooser(choices);
  PoolWorld pool(SmallWorlds()[at], &chooser);
  pool.world()->TraceSwitches();
  const std::string failure = pool.Run();
  PrintTrace(pool.world());
  std::printf("%s\n", failure.empty() ? "no failure" : failure.c_str());
  return failure.empty();
}

uint64_t NumberAfter(int argc, char** argv, const char* name,
                     uint64_t or_else) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0)
      return std::strtoull(argv[i + 1], nullptr, 10);
  }
  return or_else;
}

bool Has(int argc, char** argv, const char* name) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], name) == 0) return true;
  }
  return false;
}

int Main(int argc, char** argv) {
  if (Has(argc, argv, "--replay")) {
    return PlayRandom(NumberAfter(argc, argv, "--replay", 0), true) ? 0 : 1;
  }
  if (Has(argc, argv, "--choices")) {
    return ReplaySmall(NumberAfter(argc, argv, "--small", 0), argv[argc - 1])
               ? 0
               : 1;
  }
  uint64_t schedules = 0;
  uint64_t failed = 0;
  if (!Has(argc, argv, "--random")) {
    const auto departures =
        static_cast<uint32_t>(NumberAfter(argc, argv, "--departures", 2));
    const uint64_t most = NumberAfter(argc, argv, "--most", UINT64_MAX);
    for (size_t at = 0; at < SmallWorlds().size(); ++at) {
      if (!PlayBounded(at, departures, most, &schedules)) ++failed;
    }
  }
  if (!Has(argc, argv, "--bounded")) {
    const uint64_t count = NumberAfter(argc, argv, "--random", 100'000);
    const uint64_t seed = NumberAfter(argc, argv, "--seed", 1);
    for (uint64_t i = 0; i < count && failed < 3; ++i) {
      if (!PlayRandom(seed + i, false)) ++failed;
      ++schedules;
    }
  }
  std::printf("%llu schedules, %llu failed\n",
              static_cast<unsigned long long>(schedules),
              static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sloppy::workers::sim

int main(int argc, char** argv) {
  return sloppy::workers::sim::Main(argc, argv);
}

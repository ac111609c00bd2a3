// The state that all pools of one environment share, and the fixed facts of one
// pool. Worker threads hold both by shared_ptr, because they may outlive the
// owner's handles by the moment it takes them to leave.
#ifndef SLOPPY_WORKERS_POOL_ENV_CORE_H_
#define SLOPPY_WORKERS_POOL_ENV_CORE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/protocol_gen.h"
#include "job/completion_queue.h"
#include "job/entry_table.h"
#include "job/job_table.h"
#include "payload/shape_table.h"
#include "pool/job_queue.h"
#include "pool/shared_values.h"
#include "pool/used_builtins.h"
#include "pool/watchdog.h"

namespace sloppy::workers {

struct EnvCore {
  EnvCore(std::shared_ptr<OwnerWaker> waker,
          std::unique_ptr<Watchdog::Thread> thread)
      : completions(std::move(waker)), watchdog(std::move(thread)) {}

  CompletionQueue completions;
  // By slot; the owner's. Here, because a thread that could not be stopped
  // still writes to its job when the environment is gone.
  JobTable jobs;
  EntryTable entries;
  ShapeTable shapes;
  Watchdog watchdog;
};

using wire::Isolation;

// A text of a pool that may change; any thread.
template <typename Text>
class PoolText {
 public:
  void Set(Text text) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    text_ = std::move(text);
  }
  Text Get() SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return text_;
  }

 private:
  Mutex mutex_;
  Text text_ SW_GUARDED_BY(mutex_);
};

struct PoolConfig {
  uint32_t id = 0;
  size_t memory_limit_bytes = size_t{128} << 20;
  size_t max_module_bytes = size_t{8} << 20;
  std::string code_directory;  // An absolute path, or empty for none.
  double max_result_bytes = std::numeric_limits<double>::infinity();
  size_t max_microtasks = 1'000'000;
  int64_t spin_ns = 0;
  int64_t grace_ns = 0;           // As Job::grace, of all jobs.
  int64_t cpu_limit_ns = kNever;  // As Job::cpu_limit, of all jobs.
  Isolation isolation = Isolation::kWorker;
  // Jobs that await share their worker if it is beyond one.
  size_t jobs_per_worker = 1;
  // The limits at which an isolate is replaced with nothing wrong with it.
  double recycle_after_jobs = std::numeric_limits<double>::infinity();
  double recycle_above_bytes = std::numeric_limits<double>::infinity();
  bool announce_idle = false;      // Call the realm's onIdle before sleeping.
  bool ends_with_isolate = false;  // An isolate that is lost ends its worker.
  // Realms need nothing of the runtime before their first job.
  bool late_runtime = false;
  bool allow_eval = true;
  bool allow_wasm = true;
  int nice = 0;  // How much less urgent than the owner its threads are.
  std::u16string realm_options;   // JSON for src/runtime/bootstrap.js
  std::u16string system_numbers;  // JSON as well; few jobs ask for it.
};

struct PoolCore {
  PoolCore(std::shared_ptr<EnvCore> env_core, PoolConfig pool_config,
           const JobQueue::Options& limits, std::unique_ptr<SubmitRing> ring)
      : env(std::move(env_core)),
        config(std::move(pool_config)),
        queue(limits, &env->jobs, std::move(ring)) {
    env->watchdog.Add(&queue);
  }
  ~PoolCore() { env->watchdog.Remove(&queue); }
  PoolCore(const PoolCore&) = delete;
  PoolCore& operator=(const PoolCore&) = delete;

  const std::shared_ptr<EnvCore> env;
  // Debuggers show it. A spare gets that of its pool late.
  PoolText<std::string> name;
  // JSON, of which few jobs ask. A pool that grows may add to it.
  PoolText<std::u16string> process_facts;
  const PoolConfig config;
  JobQueue queue;
  // Owner: the number of the last worker.
  uint32_t last_worker = 0;
  // The data of which each realm's init gets a copy; set before the first
  // worker.
  Payload init_data;
  // The values of context.shared.
  SharedValues shared;
  UsedBuiltins used_builtins;
  // A job has looked for globals, so later realms define them ahead.
  std::atomic<bool> uses_globals{false};
  // A job has needed the runtime, or a function will: later realms start it
  // before they take a job.
  std::atomic<bool> uses_runtime{false};
  // The owner has a listener for errors that nothing in a worker caught, and
  // for what workers print.
  std::atomic<bool> owner_listens{false};
  std::atomic<bool> owner_hears{false};
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_ENV_CORE_H_

// The processes of an environment that ends with its thread, not with the
// process: a worker_threads Worker that has a pool with `runtime: 'process'`.
// Node waits for a child in the loop of the thread that has started it; once
// that loop is gone, the child would stay a zombie until the process ends.
#ifndef SLOPPY_WORKERS_BINDING_OWNED_PROCESSES_H_
#define SLOPPY_WORKERS_BINDING_OWNED_PROCESSES_H_

#include <set>

namespace sloppy::workers {

// Owner thread.
class OwnedProcesses {
 public:
  OwnedProcesses() = default;
  // Ends the processes that are left, and waits for them on a thread of its
  // own. Nothing where the system has no zombies.
  ~OwnedProcesses();
  OwnedProcesses(const OwnedProcesses&) = delete;
  OwnedProcesses& operator=(const OwnedProcesses&) = delete;

  // A child of this process.
  void Adopt(int pid) { pids_.insert(pid); }

  // Node has waited for it: the number may be another one's.
  void Release(int pid) { pids_.erase(pid); }

 private:
  std::set<int> pids_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BINDING_OWNED_PROCESSES_H_

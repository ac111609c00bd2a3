// A simulated world: threads are fibres of which one runs at a time, time is
// virtual, and a chooser decides who goes on at each point of choice. The same
// choices give the same run.
//
// The core's sources are compiled against the mutex and the atomics of
// shadow/base, whose operations are the points. What differs from a machine:
// memory is always in order (test/unit/model has the weak orders), and time
// passes only while nobody can run.
#ifndef SLOPPY_WORKERS_TEST_SIM_WORLD_H_
#define SLOPPY_WORKERS_TEST_SIM_WORLD_H_

#include <setjmp.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sloppy::workers::sim {

inline constexpr int64_t kForever = INT64_MAX;

// Chooses among the fibres that can run.
class Chooser {
 public:
  virtual ~Chooser() = default;
  // A number below `count`, which is at least 2. `preempts`: 0 lets the fibre
  // that runs go on, and any other number takes its turn away.
  virtual uint32_t Choose(uint32_t count, bool preempts) = 0;
};

class World {
 public:
  explicit World(Chooser* chooser) : chooser_(chooser) {}
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // The one that runs, nullptr for none.
  static World* Current() { return current_world_; }

  // Called before Run(), or by a fibre.
  void Spawn(std::string name, std::function<void()> body);
  // Returns when every fibre has ended, or one of them has called Fail().
  void Run();

  // Fibres call the functions that follow.

  void Point();
  // True once Notify(key) was called; false when the time came first.
  bool WaitOn(const void* key, int64_t until = kForever);
  void NotifyOne(const void* key);
  void NotifyAll(const void* key);
  void SleepUntil(int64_t when) { WaitOn(nullptr, when); }
  int64_t now() const { return now_; }
  // Ends the run, and does not return.
  [[noreturn]] void Fail(std::string what);
  // The fibre that runs has changed what others can see: it does more than
  // look.
  void Changed() { looks_ = 0; }

  // A lock was taken, or given back, by the fibre that runs.
  void OnLock(const void* lock);
  void OnUnlock(const void* lock);

  // Called while nobody can run, before time passes; may call Report().
  void WhenQuiet(std::function<void()> check) { quiet_ = std::move(check); }
  void Report(std::string what);

  const std::string& failure() const { return failure_; }
  const std::vector<std::string>& trace() const { return trace_; }
  void TraceSwitches() { traces_ = true; }
  void Note(const std::string& what);

 private:
  // Bounds of threads that spin, or wake others in circles, without an end.
  static constexpr uint64_t kMaxSteps = 200'000;
  static constexpr uint32_t kMaxAlone = 300;
  // Points without a change between them.
  static constexpr uint32_t kMaxLooks = 300;
  static constexpr size_t kStackBytes = size_t{128} << 10;

  struct Fibre {
    std::string name;
    std::function<void()> body;
    ucontext_t start;
    bool entered = false;
    jmp_buf left;
    std::unique_ptr<char[]> stack;
    const void* key = nullptr;
    int64_t until = kForever;
    bool blocked = false;
    bool notified = false;
    bool ended = false;
    std::vector<const void*> locks;
  };

  static void Enter(unsigned high, unsigned low);
  void Leave();
  std::vector<size_t> Able() const;
  void SwitchTo(size_t next);
  [[noreturn]] static void Resume(Fibre* fibre);
  // The fibre that runs cannot go on.
  void Yield();
  bool PassTime();
  void Wake(Fibre* fibre);
  bool Reaches(const void* from, const void* to) const;

  static inline thread_local World* current_world_ = nullptr;
  static inline std::vector<std::unique_ptr<char[]>> stacks_;

  Chooser* const chooser_;
  std::vector<std::unique_ptr<Fibre>> fibres_;
  size_t self_ = 0;
  jmp_buf main_;
  int64_t now_ = 1'000'000'000;
  uint64_t steps_ = 0;
  uint32_t alone_ = 0;
  uint32_t looks_ = 0;
  std::function<void()> quiet_;
  // Locks that were taken while the first was held.
  std::vector<std::pair<const void*, const void*>> order_;
  std::string failure_;
  std::vector<std::string> trace_;
  bool traces_ = false;
  bool over_ = false;
};

}  // namespace sloppy::workers::sim

#endif  // SLOPPY_WORKERS_TEST_SIM_WORLD_H_

// Decides whether one worker is enough for a pool ("one is enough"): where jobs
// are so short that one worker keeps up with the owner, a second one would only
// take the owner's core and its cache lines. The line that falls without it:
// round-trip-2 of bench/.
//
// Jobs are counted in rows of kRow per worker. A row that took less than kRow
// times the limit is quick, and from then on jobs are tiny(). Trust lasts for
// an interval, after which Check() looks at the window since the last look.
//
// Invariants
// (1) It reads neither a clock nor a worker: time and CPU time are arguments,
//     in nanoseconds. JobQueue's mutex guards it.
// (2) tiny() becomes true by a quick row only, and false by Check() or Forget()
//     only.
// (3) kTrust <= interval <= kMoreTrust. It doubles only after a window with
//     many quick rows and hardly a slow one.
// (4) A doubt shortens the interval to kTrust; the one before it comes back if
//     the next look finds the jobs quick, and never otherwise.
//
// Held by: (1) (2) (3) (4) test/unit/pool/trust_policy_test.cc.
#ifndef SLOPPY_WORKERS_POOL_TRUST_POLICY_H_
#define SLOPPY_WORKERS_POOL_TRUST_POLICY_H_

#include <cstdint>

namespace sloppy::workers {

class TrustPolicy {
 public:
  // Jobs of one row, and how long a tiny job may take by default.
  static constexpr uint32_t kRow = 32;
  static constexpr int64_t kTiny = 2'000;
  // The first interval, and the longest one.
  static constexpr int64_t kTrust = 1'000'000;
  static constexpr int64_t kMoreTrust = 16 * kTrust;
  // Quick rows for each slow one that double the interval.
  static constexpr uint32_t kManyRows = 16;
  // How long a worker without a core keeps the trust that it has earned.
  static constexpr int64_t kLongTrust = 8 * kTrust;

  // The row of one worker. The time without jobs does not count.
  class Row {
   public:
    bool is_paused() const { return paused_at_ != 0; }
    void Pause(int64_t now) { paused_at_ = now; }

   private:
    friend class TrustPolicy;
    uint32_t jobs_ = 0;
    int64_t since_ = 0;
    int64_t paused_at_ = 0;
  };

  // The queue's load at a look.
  struct Load {
    bool may_trust;   // Jobs are tiny, and the queue lets one worker do them.
    bool has_runner;  // A worker runs a job or was woken for one.
    bool is_empty;    // No job is queued or running.
  };

  explicit TrustPolicy(int64_t tiny_limit) : tiny_limit_(tiny_limit) {}

  bool tiny() const { return tiny_; }

  // A worker takes a job. True if Measure() must follow with the time, which
  // is so once in a row and after a pause: reading the clock costs as much as
  // a tiny job.
  bool Count(Row* row) {
    window_.has_jobs = true;
    return ++row->jobs_ > kRow || row->is_paused();
  }
  void Measure(Row* row, int64_t now);
  // The time to look at a worker that takes a job `now`.
  int64_t DueAfter(int64_t now);

  // Whether a look makes sense with this load.
  bool MustCheck(const Load& load) const;
  bool IsDue(int64_t now) const { return due_at_ <= now; }
  int64_t due_at() const { return due_at_; }
  // Ends the window. `cpu`: what the workers with a job have spent so far, -1
  // if unknown. When to look next; kNever once one is not enough any more.
  int64_t Check(int64_t now, int64_t cpu);

  // The owner is about to sleep, so the job that runs may be a long one.
  // When to look. REQUIRES: CanDoubt().
  bool CanDoubt() const { return interval_ != kTrust; }
  int64_t Doubt(int64_t now, int64_t cpu);

  // The jobs to come need not be like those before.
  void Forget() { tiny_ = false; }

 private:
  // The events since the last look.
  struct Window {
    int64_t begun_at = 0;
    int64_t cpu = 0;  // CPU time of the workers with a job, when it began.
    uint32_t quick_rows = 0;
    uint32_t slow_rows = 0;
    bool has_jobs = false;  // A job was taken.
  };

  void EndRow(int64_t took, int64_t now);

  const int64_t tiny_limit_;
  bool tiny_ = false;
  Window window_;
  int64_t due_at_ = 0;
  int64_t interval_ = kTrust;
  // 0 unless a doubt has shortened it.
  int64_t interval_before_doubt_ = 0;
  // The last look that found the jobs quick.
  int64_t earned_at_ = 0;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_POOL_TRUST_POLICY_H_

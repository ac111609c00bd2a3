// The queue of a pool and the ring in front of it: any order of what owner,
// workers and watchdog may do, against a model of where each job is.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "pool/job_queue.h"
#include "test/fuzz/native/input.h"
#include "test/unit/pool/fake_worker.h"
#include "test/unit/pool/ring_writer.h"

namespace sloppy::workers {
namespace {

constexpr uint32_t kJobs = 24;
constexpr size_t kCapacity = 12;
constexpr uint32_t kWorkers = 3;

enum class Place : uint8_t { kOwner, kQueued, kRunning };
enum class Does : uint8_t { kNothing, kLooks, kSleeps, kOwn, kLeft };

struct Actor {
  std::unique_ptr<FakeWorker> worker;
  Does does = Does::kLeft;
  Job* current = nullptr;
  std::vector<Job*> parked;
};

RingJob AnyRingJob(uint32_t slot, Input* in) {
  RingJob job;
  job.slot = slot;
  job.entry = in->Byte();
  job.kind = static_cast<PayloadKind>(in->Below(7));
  job.number = in->Byte();
  job.priority = SubmitRing::kMostUrgent + in->Below(4);
  const uint32_t slots = in->Below(SubmitRing::kMaxSlots + 1);
  const uint32_t room = (SubmitRing::kBody - slots) * 8;
  const uint32_t text = in->Below(std::min(SubmitRing::kMaxText, room) + 1);
  const uint8_t fill = in->Byte();
  job.slots.assign(slots, fill);
  job.text.assign(text, static_cast<char>(fill));
  job.queued_ms = in->Below(2) * 1.5;
  if (in->Below(2) != 0) job.deadline_ms = 1;
  return job;
}

class Play {
 public:
  explicit Play(Input* in)
      : in_(in),
        shared_(in->Below(2) != 0),
        queue_(
            {.capacity = kCapacity, .max_workers = kWorkers, .shared = shared_},
            &jobs_,
            std::make_unique<SubmitRing>(nullptr, ring_.block(), 5, kNever)) {
    for (uint32_t i = 0; i < kJobs; ++i) jobs_.At(i);
  }

  void Step() {
    switch (in_->Below(16)) {
      case 0:
        return Submit();
      case 1:
      case 2:
        return WriteRing();
      case 3:
        return Cancel();
      case 4:
        return queue_.SetPaused(in_->Below(2) != 0);
      case 5:
        queue_.SetMaxWorkers(1 + in_->Below(kWorkers));
        return;
      case 6:
        return queue_.Trim(in_->Below(kWorkers));
      case 7:
        queue_.TerminateAll(End::kShutdown);
        return;
      case 8:
        now_ += in_->Word();
        queue_.CheckLimits(now_);
        return;
      case 9:
        return Mail();
      default:
        return Act(&actors_[in_->Below(kWorkers)]);
    }
  }

  // Closes the queue and lets everybody go.
  void End() {
    queue_.SetPaused(false);
    queue_.Close();
    Job late;
    Expect(queue_.Submit(&late).admission == JobQueue::Admission::kClosed,
           "nothing is admitted any more");
    if (in_->Below(2) != 0) Drop();
    // Cancelled ones too have to be taken out by somebody.
    for (Actor& actor : actors_) {
      if (actor.does == Does::kLeft) Join(&actor);
      for (int i = 0; i < 1000 && actor.does != Does::kLeft; ++i) {
        if (actor.current == nullptr && !actor.parked.empty()) {
          FinishParked(&actor);
        }
        Act(&actor);
      }
      Expect(actor.does == Does::kLeft, "every worker leaves");
    }
    Drop();
    for (const Place place : places_) {
      Expect(place == Place::kOwner, "every job has come back");
    }
    const JobQueue::Counts counts = queue_.GetCounts();
    Expect(counts.queued + counts.running + counts.workers + counts.idle == 0,
           "nothing is left");
  }

  void Check() {
    const JobQueue::Counts counts = queue_.GetCounts();
    Expect(counts.queued + Unread() == Count(Place::kQueued), "as many queued");
    Expect(counts.running == Count(Place::kRunning), "as many running");
  }

 private:
  size_t Count(Place place) const {
    return static_cast<size_t>(
        std::count(places_.begin(), places_.end(), place));
  }
  // Jobs that are in the ring: the queue has not looked yet.
  size_t Unread() const {
    size_t unread = 0;
    for (uint32_t i = 0; i < kJobs; ++i) {
      if (places_[i] == Place::kQueued &&
          jobs_.Find(i)->state == Job::State::kIdle) {
        ++unread;
      }
    }
    return unread;
  }
  Job* Free() {
    const uint32_t first = in_->Below(kJobs);
    for (uint32_t i = 0; i < kJobs; ++i) {
      const uint32_t slot = (first + i) % kJobs;
      if (places_[slot] == Place::kOwner) return jobs_.Find(slot);
    }
    return nullptr;
  }

  void Submit() {
    Job* job = Free();
    if (job == nullptr) return;
    job->Renew();
    job->priority = static_cast<uint8_t>(in_->Below(JobQueue::kPriorities));
    job->deadline = in_->Below(2) == 0 ? kNever : now_ + in_->Byte();
    job->grace = in_->Byte();
    job->cpu_limit = in_->Below(3) == 0 ? in_->Byte() : kNever;
    const bool fits = Count(Place::kQueued) < kCapacity;
    const JobQueue::Admission admission = queue_.Submit(job).admission;
    Expect(admission == (fits ? JobQueue::Admission::kQueued
                              : JobQueue::Admission::kFull),
           "the bound holds");
    if (fits) places_[job->slot] = Place::kQueued;
  }

  void WriteRing() {
    Job* job = Free();
    // The owner's admission has the same bound.
    if (job == nullptr || !ring_.HasRoom() ||
        Count(Place::kQueued) >= kCapacity) {
      return;
    }
    places_[job->slot] = Place::kQueued;
    ring_.Write(AnyRingJob(job->slot, in_));
    if (!ring_.attend()) return;
    Expect(queue_.Kick().admission == JobQueue::Admission::kQueued, "queued");
  }

  void Cancel() {
    Job* job = jobs_.Find(in_->Below(kJobs));
    int64_t next_check = kNever;
    const auto why = static_cast<End>(in_->Below(5));
    const Place was = places_[job->slot];
    switch (queue_.Cancel(job, why, now_, &next_check)) {
      case JobQueue::Removal::kRemoved:
        Expect(was == Place::kQueued, "it was queued");
        places_[job->slot] = Place::kOwner;
        return;
      case JobQueue::Removal::kRunning:
        Expect(was == Place::kRunning, "it was running");
        return;
      case JobQueue::Removal::kGone:
        Expect(was == Place::kOwner, "it was over");
    }
  }

  void Mail() {
    Job* job = jobs_.Find(in_->Below(kJobs));
    const bool delivered =
        queue_.Deliver(job, std::make_unique<sloppy::workers::Mail>());
    Expect(delivered == (places_[job->slot] == Place::kRunning),
           "mail is for jobs that run");
  }

  void Drop() {
    JobList dropped;
    queue_.DropQueued(&dropped);
    while (Job* job = dropped.PopFront()) {
      Expect(places_[job->slot] == Place::kQueued, "it was queued");
      places_[job->slot] = Place::kOwner;
    }
  }

  void Join(Actor* actor) {
    actor->worker = std::make_unique<FakeWorker>();
    queue_.Join(actor->worker.get());
    actor->does = Does::kNothing;
  }

  void Act(Actor* actor) {
    if (actor->does == Does::kLeft) return Join(actor);
    FakeWorker* worker = actor->worker.get();
    worker->cpu_time += in_->Byte();
    if (actor->does == Does::kOwn) {
      queue_.EndOwn(worker);
      actor->does = Does::kNothing;
      return;
    }
    if (actor->current != nullptr) return End(actor);
    if (!actor->parked.empty() && in_->Below(2) != 0) {
      return FinishParked(actor);
    }
    if (actor->does == Does::kLooks && in_->Below(2) != 0) {
      if (queue_.BeginIdle(worker)) actor->does = Does::kSleeps;
      return;
    }
    if (actor->does == Does::kNothing && actor->parked.empty() &&
        !in_->empty() && in_->Below(8) == 0) {
      const bool stays = queue_.BeginOwn(worker, now_ + 9);
      actor->does = stays ? Does::kOwn : Does::kLeft;
      return;
    }
    int64_t next_check = kNever;
    Accept(actor, queue_.Take(worker, &next_check));
  }

  // Brings its current job to one of the ends that a job may have.
  void End(Actor* actor) {
    FakeWorker* worker = actor->worker.get();
    Job* job = actor->current;
    queue_.IsTerminated(worker);
    if (shared_ && in_->Below(2) != 0) {
      if (!queue_.Park(worker)) return;
      actor->parked.push_back(job);
      actor->current = nullptr;
      actor->does = Does::kNothing;
      return;
    }
    actor->current = nullptr;
    actor->does = Does::kNothing;
    places_[job->slot] = Place::kOwner;
    if (in_->Below(2) != 0) {
      queue_.Finish(worker);
      return;
    }
    int64_t next_check = kNever;
    const JobQueue::Taken taken = queue_.FinishAndTake(worker, &next_check);
    if (taken.terminated) {
      Expect(taken.job == nullptr, "after a termination nothing is taken");
      return;
    }
    Accept(actor, taken);
  }

  void FinishParked(Actor* actor) {
    Job* job = actor->parked.back();
    actor->parked.pop_back();
    places_[job->slot] = Place::kOwner;
    queue_.FinishParked(actor->worker.get(), job);
  }

  void Accept(Actor* actor, const JobQueue::Taken& taken) {
    for (const Job* job = taken.late; job != nullptr; job = job->next) {
      Expect(places_[job->slot] == Place::kQueued, "it was queued");
      places_[job->slot] = Place::kOwner;
    }
    if (taken.leave) {
      Expect(actor->parked.empty(), "nobody leaves with jobs");
      queue_.Leave(actor->worker.get());
      actor->does = Does::kLeft;
      return;
    }
    if (taken.job == nullptr) {
      if (actor->does == Does::kNothing) actor->does = Does::kLooks;
      return;
    }
    Expect(places_[taken.job->slot] == Place::kQueued, "it was queued");
    Expect(taken.job->payload.slots.count() <= SubmitRing::kMaxSlots, "parts");
    places_[taken.job->slot] = Place::kRunning;
    actor->current = taken.job;
    actor->does = Does::kNothing;
  }

  Input* const in_;
  JobTable jobs_;
  RingWriter ring_;
  const bool shared_;
  JobQueue queue_;
  std::array<Place, kJobs> places_{};
  std::array<Actor, kWorkers> actors_;
  int64_t now_ = 1;
};

}  // namespace
}  // namespace sloppy::workers

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  sloppy::workers::Input in(data, size);
  sloppy::workers::Play play(&in);
  while (!in.empty()) {
    play.Step();
    play.Check();
  }
  play.End();
  return 0;
}

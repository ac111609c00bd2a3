// The owner's end of a CompletionQueue, as binding/inbox.h has it.
#ifndef SLOPPY_WORKERS_TEST_UNIT_JOB_READ_ALL_H_
#define SLOPPY_WORKERS_TEST_UNIT_JOB_READ_ALL_H_

#include <memory>
#include <vector>

#include "job/completion_queue.h"

namespace sloppy::workers {

struct Arrivals {
  std::vector<Answer> answers;
  std::vector<std::unique_ptr<WorkerEvent>> events;
};

// One look at the queue, and what that has found.
inline Arrivals ReadOnce(CompletionQueue* queue) {
  Arrivals arrivals;
  for (size_t n = queue->Look(&arrivals.events); n != 0; --n) {
    arrivals.answers.push_back(queue->Read());
  }
  queue->GiveBack();
  return arrivals;
}

// The slots of all jobs that have ended.
inline std::vector<uint32_t> ReadSlots(CompletionQueue* queue) {
  std::vector<uint32_t> slots;
  while (queue->MaybePending()) {
    for (const Answer& answer : ReadOnce(queue).answers) {
      slots.push_back(answer.job == nullptr ? answer.slot : answer.job->slot);
    }
  }
  return slots;
}

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_TEST_UNIT_JOB_READ_ALL_H_

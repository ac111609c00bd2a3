// The rows of the answer ring. The simulation has few (test/sim/shadow), which
// are full now and then.
#ifndef SLOPPY_WORKERS_JOB_ANSWER_ROWS_H_
#define SLOPPY_WORKERS_JOB_ANSWER_ROWS_H_

#include <cstdint>

namespace sloppy::workers {

inline constexpr uint32_t kAnswerRows = 512;

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_ANSWER_ROWS_H_

// Stands for src/job/answer_rows.h in the simulation, whose pools have too few
// jobs for more rows.
#ifndef SLOPPY_WORKERS_JOB_ANSWER_ROWS_H_
#define SLOPPY_WORKERS_JOB_ANSWER_ROWS_H_

#include <cstdint>

namespace sloppy::workers {

inline constexpr uint32_t kAnswerRows = 2;

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_ANSWER_ROWS_H_

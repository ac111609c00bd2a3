// How the process of a sandbox ends by itself;
// lib/executors/sandbox/host-end.js has the same. Code that has broken out of
// V8 may pretend any of them.
#ifndef SLOPPY_WORKERS_SANDBOX_EXIT_CODES_H_
#define SLOPPY_WORKERS_SANDBOX_EXIT_CODES_H_

namespace sloppy::workers::sandbox {

enum Exit {
  kDone = 0,
  kAborted = 70,  // abort(), which pid 1 of a namespace cannot die of.
  kOutOfMemory = 71,
  kOwnerGone = 73,
  kNotForked = 74,
  kProtocol = 78,  // The owner has said what nobody can understand.
};

}  // namespace sloppy::workers::sandbox

#endif  // SLOPPY_WORKERS_SANDBOX_EXIT_CODES_H_

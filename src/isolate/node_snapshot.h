// The snapshot that isolates begin with, where V8's own does not do.
//
// Node's main isolate begins with a snapshot of Node's, and the strings and
// maps that never change are laid out once for the whole process, as the first
// snapshot says. V8 11 (Node 20 and 21) on arm64 lays them out otherwise in its
// own snapshot: an isolate that begins with that one reads a string where there
// is none, and the process ends. On x64 both agree; V8 12 and newer write them
// down page by page, and both agree everywhere.
#ifndef SLOPPY_WORKERS_ISOLATE_NODE_SNAPSHOT_H_
#define SLOPPY_WORKERS_ISOLATE_NODE_SNAPSHOT_H_

#include <v8.h>

namespace sloppy::workers {

// How isolates begin in this process.
enum class Beginning {
  kOfV8,    // V8's own snapshot, as everywhere else.
  kOfNode,  // Node's snapshot.
  kNone,    // They would crash: Node's cannot be found.
};

// Called before the first isolate; the first call decides for the process.
// `from_node` is whether Node's own isolate began with Node's snapshot, so
// without
// --no-node-snapshot.
Beginning DecideBeginning(bool from_node);

// REQUIRES: not kNone.
void ChooseSnapshot(v8::Isolate::CreateParams* params);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_NODE_SNAPSHOT_H_

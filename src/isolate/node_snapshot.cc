#include "isolate/node_snapshot.h"

#include "isolate/v8_compat.h"

#if SW_SNAPSHOTS_DIFFER
#include <dlfcn.h>

#include <atomic>
#include <mutex>
#endif

namespace sloppy::workers {

#if SW_SNAPSHOTS_DIFFER

namespace {

std::atomic<Beginning> beginning{Beginning::kOfV8};

// Neither is in node.h, both are exported: node::SnapshotBuilder's
// GetEmbeddedSnapshotData() and InitializeIsolateParams(data, params). They are
// looked up, because an addon with a missing symbol would not load at all.
using FindData = const void* (*)();
using FillParams = void (*)(const void*, v8::Isolate::CreateParams*);

template <typename Function>
Function Find(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

FindData FindDataOfNode() {
  return Find<FindData>("_ZN4node15SnapshotBuilder23GetEmbeddedSnapshotDataEv");
}

FillParams FindFillParams() {
  return Find<FillParams>(
      "_ZN4node15SnapshotBuilder23InitializeIsolateParamsEPKNS_12SnapshotDataE"
      "PN2v87Isolate12CreateParamsE");
}

Beginning Decide(bool from_node) {
  if (!from_node) return Beginning::kOfV8;
  const FindData find = FindDataOfNode();
  const bool there =
      find != nullptr && FindFillParams() != nullptr && find() != nullptr;
  return there ? Beginning::kOfNode : Beginning::kNone;
}

}  // namespace

#endif

Beginning DecideBeginning([[maybe_unused]] bool from_node) {
#if SW_SNAPSHOTS_DIFFER
  // A thread of worker_threads may have flags of its own, which do not count.
  static std::once_flag decided;
  std::call_once(decided, [&] { beginning.store(Decide(from_node)); });
  return beginning.load();
#else
  return Beginning::kOfV8;
#endif
}

void ChooseSnapshot([[maybe_unused]] v8::Isolate::CreateParams* params) {
#if SW_SNAPSHOTS_DIFFER
  if (beginning.load() != Beginning::kOfNode) return;
  FindFillParams()(FindDataOfNode()(), params);
#endif
}

}  // namespace sloppy::workers

// Functions that jobs call: pool functions by their source, module exports by
// their name. The owner defines entries. A worker looks an entry up the first
// time it meets the id, and keeps the compiled function.
#ifndef SLOPPY_WORKERS_JOB_ENTRY_TABLE_H_
#define SLOPPY_WORKERS_JOB_ENTRY_TABLE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/live.h"
#include "base/mutex.h"
#include "base/protocol_gen.h"
#include "payload/payload.h"

namespace sloppy::workers {

struct Entry {
  using Kind = wire::EntryKind;
  Kind kind = Kind::kFunction;
  using Sees = wire::Sees;
  Sees sees = Sees::kUnknown;
  // The part of its realm that the code can use at most, as the owner sees from
  // the text: all of it; all but the globals that are defined late; nothing but
  // its input and variables of its own, without an object that it makes.
  using Reach = wire::Reach;
  Reach reach = Reach::kGlobals;
  Text text;         // Function source, or export name.
  std::string name;  // Resource name shown in stacks.
  Counted<Live::kEntries> counted;
};

class EntryTable {
 public:
  // Any thread. Ids are never reused within an environment.
  uint32_t Define(std::shared_ptr<const Entry> entry) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    entries_.emplace(++last_id_, std::move(entry));
    return last_id_;
  }
  // Any thread. REQUIRES: no job that names the entry is under way.
  void Drop(uint32_t id) SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    entries_.erase(id);
  }
  // Any thread. nullptr for an unknown id.
  std::shared_ptr<const Entry> Lookup(uint32_t id) const SW_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const auto found = entries_.find(id);
    return found == entries_.end() ? nullptr : found->second;
  }

 private:
  mutable Mutex mutex_;
  uint32_t last_id_ SW_GUARDED_BY(mutex_) = 0;
  std::unordered_map<uint32_t, std::shared_ptr<const Entry>> entries_
      SW_GUARDED_BY(mutex_);
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_JOB_ENTRY_TABLE_H_

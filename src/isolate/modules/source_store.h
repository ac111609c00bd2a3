// The texts of large files, decoded once for all isolates of the process, which
// take them as external strings: no copy in any heap. Immutable once stored,
// found by content. What was not used for longest is let go, and lives on in
// the isolates that still use it.
#ifndef SLOPPY_WORKERS_ISOLATE_MODULES_SOURCE_STORE_H_
#define SLOPPY_WORKERS_ISOLATE_MODULES_SOURCE_STORE_H_

#include <v8.h>

#include <cstddef>
#include <list>
#include <memory>
#include <string>

#include "base/mutex.h"

namespace sloppy::workers {

struct SourceText {
  std::string key;      // Of the bytes in the file.
  std::string narrow;   // Latin-1,
  std::u16string wide;  // or UTF-16 when that does not do.

  size_t size() const { return narrow.size() + wide.size() * 2; }
  const void* data() const;
};

class SourceStore {
 public:
  using Text = std::shared_ptr<const SourceText>;
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  explicit SourceStore(size_t max_bytes = kMaxBytes) : max_bytes_(max_bytes) {}
  SourceStore(const SourceStore&) = delete;
  SourceStore& operator=(const SourceStore&) = delete;

  // The process's.
  static SourceStore& Get();

  // Any thread, which has entered `isolate`. The text of a file of these
  // bytes; nullptr when V8 cannot hold it.
  Text TextOf(v8::Isolate* isolate, std::string&& content) SW_EXCLUDES(mutex_);

 private:
  Text Find(const std::string& key) SW_EXCLUDES(mutex_);
  void Keep(const Text& text) SW_EXCLUDES(mutex_);

  const size_t max_bytes_;
  Mutex mutex_;
  // The last used first; few, as they are large.
  std::list<Text> texts_ SW_GUARDED_BY(mutex_);
  size_t bytes_ SW_GUARDED_BY(mutex_) = 0;
};

// Worker thread. The string that `text` is, which keeps it alive.
v8::MaybeLocal<v8::String> ExternalString(v8::Isolate* isolate,
                                          const SourceStore::Text& text);
// The data() of the text that a string from ExternalString() is; nullptr for
// any other string.
const void* DataOf(v8::Local<v8::String> string);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_MODULES_SOURCE_STORE_H_

// Bytes of an ArrayBuffer that moves from one isolate to another.
#ifndef SLOPPY_WORKERS_ISOLATE_FOREIGN_BUFFER_H_
#define SLOPPY_WORKERS_ISOLATE_FOREIGN_BUFFER_H_

#include <v8.h>

#include <memory>

namespace sloppy::workers {

// Any thread. The same bytes, as any isolate may have them. V8 11.4 to 12
// reallocates them for `buffer.transfer(length)`, and ends the process when
// another isolate's allocator has made them; bytes that have an owner of their
// own are copied instead. No bytes get a second owner, however often they move.
std::shared_ptr<v8::BackingStore> ForAnyIsolate(
    std::shared_ptr<v8::BackingStore> store);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_FOREIGN_BUFFER_H_

// Room for a heap beyond its limit, while the code that reached the limit is on
// its way to its termination. V8 asks for it. If its next allocation does not
// fit even then, V8 ends the process, or the thread if that is ours: the table
// of a Map, say, doubles at once.
#ifndef SLOPPY_WORKERS_ISOLATE_HEAP_ROOM_H_
#define SLOPPY_WORKERS_ISOLATE_HEAP_ROOM_H_

#include <cstddef>

namespace sloppy::workers {

// The largest array of V8's takes 1 GiB.
inline constexpr size_t kMostRoom = size_t{1280} << 20;

// Any thread. Bytes: `wanted`, or less where the system has little left, but
// always enough to get nearly all code to a place where it can be interrupted.
size_t HeapRoom(size_t wanted);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_HEAP_ROOM_H_

// How far a heap may grow beyond its limit while the code that reached it is on
// its way to its termination. V8 asks for it, and gives up on the process, or
// on the thread if that is ours, when what it is about to allocate does not fit
// all the same: the table of a Map, say, doubles at once.
#ifndef SLOPPY_WORKERS_ISOLATE_HEAP_ROOM_H_
#define SLOPPY_WORKERS_ISOLATE_HEAP_ROOM_H_

#include <cstddef>

namespace sloppy::workers {

// The largest array of V8's takes 1 GiB.
inline constexpr size_t kMostRoom = size_t{1280} << 20;

// Any thread. Bytes: `wanted`, or less where the system has little left, and
// always what gets nearly all code to where it can be interrupted.
size_t HeapRoom(size_t wanted);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_ISOLATE_HEAP_ROOM_H_

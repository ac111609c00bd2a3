// Namespaces of its own for a process: it sees no other process, no network and
// an empty file system.
#ifndef SLOPPY_WORKERS_SANDBOX_NAMESPACES_H_
#define SLOPPY_WORKERS_SANDBOX_NAMESPACES_H_

namespace sloppy::workers::sandbox {

// Single-threaded. Forks, because only a child is inside the namespace of
// processes; returns in that child, while this process waits for its end and
// ends alike. 0 if all of it holds, otherwise the errno of what does not; the
// process may be a child all the same.
int EnterNamespaces();

// Ends this process when the process `owner`, its parent, does, also in an
// endless loop. To be called again after a change of user, which forgets it; 0
// for a parent that is in another namespace.
void DieWithOwner(int owner);

}  // namespace sloppy::workers::sandbox

#endif  // SLOPPY_WORKERS_SANDBOX_NAMESPACES_H_

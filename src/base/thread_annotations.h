// Clang's thread-safety attributes under our own names; empty elsewhere.
// Build with the `clang-thread-safety` preset to have them checked.
#ifndef SLOPPY_WORKERS_BASE_THREAD_ANNOTATIONS_H_
#define SLOPPY_WORKERS_BASE_THREAD_ANNOTATIONS_H_

#if defined(__clang__)
#define SW_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define SW_THREAD_ATTRIBUTE(x)
#endif

#define SW_CAPABILITY(x) SW_THREAD_ATTRIBUTE(capability(x))
#define SW_SCOPED_CAPABILITY SW_THREAD_ATTRIBUTE(scoped_lockable)
#define SW_GUARDED_BY(x) SW_THREAD_ATTRIBUTE(guarded_by(x))
#define SW_PT_GUARDED_BY(x) SW_THREAD_ATTRIBUTE(pt_guarded_by(x))
#define SW_ACQUIRE(...) SW_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define SW_RELEASE(...) SW_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define SW_REQUIRES(...) SW_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define SW_EXCLUDES(...) SW_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

#endif  // SLOPPY_WORKERS_BASE_THREAD_ANNOTATIONS_H_

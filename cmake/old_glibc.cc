// A part of glibc 2.32 that libstdc++ asks for; older ones do not have it.
// False is what it says in a process with threads, and Node always has some.
extern "C" [[gnu::visibility("hidden")]] char __libc_single_threaded = 0;

#include "base/clock.h"

#include <chrono>

#if defined(__linux__)
#include <pthread.h>
#include <time.h>
#elif defined(__APPLE__)
#include <mach/mach.h>
#include <pthread.h>
#elif defined(_WIN32)
#include <windows.h>
#endif

namespace sloppy::workers {

int64_t MonotonicNow() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

#if defined(__linux__)

void ThreadCpuClock::BindToCurrentThread() {
  clockid_t id;
  if (pthread_getcpuclockid(pthread_self(), &id) == 0) handle_ = id;
}

int64_t ThreadCpuClock::Read() const {
  timespec now;
  // Clock ids of threads are negative, so -1 alone says "not bound".
  if (handle_ == -1 ||
      clock_gettime(static_cast<clockid_t>(handle_), &now) != 0) {
    return -1;
  }
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

#elif defined(__APPLE__)

void ThreadCpuClock::BindToCurrentThread() {
  handle_ = pthread_mach_thread_np(pthread_self());
}

int64_t ThreadCpuClock::Read() const {
  if (handle_ == -1) return -1;
  thread_basic_info_data_t info;
  mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
  if (thread_info(static_cast<thread_t>(handle_), THREAD_BASIC_INFO,
                  reinterpret_cast<thread_info_t>(&info),
                  &count) != KERN_SUCCESS) {
    return -1;
  }
  const int64_t seconds = info.user_time.seconds + info.system_time.seconds;
  const int64_t micros =
      info.user_time.microseconds + info.system_time.microseconds;
  return seconds * 1'000'000'000 + micros * 1000;
}

#elif defined(_WIN32)

void ThreadCpuClock::BindToCurrentThread() {
  handle_ = static_cast<int64_t>(GetCurrentThreadId());
}

int64_t ThreadCpuClock::Read() const {
  if (handle_ == -1) return -1;
  HANDLE thread = OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE,
                             static_cast<DWORD>(handle_));
  if (thread == nullptr) return -1;
  FILETIME created, exited, kernel, user;
  const BOOL ok = GetThreadTimes(thread, &created, &exited, &kernel, &user);
  CloseHandle(thread);
  if (!ok) return -1;
  const auto ticks = [](const FILETIME& t) {
    return (static_cast<int64_t>(t.dwHighDateTime) << 32) | t.dwLowDateTime;
  };
  return (ticks(kernel) + ticks(user)) * 100;
}

#else

void ThreadCpuClock::BindToCurrentThread() {}
int64_t ThreadCpuClock::Read() const { return -1; }

#endif

}  // namespace sloppy::workers

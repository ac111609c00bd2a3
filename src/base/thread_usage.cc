#include "base/thread_usage.h"

#if defined(__linux__)
#include <sys/resource.h>
#elif defined(__APPLE__)
#include <mach/mach.h>
#include <pthread.h>
#elif defined(_WIN32)
#include <windows.h>
#endif

namespace sloppy::workers {

#if defined(__linux__)

ThreadUsage CurrentThreadUsage() {
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return {};
  const auto micros = [](const timeval& time) {
    return int64_t{time.tv_sec} * 1'000'000 + time.tv_usec;
  };
  return {micros(usage.ru_utime), micros(usage.ru_stime)};
}

#elif defined(__APPLE__)

ThreadUsage CurrentThreadUsage() {
  thread_basic_info_data_t info;
  mach_msg_type_number_t count = THREAD_BASIC_INFO_COUNT;
  if (thread_info(pthread_mach_thread_np(pthread_self()), THREAD_BASIC_INFO,
                  reinterpret_cast<thread_info_t>(&info),
                  &count) != KERN_SUCCESS) {
    return {};
  }
  const auto micros = [](const time_value_t& time) {
    return int64_t{time.seconds} * 1'000'000 + time.microseconds;
  };
  return {micros(info.user_time), micros(info.system_time)};
}

#elif defined(_WIN32)

ThreadUsage CurrentThreadUsage() {
  FILETIME created, exited, kernel, user;
  if (!GetThreadTimes(GetCurrentThread(), &created, &exited, &kernel, &user)) {
    return {};
  }
  const auto micros = [](const FILETIME& time) {
    const auto high = static_cast<int64_t>(time.dwHighDateTime) << 32;
    return (high | time.dwLowDateTime) / 10;
  };
  return {micros(user), micros(kernel)};
}

#else

ThreadUsage CurrentThreadUsage() { return {}; }

#endif

}  // namespace sloppy::workers

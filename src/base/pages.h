// Zeroed pages straight from the system, for blocks of which most users touch
// little, because an untouched page takes no memory. malloc may give pages that
// were touched before.
#ifndef SLOPPY_WORKERS_BASE_PAGES_H_
#define SLOPPY_WORKERS_BASE_PAGES_H_

#include <cstddef>
#include <cstdint>

namespace sloppy::workers {

// nullptr when there are none.
void* TakePages(size_t bytes);
// `bytes` as they were taken.
void GivePages(void* pages, size_t bytes);

// `bytes`, a multiple of kHugePage, which the system may fill a huge page at a
// time. nullptr when there are none, or no such pages here. GivePages() takes
// them back.
inline constexpr size_t kHugePage = size_t{2} << 20;
void* TakeHugePages(size_t bytes);
// The same for `bytes` that malloc gave: for those of its pages that nobody has
// touched.
void PreferHugePages(void* block, size_t bytes);
// Gives back the pages that are whole in these bytes, which are zeros from then
// on.
void EmptyPages(void* pages, size_t bytes);
// Nanoseconds that a page's first touch takes this machine, by a few of them: a
// quarter of a microsecond, or ten where a hypervisor keeps the tables of
// pages. 0 where it is not known.
int64_t FirstTouchTakes();

class Pages {
 public:
  explicit Pages(size_t bytes) : bytes_(bytes), data_(TakePages(bytes)) {}
  ~Pages() {
    if (data_ != nullptr) GivePages(data_, bytes_);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  // nullptr when there were none.
  void* data() const { return data_; }

 private:
  const size_t bytes_;
  void* const data_;
};

// Whether the process may have as many addresses in one piece, of which none
// needs memory (RLIMIT_AS, `ulimit -v`).
bool HasAddresses(size_t bytes);

// Gives back the pages that the stack of the calling thread has touched deeper
// than here, if it goes on for `bytes` at least.
void GiveStackBelow(size_t bytes);

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_PAGES_H_

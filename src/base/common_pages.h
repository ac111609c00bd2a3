// Memory with one content for several readers. Each of them opens a view of its
// own, and what it writes there is seen by nobody else: where the system can,
// the pages are common until they are written (copy on write), elsewhere a view
// is a copy.
//
// Any thread, once sealed. Views outlive the pages they were opened from.
#ifndef SLOPPY_WORKERS_BASE_COMMON_PAGES_H_
#define SLOPPY_WORKERS_BASE_COMMON_PAGES_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/live.h"

namespace sloppy::workers {

class PagesView {
 public:
  PagesView(uint8_t* data, size_t bytes) : data_(data), bytes_(bytes) {}
  ~PagesView();
  PagesView(const PagesView&) = delete;
  PagesView& operator=(const PagesView&) = delete;

  uint8_t* data() const { return data_; }

 private:
  Counted<Live::kPagesViews> counted_;
  uint8_t* const data_;
  const size_t bytes_;
};

class CommonPages {
 public:
  // `bytes` bytes to be filled through data(); nullptr when memory is short.
  // REQUIRES: bytes > 0.
  static std::unique_ptr<CommonPages> Make(size_t bytes);
  ~CommonPages();
  CommonPages(const CommonPages&) = delete;
  CommonPages& operator=(const CommonPages&) = delete;

  // REQUIRES: not sealed.
  uint8_t* data() { return data_; }
  // The content is complete.
  void Seal();
  // REQUIRES: sealed. nullptr when memory is short.
  std::shared_ptr<PagesView> Open() const;
  // Whether views share pages.
  bool is_common() const { return file_ >= 0; }

 private:
  CommonPages(int file, uint8_t* data, size_t bytes)
      : file_(file), data_(data), bytes_(bytes) {}

  const int file_;  // A file in memory; -1 for none.
  uint8_t* data_;   // nullptr when sealed, with a file.
  const size_t bytes_;
};

}  // namespace sloppy::workers

#endif  // SLOPPY_WORKERS_BASE_COMMON_PAGES_H_

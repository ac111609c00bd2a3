#include "base/common_pages.h"

#include <cstring>

#include "base/pages.h"

#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace sloppy::workers {
namespace {

// More than any machine has; the system would look for it all the same.
constexpr size_t kMost = size_t{1} << 46;

// A file without a name, in memory; -1 if there is none.
int MakeFile([[maybe_unused]] size_t bytes) {
#if defined(__linux__) && defined(MFD_CLOEXEC)
  const int file = memfd_create("sloppy-shared", MFD_CLOEXEC);
  if (file < 0) return -1;
  // Its pages are there from now on: to find none when one is written would
  // end the process.
  if (fallocate(file, 0, 0, static_cast<off_t>(bytes)) == 0) return file;
  close(file);
#endif
  return -1;
}

uint8_t* MapFile([[maybe_unused]] int file, [[maybe_unused]] size_t bytes,
                 [[maybe_unused]] bool common) {
#if defined(__linux__)
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    common ? MAP_SHARED : MAP_PRIVATE | MAP_NORESERVE, file, 0);
  if (data != MAP_FAILED) return static_cast<uint8_t*>(data);
#endif
  return nullptr;
}

void CloseFile([[maybe_unused]] int file) {
#if defined(__linux__)
  if (file >= 0) close(file);
#endif
}

}  // namespace

PagesView::~PagesView() { GivePages(data_, bytes_); }

std::unique_ptr<CommonPages> CommonPages::Make(size_t bytes) {
  if (bytes > kMost) return nullptr;
  const int file = MakeFile(bytes);
  if (file >= 0) {
    if (uint8_t* data = MapFile(file, bytes, true)) {
      return std::unique_ptr<CommonPages>(new CommonPages(file, data, bytes));
    }
    CloseFile(file);
  }
  auto* data = static_cast<uint8_t*>(TakePages(bytes));
  if (data == nullptr) return nullptr;
  return std::unique_ptr<CommonPages>(new CommonPages(-1, data, bytes));
}

CommonPages::~CommonPages() {
  if (data_ != nullptr) GivePages(data_, bytes_);
  CloseFile(file_);
}

void CommonPages::Seal() {
  if (file_ < 0) return;
  GivePages(data_, bytes_);
  data_ = nullptr;
}

std::shared_ptr<PagesView> CommonPages::Open() const {
  uint8_t* view = nullptr;
  if (file_ >= 0) {
    view = MapFile(file_, bytes_, false);
  } else {
    view = static_cast<uint8_t*>(TakePages(bytes_));
    if (view != nullptr) std::memcpy(view, data_, bytes_);
  }
  if (view == nullptr) return nullptr;
  return std::make_shared<PagesView>(view, bytes_);
}

}  // namespace sloppy::workers

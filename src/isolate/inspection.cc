#include "isolate/inspection.h"

#include <filesystem>
#include <fstream>

namespace sloppy::workers {
namespace {

class FileStream final : public v8::OutputStream {
 public:
  explicit FileStream(const std::string& path)
      : file_(std::filesystem::path(std::u8string(path.begin(), path.end())),
              std::ios::binary) {}

  void EndOfStream() override { file_.flush(); }
  int GetChunkSize() override { return 64 * 1024; }
  WriteResult WriteAsciiChunk(char* data, int size) override {
    file_.write(data, size);
    return file_.good() ? kContinue : kAbort;
  }
  bool good() const { return file_.good(); }

 private:
  std::ofstream file_;
};

v8::Local<v8::String> Title(v8::Isolate* isolate) {
  return v8::String::NewFromUtf8Literal(isolate, "worker");
}

bool WriteSnapshot(v8::Isolate* isolate, const std::string& path) {
  const v8::HeapSnapshot* snapshot =
      isolate->GetHeapProfiler()->TakeHeapSnapshot();
  if (snapshot == nullptr) return false;
  FileStream file(path);
  snapshot->Serialize(&file, v8::HeapSnapshot::kJSON);
  const_cast<v8::HeapSnapshot*>(snapshot)->Delete();
  return file.good();
}

}  // namespace

void Inspection::Ask(Request request) {
  MutexLock lock(mutex_);
  requests_.push_back(std::move(request));
  asked_.store(true, std::memory_order_release);
}

void Inspection::Run(v8::Isolate* isolate, size_t external_bytes) {
  if (!asked_.load(std::memory_order_acquire)) return;
  std::vector<Request> requests;
  {
    MutexLock lock(mutex_);
    requests.swap(requests_);
    asked_.store(false, std::memory_order_relaxed);
  }
  v8::HandleScope scope(isolate);
  for (const Request& request : requests) {
    answer_(request.id, Do(isolate, request, external_bytes));
  }
}

bool Inspection::Do(v8::Isolate* isolate, const Request& request,
                    size_t external_bytes) {
  switch (request.kind) {
    case Kind::kStartProfile:
      return StartProfile(isolate);
    case Kind::kStopProfile:
      return StopProfile(isolate, request.path);
    case Kind::kSnapshot:
      return WriteSnapshot(isolate, request.path);
    case Kind::kFigures:
      break;
  }
  v8::HeapStatistics statistics;
  isolate->GetHeapStatistics(&statistics);
  figures_.heap_used = statistics.used_heap_size();
  figures_.heap_total = statistics.total_heap_size();
  figures_.external = external_bytes;
  return true;
}

bool Inspection::StartProfile(v8::Isolate* isolate) {
  if (profiler_ != nullptr) return false;
  profiler_ = v8::CpuProfiler::New(isolate);
  v8::CpuProfilingOptions options(v8::kLeafNodeLineNumbers);
  profiler_->StartProfiling(Title(isolate), std::move(options));
  return true;
}

bool Inspection::StopProfile(v8::Isolate* isolate, const std::string& path) {
  if (profiler_ == nullptr) return false;
  v8::CpuProfile* profile = profiler_->StopProfiling(Title(isolate));
  bool written = false;
  if (profile != nullptr) {
    FileStream file(path);
    profile->Serialize(&file, v8::CpuProfile::kJSON);
    written = file.good();
    profile->Delete();
  }
  profiler_->Dispose();
  profiler_ = nullptr;
  return written;
}

void Inspection::End(v8::Isolate* isolate) {
  if (profiler_ == nullptr) return;
  // Disposing of a profiler that still samples would crash.
  v8::HandleScope scope(isolate);
  v8::CpuProfile* profile = profiler_->StopProfiling(Title(isolate));
  if (profile != nullptr) profile->Delete();
  profiler_->Dispose();
  profiler_ = nullptr;
}

}  // namespace sloppy::workers

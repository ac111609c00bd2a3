#include "isolate/inspection.h"

#include <string_view>

#include "base/clock.h"
#include "isolate/profile_text.h"

namespace sloppy::workers {
namespace {

// A worker that does not obey for two seconds is taken out of its pool.
constexpr int64_t kGivesWayAfter = 1'000'000'000;

// Ends a snapshot that keeps its worker from a termination.
class GiveWay final : public v8::ActivityControl {
 public:
  explicit GiveWay(const std::function<bool()>& terminated)
      : terminated_(terminated) {}

  ControlOption ReportProgressValue(uint32_t, uint32_t) override {
    return Must() ? kAbort : kContinue;
  }
  bool Must() {
    if (!terminated_()) return false;
    const int64_t now = MonotonicNow();
    if (since_ == 0) since_ = now;
    return now - since_ >= kGivesWayAfter;
  }

 private:
  const std::function<bool()>& terminated_;
  int64_t since_ = 0;
};

class TextStream final : public v8::OutputStream {
 public:
  TextStream(InspectionText* text, GiveWay* control)
      : text_(text), control_(control) {}

  void EndOfStream() override { complete_ = true; }
  int GetChunkSize() override { return InspectionText::kChunkBytes; }
  WriteResult WriteAsciiChunk(char* data, int size) override {
    if (control_->Must()) return kAbort;
    text_->Append(std::string_view(data, static_cast<size_t>(size)));
    return kContinue;
  }
  bool complete() const { return complete_; }

 private:
  InspectionText* const text_;
  GiveWay* const control_;
  bool complete_ = false;
};

v8::Local<v8::String> Title(v8::Isolate* isolate) {
  return v8::String::NewFromUtf8Literal(isolate, "worker");
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
      return StopProfile(isolate, request.text.get());
    case Kind::kSnapshot:
      return TakeSnapshot(isolate, request.text.get());
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

bool Inspection::StopProfile(v8::Isolate* isolate, InspectionText* text) {
  if (profiler_ == nullptr) return false;
  v8::CpuProfile* profile = profiler_->StopProfiling(Title(isolate));
  if (profile != nullptr) {
    if (text != nullptr) AppendProfile(*profile, text);
    profile->Delete();
  }
  profiler_->Dispose();
  profiler_ = nullptr;
  return profile != nullptr;
}

bool Inspection::TakeSnapshot(v8::Isolate* isolate, InspectionText* text) {
  if (text == nullptr) return false;
  GiveWay control(terminated_);
  const v8::HeapSnapshot* snapshot =
      isolate->GetHeapProfiler()->TakeHeapSnapshot(&control);
  if (snapshot == nullptr) return false;
  TextStream stream(text, &control);
  snapshot->Serialize(&stream, v8::HeapSnapshot::kJSON);
  const_cast<v8::HeapSnapshot*>(snapshot)->Delete();
  return stream.complete();
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
